import { type CallContext, type Cloud, CloudError } from '@/infrastructure/cloud';
import type { Api } from './api';
import { toNetwork } from './catalogue';
import { listAllMachines } from './machine-lists';
import { reach } from './reach';
import { firewallRuleShape, isLeaving, networkShape } from './shapes';
import { ensureTags } from './tags';

type Networks = Pick<Cloud, 'ensureNetwork' | 'ensureEgress' | 'deleteNetwork'>;

const done = true;

export function networks(api: Api): Networks {
  return {
    ensureNetwork: async (call, spec) => {
      const found = await reach(call, {
        command: 'createNetwork',
        look: () => oldestNetwork(api, call, spec),
        act: () =>
          api.change(call, 'createNetwork', {
            name: spec.name,
            displaytext: spec.name,
            networkofferingid: spec.offeringId,
            zoneid: spec.zoneId,
          }),
      });
      await ensureTags(api, call, { type: 'Network', id: found.id, tags: found.tags }, spec.tags);
      return toNetwork(found);
    },
    ensureEgress: async (call, { networkId }) => {
      const [network] = await networkById(api, call, networkId);
      if (network === undefined)
        throw new CloudError('not-found', `there is no network ${networkId}`, { command: 'listNetworks' });
      if (toNetwork(network).egressAllowed) return;
      await reach(call, {
        command: 'createEgressFirewallRule',
        look: async () => {
          const rules = await api.list(
            call,
            'listEgressFirewallRules',
            { networkid: networkId, listall: 'true' },
            'firewallrule',
            firewallRuleShape,
          );
          return rules.some((rule) => rule.protocol.toLowerCase() === 'all' && !isLeaving(rule)) ? done : null;
        },
        act: () => api.create(call, 'createEgressFirewallRule', { networkid: networkId, protocol: 'all' }),
      });
    },
    deleteNetwork: async (call, networkId) => {
      await reach(call, {
        command: 'deleteNetwork',
        look: async () => ((await networkById(api, call, networkId)).length === 0 ? done : null),
        act: async () => {
          await refuseWhileUsed(api, call, networkId);
          await api.job(call, 'deleteNetwork', { id: networkId }, 'long');
        },
      });
    },
  };
}

/** Names are not unique among networks; of two the older is the cluster's, whoever made the other. */
async function oldestNetwork(api: Api, call: CallContext, spec: { name: string; zoneId: string }) {
  const parameters = { name: spec.name, zoneid: spec.zoneId, listall: 'true' };
  const found = await api.list(call, 'listNetworks', parameters, 'network', networkShape);
  const usable = found.filter((network) => network.name === spec.name && !isLeaving(network));
  return usable.sort((a, b) => Date.parse(a.created) - Date.parse(b.created) || a.id.localeCompare(b.id))[0] ?? null;
}

async function networkById(api: Api, call: CallContext, id: string) {
  const found = await api.listOrNone(call, 'listNetworks', { id, listall: 'true' }, 'network', networkShape);
  return found.filter((network) => network.state !== 'Destroy');
}

/** The job would fail with 530, which reads like an accident; a machine in the network is none. */
async function refuseWhileUsed(api: Api, call: CallContext, networkId: string): Promise<void> {
  const machines = await listAllMachines(api, call, { networkid: networkId });
  if (machines.length === 0) return;
  const names = machines.map((machine) => machine.name).join(', ');
  throw new CloudError('refused', `machines that were not expunged are in the network: ${names}`, {
    command: 'deleteNetwork',
  });
}
