import type { Cloud } from '@/infrastructure/cloud';
import { headroom, toNetwork } from './cloud-catalogue';
import { cloudWords, notFound, overQuota, refused } from './cloud-words';
import { hasTags, withTags } from './tags';
import type { MemoryAddress, MemoryNetwork, World } from './world';

type NetworkMethods = Pick<
  Cloud,
  'ensureNetwork' | 'ensureAddress' | 'ensureEgress' | 'deleteNetwork' | 'releaseAddress'
>;

export function networkMethods(world: World): NetworkMethods {
  const { acts } = world;
  return {
    ensureNetwork: async (call, spec) => {
      const method = 'ensureNetwork';
      const find = () =>
        [...world.networks.values()].find((each) => each.name === spec.name && each.zoneId === spec.zoneId);
      let known: MemoryNetwork | undefined;
      const network = await acts.change(call, cloudWords, {
        method,
        subject: spec.name,
        look: () => {
          known = find();
          return known !== undefined && hasTags(known, spec.tags) ? known : undefined;
        },
        // Not looked for again: of two callers at once both make one, as in CloudStack, and both take the older.
        change: () => {
          if (known === undefined) createNetwork(world, spec);
          return withTags(find(), spec.tags);
        },
      });
      return toNetwork(world, network);
    },
    ensureAddress: async (call, spec) => {
      const find = () => {
        const own = [...world.addresses.values()].filter((each) => each.networkId === spec.networkId);
        return own.find((each) => each.id === spec.knownId) ?? own.find((each) => each.isSourceNat);
      };
      let known: MemoryAddress | undefined;
      const address = await acts.change(call, cloudWords, {
        method: 'ensureAddress',
        subject: networkOf(world, 'ensureAddress', spec.networkId).name,
        look: () => {
          known = find();
          return known !== undefined && hasTags(known, spec.tags) ? known : undefined;
        },
        change: () => withTags(known ?? allocateAddress(world, spec.networkId), spec.tags),
      });
      return { id: address.id, ip: address.ip, isSourceNat: address.isSourceNat };
    },
    ensureEgress: async (call, { networkId }) => {
      const network = networkOf(world, 'ensureEgress', networkId);
      await acts.change(call, cloudWords, {
        method: 'ensureEgress',
        subject: network.name,
        look: () => (network.egressAllowed || network.egressOpened ? true : undefined),
        change: () => {
          network.egressOpened = true;
          return true;
        },
      });
    },
    deleteNetwork: async (call, networkId) => {
      await acts.change(call, cloudWords, {
        method: 'deleteNetwork',
        subject: world.networks.get(networkId)?.name ?? networkId,
        look: () => (world.networks.has(networkId) ? undefined : true),
        change: () => {
          const inside = [...world.machines.values()].filter((each) => each.networkId === networkId);
          if (inside.length > 0) {
            throw refused(
              'deleteNetwork',
              `machines that were not expunged are in the network: ${inside.map((each) => each.name).join(', ')}`,
            );
          }
          for (const address of world.addresses.values())
            if (address.networkId === networkId) removeAddress(world, address.id);
          return world.networks.delete(networkId);
        },
      });
    },
    releaseAddress: async (call, addressId) => {
      await acts.change(call, cloudWords, {
        method: 'releaseAddress',
        subject: world.addresses.get(addressId)?.ip ?? addressId,
        look: () => (world.addresses.get(addressId)?.isSourceNat === false ? undefined : true),
        change: () => removeAddress(world, addressId),
      });
    },
  };
}

function createNetwork(world: World, spec: { name: string; zoneId: string; offeringId: string }): void {
  const method = 'ensureNetwork';
  const offering = world.catalogue.networkOfferings.find((each) => each.id === spec.offeringId);
  if (offering === undefined) throw notFound(method, `network offering ${spec.offeringId}`);
  if (!world.catalogue.zones.some((each) => each.id === spec.zoneId)) throw notFound(method, `zone ${spec.zoneId}`);
  if (headroom(world).networks === 0) throw overQuota(method, 'network');
  const number = world.networks.size + 1;
  const id = world.nextId();
  world.networks.set(id, {
    id,
    name: spec.name,
    zoneId: spec.zoneId,
    offeringId: spec.offeringId,
    cidr: `10.1.${number}.0/24`,
    egressAllowed: offering.egressAllowed,
    egressOpened: false,
    tags: new Map(),
  });
}

/** The first address of a network is its source NAT address. */
function allocateAddress(world: World, networkId: string): MemoryAddress {
  if (headroom(world).addresses === 0) throw overQuota('ensureAddress', 'public_ip');
  const id = world.nextId();
  const address = {
    id,
    ip: `203.0.113.${Number(id.slice(-6)) % 256}`,
    networkId,
    isSourceNat: ![...world.addresses.values()].some((each) => each.networkId === networkId),
    tags: new Map<string, string>(),
  };
  world.addresses.set(id, address);
  return address;
}

function removeAddress(world: World, addressId: string): boolean {
  for (const rule of world.rules.values()) if (rule.addressId === addressId) world.rules.delete(rule.id);
  for (const rule of world.firewallRules.values())
    if (rule.addressId === addressId) world.firewallRules.delete(rule.id);
  return world.addresses.delete(addressId);
}

function networkOf(world: World, method: string, id: string): MemoryNetwork {
  const network = world.networks.get(id);
  if (network === undefined) throw notFound(method, `network ${id}`);
  return network;
}
