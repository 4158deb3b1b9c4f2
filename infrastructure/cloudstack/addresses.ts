import type { z } from 'zod';
import type { CallContext, Cloud } from '@/infrastructure/cloud';
import type { Api } from './api';
import { reach } from './reach';
import { addressShape, firewallRuleShape, isLeaving } from './shapes';
import { ensureTags } from './tags';

type Addresses = Pick<Cloud, 'ensureAddress' | 'ensureFirewallRule' | 'releaseAddress'>;
type AddressShape = z.infer<typeof addressShape>;
type FirewallRuleShape = z.infer<typeof firewallRuleShape>;

const done = true;

export function addresses(api: Api): Addresses {
  return {
    ensureAddress: async (call, spec) => {
      const found = await reach(call, {
        command: 'associateIpAddress',
        look: () => ownAddress(api, call, spec),
        act: () => api.create(call, 'associateIpAddress', { networkid: spec.networkId }),
      });
      await ensureTags(api, call, { type: 'PublicIpAddress', id: found.id, tags: found.tags }, spec.tags);
      return { id: found.id, ip: found.ipaddress, isSourceNat: found.issourcenat };
    },
    ensureFirewallRule: async (call, spec) => {
      await reach(call, {
        command: 'createFirewallRule',
        look: async () => {
          const rules = await firewallRules(api, call, spec.addressId);
          return rules.some((rule) => covers(rule, spec)) ? done : null;
        },
        act: async () => {
          await removeOtherwiseOpen(api, call, spec);
          await api.create(call, 'createFirewallRule', {
            ipaddressid: spec.addressId,
            protocol: 'tcp',
            startport: String(spec.port),
            endport: String(spec.port),
            cidrlist: spec.cidrs.join(','),
          });
        },
      });
    },
    releaseAddress: async (call, addressId) => {
      await reach(call, {
        command: 'disassociateIpAddress',
        look: async () => {
          const address = await addressById(api, call, addressId);
          return address === null || address.issourcenat ? done : null;
        },
        act: () => api.job(call, 'disassociateIpAddress', { id: addressId }),
      });
    },
  };
}

/** The recorded one, else the network's source NAT address, else one of the network that carries our tags from a lost answer. */
async function ownAddress(
  api: Api,
  call: CallContext,
  spec: { networkId: string; knownId: string | null; tags: Readonly<Record<string, string>> },
): Promise<AddressShape | null> {
  const known = spec.knownId === null ? null : await addressById(api, call, spec.knownId);
  if (known !== null && known.associatednetworkid === spec.networkId) return known;
  const parameters = { associatednetworkid: spec.networkId, listall: 'true' };
  const all = await api.list(call, 'listPublicIpAddresses', parameters, 'publicipaddress', addressShape);
  const usable = all.filter((address) => !isLeaving(address));
  return usable.find((address) => address.issourcenat) ?? usable.find((address) => carries(address, spec.tags)) ?? null;
}

function carries(address: AddressShape, tags: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(tags);
  return (
    wanted.length > 0 &&
    wanted.every(([key, value]) => address.tags.some((tag) => tag.key === key && tag.value === value))
  );
}

/** Null when it was released; a free address may still be listed to an admin. */
async function addressById(api: Api, call: CallContext, id: string): Promise<AddressShape | null> {
  const [address] = await api.listOrNone(
    call,
    'listPublicIpAddresses',
    { id, listall: 'true' },
    'publicipaddress',
    addressShape,
  );
  return address === undefined || address.state === 'Free' || isLeaving(address) ? null : address;
}

/** TCP rules of an address; none when the address is gone. */
export async function firewallRules(api: Api, call: CallContext, addressId: string): Promise<FirewallRuleShape[]> {
  const parameters = { ipaddressid: addressId, listall: 'true' };
  const rules = await api.listOrNone(call, 'listFirewallRules', parameters, 'firewallrule', firewallRuleShape);
  return rules.filter((rule) => rule.protocol.toLowerCase() === 'tcp' && !isLeaving(rule));
}

function covers(rule: FirewallRuleShape, spec: { port: number; cidrs: readonly string[] }): boolean {
  const start = rule.startport ?? 1;
  const end = rule.endport ?? start;
  const open = rule.cidrlist.split(',');
  return start <= spec.port && spec.port <= end && spec.cidrs.every((cidr) => open.includes(cidr));
}

/** Our own rule of this very port with other sources would make the new one a conflict (537). */
async function removeOtherwiseOpen(
  api: Api,
  call: CallContext,
  spec: { addressId: string; port: number },
): Promise<void> {
  const rules = await firewallRules(api, call, spec.addressId);
  for (const rule of rules.filter((each) => each.startport === spec.port && each.endport === spec.port)) {
    await api.job(call, 'deleteFirewallRule', { id: rule.id });
  }
}
