/** Port forwarding rules. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { ForwardingRule } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import { isPortTaken, openFirewall } from './balancer-rules';
import type { Call, Command, Outcome } from './command';
import { removeRecord } from './commands-networks';
import { ApiError, invalid } from './errors';
import { isAsked, isVisible, listAnswer, mayUse } from './paging';
import { type Args, flag, idOf, integer, listOf, listParameters, required, text } from './parameters';

const fields = [
  'id',
  'ipaddressid',
  'ipaddress',
  'protocol',
  'publicport',
  'privateport',
  'virtualmachineid',
  'state',
  'networkid',
];

function ruleView(world: World, rule: ForwardingRule): JsonObject {
  return {
    id: rule.id,
    ipaddressid: rule.addressId,
    ipaddress: world.records.get('address', rule.addressId)?.ip ?? '',
    protocol: rule.protocol,
    publicport: String(rule.publicPort),
    publicendport: String(rule.publicPort),
    privateport: String(rule.privatePort),
    privateendport: String(rule.privatePort),
    virtualmachineid: rule.machineId,
    virtualmachinename: world.records.get('machine', rule.machineId)?.name ?? '',
    state: 'Active',
    networkid: rule.networkId,
    tags: [],
  };
}

function create(call: Call, args: Args): Outcome {
  const { world, caller } = call;
  const address = world.records.get('address', args.must('ipaddressid'));
  const machine = world.records.get('machine', args.must('virtualmachineid'));
  if (address === undefined || address.state !== 'Allocated' || address.networkId === null)
    throw invalid('Unable to create port forwarding rule; the ip address is not associated with a network');
  if (machine === undefined || machine.networkId !== address.networkId)
    throw invalid('The virtual machine is not in the network of the address');
  if (!mayUse(call, address.account ?? '')) throw new ApiError(531, 4365, 'Permission denied');
  const publicPort = Number(args.must('publicport'));
  if (isPortTaken(world, address.id, publicPort))
    throw new ApiError(537, 4360, 'The range specified conflicts with another rule');
  const rule: ForwardingRule = {
    id: randomUUID(),
    addressId: address.id,
    networkId: address.networkId,
    protocol: args.must('protocol').toLowerCase(),
    publicPort,
    privatePort: Number(args.must('privateport')),
    machineId: machine.id,
    account: caller.account,
  };
  world.records.save('forwarding', rule);
  if (args.flag('openfirewall') ?? true) openFirewall(world, rule);
  world.effect('port forwarding rule created', call.origin, { id: rule.id, port: publicPort, machine: machine.name });
  return {
    kind: 'job',
    id: rule.id,
    instanceType: 'PortForwardingRule',
    instanceId: rule.id,
    failed: () => removeRecord(world, 'forwarding', rule.id),
    work: async (run) => {
      await run.sleep(world.random.jitter(latencyMs.rule));
      return { portforwardingrule: ruleView(world, rule) };
    },
  };
}

function list(call: Call, args: Args): Outcome {
  const found = call.world.records
    .all('forwarding')
    .filter(
      (rule) =>
        isVisible(call, args, rule.account) &&
        isAsked(args, 'id', rule.id) &&
        isAsked(args, 'ipaddressid', rule.addressId) &&
        isAsked(args, 'networkid', rule.networkId),
    );
  return listAnswer(args, 'portforwardingrule', found, (rule) => ruleView(call.world, rule));
}

function remove(call: Call, args: Args): Outcome {
  const { world } = call;
  const rule = world.records.get('forwarding', args.must('id'));
  if (rule === undefined) throw invalid('Unable to find port forwarding rule');
  if (!mayUse(call, rule.account)) throw new ApiError(531, 4365, 'Permission denied');
  return {
    kind: 'job',
    instanceType: 'PortForwardingRule',
    instanceId: rule.id,
    work: async (run) => {
      await run.sleep(world.random.jitter(latencyMs.rule));
      removeRecord(world, 'forwarding', rule.id);
      world.effect('port forwarding rule deleted', run.origin, { id: rule.id, port: rule.publicPort });
      return { success: true };
    },
  };
}

export const forwardingCommands: readonly Command[] = [
  {
    name: 'createPortForwardingRule',
    description: 'Creates a port forwarding rule',
    kind: 'create',
    parameters: {
      ipaddressid: required(idOf('address')),
      protocol: required(text()),
      publicport: required(integer()),
      publicendport: integer(),
      privateport: required(integer()),
      privateendport: integer(),
      virtualmachineid: required(idOf('machine')),
      openfirewall: flag(),
      networkid: idOf('network'),
      cidrlist: listOf(),
    },
    fields,
    run: create,
  },
  {
    name: 'listPortForwardingRules',
    description: 'Lists all port forwarding rules for an IP address.',
    kind: 'sync',
    parameters: { ...listParameters, id: idOf('forwarding'), ipaddressid: idOf('address'), networkid: idOf('network') },
    fields,
    run: list,
  },
  {
    name: 'deletePortForwardingRule',
    description: 'Deletes a port forwarding rule',
    kind: 'async',
    parameters: { id: required(idOf('forwarding')) },
    fields: ['success', 'displaytext'],
    run: remove,
  },
];
