/** Firewall rules themselves: how they look, what ports they may name, when two clash. */

import type { JsonObject } from '@/simulator/core/json';
import type { FirewallRule } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import { invalid } from './errors';
import type { Args } from './parameters';
import { tagView } from './views';

export function ruleView(world: World, rule: FirewallRule): JsonObject {
  const address = rule.addressId === null ? undefined : world.records.get('address', rule.addressId);
  return {
    id: rule.id,
    ...(address === undefined ? {} : { ipaddressid: address.id, ipaddress: address.ip }),
    protocol: rule.protocol,
    ...(rule.startPort === null ? {} : { startport: rule.startPort }),
    ...(rule.endPort === null ? {} : { endport: rule.endPort }),
    cidrlist: rule.cidrs,
    state: 'Active',
    networkid: rule.networkId,
    tags: world.tagsOf(rule.id).map(tagView),
  };
}

const protocols = new Set(['tcp', 'udp', 'icmp', 'all']);

export function readPorts(args: Args) {
  const protocol = args.must('protocol').toLowerCase();
  if (!protocols.has(protocol)) throw invalid(`Protocol ${protocol} is not supported`);
  const startPort = args.number('startport') ?? null;
  const endPort = args.number('endport') ?? startPort;
  if ((protocol === 'icmp' || protocol === 'all') && startPort !== null)
    throw invalid(`Ports can't be given with protocol ${protocol}`);
  for (const port of [startPort, endPort])
    if (port !== null && (port < 1 || port > 65_535)) throw invalid(`Invalid port number ${port}`);
  if (startPort !== null && endPort !== null && startPort > endPort)
    throw invalid('Start port can not be bigger than end port');
  return { protocol, startPort, endPort };
}

export function overlaps(
  a: FirewallRule,
  b: { protocol: string; startPort: number | null; endPort: number | null; cidrs: string },
): boolean {
  if (a.protocol !== b.protocol) return false;
  const apart =
    a.startPort !== null && b.startPort !== null && ((a.endPort ?? 0) < b.startPort || (b.endPort ?? 0) < a.startPort);
  const cidrs = new Set(a.cidrs.split(','));
  return !apart && b.cidrs.split(',').some((cidr) => cidrs.has(cidr));
}
