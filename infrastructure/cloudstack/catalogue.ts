import { z } from 'zod';
import type { Network } from '@/domain/cloud-catalogue';
import type { Cloud } from '@/infrastructure/cloud';
import type { Parameters } from '@/infrastructure/signature';
import type { Api } from './api';
import { headroom } from './headroom';
import {
  isLeaving,
  isoShape,
  networkOfferingShape,
  networkShape,
  offeringShape,
  templateShape,
  zoneShape,
} from './shapes';

type Catalogue = Pick<
  Cloud,
  | 'listZones'
  | 'listOfferings'
  | 'listTemplates'
  | 'listIsos'
  | 'listNetworkOfferings'
  | 'listNetworks'
  | 'listSshKeyPairs'
  | 'headroom'
>;

/** Reads only. `listall` is sent because an admin key sees only its own things without it (A.5). */
export function catalogue(api: Api): Catalogue {
  return {
    listZones: async (call) => {
      const zones = await api.list(call, 'listZones', {}, 'zone', zoneShape);
      return zones.map((zone) => ({ id: zone.id, name: zone.name, enabled: zone.allocationstate === 'Enabled' }));
    },
    listOfferings: async (call) => {
      const offerings = await api.list(call, 'listServiceOfferings', {}, 'serviceoffering', offeringShape);
      return offerings.map(({ id, name, cpunumber, cpuspeed, memory, iscustomized }) => ({
        id,
        name,
        cpuCount: cpunumber,
        cpuSpeedMhz: cpuspeed,
        memoryMb: memory,
        custom: iscustomized,
      }));
    },
    listTemplates: async (call) => {
      const templates = await api.list(
        call,
        'listTemplates',
        { templatefilter: 'executable' },
        'template',
        templateShape,
      );
      return templates.map((template) => ({
        id: template.id,
        name: template.name,
        ready: template.isready,
        zoneId: template.zoneid ?? null,
        forKubernetes: template.forcks,
        isPublic: template.ispublic,
      }));
    },
    listIsos: async (call) => {
      const isos = await api.list(call, 'listIsos', { isofilter: 'executable' }, 'iso', isoShape);
      return isos.map((iso) => ({ id: iso.id, name: iso.name, ready: iso.isready, zoneId: iso.zoneid ?? null }));
    },
    listNetworkOfferings: async (call) => {
      const offerings = await api.list(call, 'listNetworkOfferings', {}, 'networkoffering', networkOfferingShape);
      return offerings.map((offering) => ({
        id: offering.id,
        name: offering.name,
        enabled: offering.state === 'Enabled',
        guestType: offering.guestiptype,
        egressAllowed: offering.egressdefaultpolicy,
        forVpc: offering.forvpc,
        services: offering.service.map((service) => service.name),
      }));
    },
    listNetworks: async (call, filter) => {
      const parameters = { listall: 'true', ...networkFilter(filter) };
      const networks = await api.listOrNone(call, 'listNetworks', parameters, 'network', networkShape);
      // Before 4.22 the name was not looked at.
      return networks.filter((each) => !isLeaving(each) && (filter.name ?? each.name) === each.name).map(toNetwork);
    },
    listSshKeyPairs: async (call) => {
      const pairs = await api.list(call, 'listSSHKeyPairs', {}, 'sshkeypair', z.object({ name: z.string() }));
      return pairs.map((pair) => pair.name);
    },
    headroom: (call) => headroom(api, call),
  };
}

function networkFilter(filter: { zoneId?: string; name?: string; id?: string }): Parameters {
  return {
    ...(filter.zoneId === undefined ? {} : { zoneid: filter.zoneId }),
    ...(filter.name === undefined ? {} : { name: filter.name }),
    ...(filter.id === undefined ? {} : { id: filter.id }),
  };
}

/** Networks that are not isolated have no egress rules. */
export function toNetwork(network: z.infer<typeof networkShape>): Network {
  return {
    id: network.id,
    name: network.name,
    zoneId: network.zoneid,
    state: network.state,
    cidr: network.cidr ?? null,
    egressAllowed: network.egressdefaultpolicy ?? (network.type !== '' && network.type !== 'Isolated'),
  };
}
