/** Load balancer rules themselves: how they look, and making them. */

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { BalancerRule } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import type { Call, Outcome } from './command';
import { removeRecord } from './commands-networks';
import { ApiError, invalid } from './errors';
import { mayUse } from './paging';
import type { Args } from './parameters';
import { tagView } from './views';

export const fields = [
  'id',
  'name',
  'publicip',
  'publicipid',
  'publicport',
  'privateport',
  'algorithm',
  'cidrlist',
  'networkid',
  'state',
  'protocol',
  'zoneid',
  'tags',
];

export function ruleView(world: World, rule: BalancerRule): JsonObject {
  const address = world.records.get('address', rule.addressId);
  return {
    id: rule.id,
    name: rule.name,
    publicip: address?.ip ?? '',
    publicipid: rule.addressId,
    publicport: String(rule.publicPort),
    privateport: String(rule.privatePort),
    algorithm: rule.algorithm,
    cidrlist: rule.cidrs,
    networkid: rule.networkId,
    state: rule.machineIds.length > 0 ? 'Active' : 'Add',
    protocol: rule.protocol,
    zoneid: address?.zoneId ?? '',
    account: rule.account,
    tags: world.tagsOf(rule.id).map(tagView),
  };
}

/** True when another rule already leads from this port of this address (or, off Linux, of the one address there is). */
export function isPortTaken(world: World, addressId: string, port: number): boolean {
  const ip = world.records.get('address', addressId)?.ip;
  const same = (other: string) => other === addressId || world.records.get('address', other)?.ip === ip;
  return (
    world.records.find('balancer', (rule) => same(rule.addressId) && rule.publicPort === port) !== undefined ||
    world.records.find('forwarding', (rule) => same(rule.addressId) && rule.publicPort === port) !== undefined
  );
}

/** Opens the firewall for a rule that asked for it, unless something already does. */
export function openFirewall(
  world: World,
  rule: { addressId: string; networkId: string; publicPort: number; protocol: string; account: string },
): void {
  const covered = world.records.find(
    'firewall',
    (other) =>
      other.addressId === rule.addressId &&
      other.protocol === 'tcp' &&
      (other.startPort ?? 1) <= rule.publicPort &&
      (other.endPort ?? 65_535) >= rule.publicPort,
  );
  if (covered !== undefined) return;
  world.records.save('firewall', {
    id: randomUUID(),
    direction: 'ingress',
    addressId: rule.addressId,
    networkId: rule.networkId,
    protocol: 'tcp',
    startPort: rule.publicPort,
    endPort: rule.publicPort,
    cidrs: '0.0.0.0/0',
    account: rule.account,
  });
}

function portOf(args: Args, name: string): number {
  const port = Number(args.must(name));
  if (port < 1 || port > 65_535) throw invalid(`Invalid value for ${name}: ${port}`);
  return port;
}

export function create(call: Call, args: Args): Outcome {
  const { world, caller } = call;
  const address = world.records.get('address', args.text('publicipid') ?? '');
  if (address === undefined || address.state !== 'Allocated')
    throw invalid('Unable to create load balancer rule; the ip address is not allocated');
  if (!mayUse(call, address.account ?? '')) throw new ApiError(531, 4365, 'Permission denied');
  const networkId = address.networkId ?? args.text('networkid');
  if (networkId === undefined) throw invalid('The ip address is not associated with any network');
  const algorithm = args.must('algorithm').toLowerCase();
  if (!['roundrobin', 'leastconn', 'source'].includes(algorithm)) throw invalid(`Invalid algorithm: ${algorithm}`);
  const publicPort = portOf(args, 'publicport');
  if (isPortTaken(world, address.id, publicPort))
    throw new ApiError(
      537,
      4360,
      `The range specified, ${publicPort}-${publicPort}, conflicts with rule on the same address`,
    );
  const rule: BalancerRule = {
    id: randomUUID(),
    name: args.must('name'),
    algorithm,
    addressId: address.id,
    networkId,
    publicPort,
    privatePort: portOf(args, 'privateport'),
    protocol: args.text('protocol') ?? 'tcp',
    cidrs: args.text('cidrlist') ?? '',
    account: caller.account,
    machineIds: [],
  };
  world.records.save('balancer', rule);
  if (args.flag('openfirewall') ?? true) openFirewall(world, rule);
  world.effect('load balancer rule created', call.origin, {
    id: rule.id,
    name: rule.name,
    address: address.id,
    port: publicPort,
  });
  return {
    kind: 'job',
    id: rule.id,
    instanceType: 'LoadBalancerRule',
    instanceId: rule.id,
    failed: () => removeRecord(world, 'balancer', rule.id),
    work: async (run) => {
      await run.sleep(world.random.jitter(latencyMs.rule));
      world.changed();
      return { loadbalancer: ruleView(world, rule) };
    },
  };
}
