import type { Network } from '@/domain/cloud-catalogue';
import type { CallContext, Cloud, Headroom } from '@/infrastructure/cloud';
import { cloudWords, notFound } from './cloud-words';
import type { MemoryNetwork, World } from './world';

type CatalogueMethods = Pick<
  Cloud,
  | 'listZones'
  | 'listOfferings'
  | 'listTemplates'
  | 'listIsos'
  | 'listNetworkOfferings'
  | 'listNetworks'
  | 'listSshKeyPairs'
  | 'headroom'
  | 'ensureTemplatePermission'
>;

export function catalogueMethods(world: World): CatalogueMethods {
  const { acts, catalogue } = world;
  const read = <T>(call: CallContext, method: string, look: () => T) =>
    acts.read(call, cloudWords, { method, subject: '', look });
  return {
    listZones: (call) => read(call, 'listZones', () => [...catalogue.zones]),
    listOfferings: (call) => read(call, 'listOfferings', () => [...catalogue.offerings]),
    listTemplates: (call) => read(call, 'listTemplates', () => [...catalogue.templates]),
    listIsos: (call) =>
      read(call, 'listIsos', () => catalogue.isos.map(({ id, name, ready, zoneId }) => ({ id, name, ready, zoneId }))),
    listNetworkOfferings: (call) => read(call, 'listNetworkOfferings', () => [...catalogue.networkOfferings]),
    listSshKeyPairs: (call) => read(call, 'listSshKeyPairs', () => [...catalogue.sshKeyPairs]),
    listNetworks: (call, filter) =>
      read(call, 'listNetworks', () =>
        [...world.networks.values()]
          .filter((each) => (filter.id ?? each.id) === each.id)
          .filter((each) => (filter.name ?? each.name) === each.name)
          .filter((each) => (filter.zoneId ?? each.zoneId) === each.zoneId)
          .map((each) => toNetwork(world, each)),
      ),
    headroom: (call) => read(call, 'headroom', () => headroom(world)),
    ensureTemplatePermission: (call, templateId) =>
      acts
        .change(call, cloudWords, {
          method: 'ensureTemplatePermission',
          subject: templateId,
          look: () => {
            const template = catalogue.templates.find((each) => each.id === templateId);
            if (template === undefined) throw notFound('ensureTemplatePermission', `template ${templateId}`);
            return template.isPublic || world.permittedTemplates.has(templateId) ? true : undefined;
          },
          change: () => world.permittedTemplates.add(templateId) !== undefined,
        })
        .then(() => undefined),
  };
}

export function toNetwork(world: World, network: MemoryNetwork): Network {
  const used = [...world.machines.values()].some(
    (machine) => machine.networkId === network.id && machine.state === 'running',
  );
  return {
    id: network.id,
    name: network.name,
    zoneId: network.zoneId,
    state: used ? 'Implemented' : 'Allocated',
    cidr: network.cidr,
    egressAllowed: network.egressAllowed,
  };
}

/** `world.limits` are the account's limits; what is left depends on what there is. */
export function headroom(world: World): Headroom {
  const machines = [...world.machines.values()];
  const offeringOf = (id: string) => world.catalogue.offerings.find((each) => each.id === id);
  const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used));
  const total = (of: 'cpuCount' | 'memoryMb') =>
    machines.reduce((sum, each) => sum + (offeringOf(each.offeringId)?.[of] ?? 0), 0);
  return {
    machines: left(world.limits.machines, machines.length),
    cpus: left(world.limits.cpus, total('cpuCount')),
    memoryMb: left(world.limits.memoryMb, total('memoryMb')),
    addresses: left(world.limits.addresses, world.addresses.size),
    networks: left(world.limits.networks, world.networks.size),
  };
}
