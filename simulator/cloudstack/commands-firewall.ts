/** Firewall rules (inwards, on an address) and egress rules (outwards, of a network). */

import { randomUUID } from 'node:crypto';
import { latencyMs } from '@/simulator/core/latency';
import type { FirewallRule } from '@/simulator/core/model';
import type { Call, Command, JobOutcome } from './command';
import { removeRecord } from './commands-networks';
import { ApiError, invalid } from './errors';
import { overlaps, readPorts, ruleView } from './firewall-rules';
import { hasAskedTags, isAsked, isVisible, listAnswer, mayUse } from './paging';
import { type Args, idOf, integer, listOf, listParameters, required, text } from './parameters';

const fields = [
  'id',
  'ipaddressid',
  'ipaddress',
  'protocol',
  'startport',
  'endport',
  'cidrlist',
  'state',
  'networkid',
  'tags',
];

function create(
  call: Call,
  args: Args,
  place: { direction: 'ingress' | 'egress'; addressId: string | null; networkId: string },
): JobOutcome {
  const { world, caller } = call;
  const ports = readPorts(args);
  const cidrs = args.text('cidrlist') ?? '0.0.0.0/0';
  for (const cidr of cidrs.split(','))
    if (!/^\d+\.\d+\.\d+\.\d+\/\d+$/.test(cidr)) throw invalid(`Source cidrs formatting error ${cidr}`);
  const clash = world.records.find(
    'firewall',
    (rule) =>
      rule.direction === place.direction &&
      rule.addressId === place.addressId &&
      rule.networkId === place.networkId &&
      overlaps(rule, { ...ports, cidrs }),
  );
  if (clash !== undefined)
    throw new ApiError(
      537,
      4360,
      `There is already a firewall rule specified with protocol = ${ports.protocol} and no ports or the range specified conflicts with rule ${clash.id}`,
    );
  const rule: FirewallRule = { id: randomUUID(), ...place, ...ports, cidrs, account: caller.account };
  world.records.save('firewall', rule);
  world.effect('firewall rule created', call.origin, {
    id: rule.id,
    direction: rule.direction,
    port: rule.startPort,
    address: rule.addressId,
    network: rule.networkId,
  });
  return {
    kind: 'job',
    id: rule.id,
    instanceType: 'FirewallRule',
    instanceId: rule.id,
    failed: () => removeRecord(world, 'firewall', rule.id),
    work: async (run) => {
      await run.sleep(world.random.jitter(latencyMs.rule));
      world.changed();
      return { firewallrule: ruleView(world, rule) };
    },
  };
}

function createIngress(call: Call, args: Args): JobOutcome {
  const address = call.world.records.get('address', args.must('ipaddressid'));
  if (address === undefined || address.state !== 'Allocated')
    throw invalid('Unable to create firewall rule; the ip address is not allocated');
  if (!mayUse(call, address.account ?? '')) throw new ApiError(531, 4365, 'Permission denied');
  if (address.networkId === null)
    throw invalid('Unable to create firewall rule for the ip address as it is not associated with any network');
  return create(call, args, { direction: 'ingress', addressId: address.id, networkId: address.networkId });
}

function createEgress(call: Call, args: Args): JobOutcome {
  const network = call.world.records.get('network', args.must('networkid'));
  if (network === undefined) throw invalid('Unable to find the network');
  if (!mayUse(call, network.account)) throw new ApiError(531, 4365, 'Permission denied');
  if (network.state === 'Setup') throw invalid('Egress firewall rules are not supported for shared networks');
  return create(call, args, { direction: 'egress', addressId: null, networkId: network.id });
}

const portParameters = {
  protocol: required(text()),
  startport: integer(),
  endport: integer(),
  cidrlist: listOf(),
  icmptype: integer(),
  icmpcode: integer(),
};

function listCommand(name: string, direction: 'ingress' | 'egress'): Command {
  return {
    name,
    description: `Lists all ${direction === 'egress' ? 'egress ' : ''}firewall rules`,
    kind: 'sync',
    parameters: { ...listParameters, id: idOf('firewall'), ipaddressid: idOf('address'), networkid: idOf('network') },
    fields,
    run: (call, args) => {
      const found = call.world.records
        .all('firewall')
        .filter(
          (rule) =>
            rule.direction === direction &&
            isVisible(call, args, rule.account) &&
            isAsked(args, 'id', rule.id) &&
            isAsked(args, 'ipaddressid', rule.addressId) &&
            isAsked(args, 'networkid', rule.networkId) &&
            hasAskedTags(call, args, rule.id),
        );
      return listAnswer(args, 'firewallrule', found, (rule) => ruleView(call.world, rule));
    },
  };
}

function deleteCommand(name: string, direction: 'ingress' | 'egress'): Command {
  return {
    name,
    description: `Deletes a${direction === 'egress' ? 'n egress' : ''} firewall rule`,
    kind: 'async',
    parameters: { id: required(idOf('firewall')) },
    fields: ['success', 'displaytext'],
    run: (call, args) => {
      const { world } = call;
      const rule = world.records.get('firewall', args.must('id'));
      if (rule === undefined || rule.direction !== direction)
        throw invalid(`Unable to find firewall rule by id ${args.must('id')}`);
      if (!mayUse(call, rule.account)) throw new ApiError(531, 4365, 'Permission denied');
      return {
        kind: 'job',
        instanceType: 'FirewallRule',
        instanceId: rule.id,
        work: async (run) => {
          await run.sleep(world.random.jitter(latencyMs.rule));
          removeRecord(world, 'firewall', rule.id);
          world.effect('firewall rule deleted', run.origin, { id: rule.id, port: rule.startPort });
          return { success: true };
        },
      };
    },
  };
}

export const firewallCommands: readonly Command[] = [
  {
    name: 'createFirewallRule',
    description: 'Creates a firewall rule for a given IP address',
    kind: 'create',
    parameters: { ipaddressid: required(idOf('address')), ...portParameters },
    fields,
    run: createIngress,
  },
  {
    name: 'createEgressFirewallRule',
    description: 'Creates a egress firewall rule for a given network',
    kind: 'create',
    parameters: { networkid: required(idOf('network')), ...portParameters },
    fields,
    run: createEgress,
  },
  listCommand('listFirewallRules', 'ingress'),
  listCommand('listEgressFirewallRules', 'egress'),
  deleteCommand('deleteFirewallRule', 'ingress'),
  deleteCommand('deleteEgressFirewallRule', 'egress'),
];
