import { z } from 'zod';
import type { CallContext, Cloud } from '@/infrastructure/cloud';
import { firewallRules } from './addresses';
import type { Api } from './api';
import { reach } from './reach';
import { isLeaving, loadBalancerRuleShape } from './shapes';

type LoadBalancing = Pick<Cloud, 'ensureLoadBalancerRule' | 'ensureAssigned' | 'ensureUnassigned' | 'deleteRules'>;
type RuleShape = z.infer<typeof loadBalancerRuleShape>;

const done = true;

export function loadBalancing(api: Api): LoadBalancing {
  return {
    ensureLoadBalancerRule: async (call, spec) => {
      const rule = await reach(call, {
        command: 'createLoadBalancerRule',
        // By name too: where port 6443 is not free the cloud may have given the rule another one.
        look: async () => {
          const rules = await rulesOf(api, call, spec.addressId);
          return (
            rules.find((each) => each.publicport === spec.publicPort) ??
            rules.find((each) => each.name === spec.name) ??
            null
          );
        },
        act: () =>
          api.create(call, 'createLoadBalancerRule', {
            name: spec.name,
            algorithm: 'roundrobin',
            publicport: String(spec.publicPort),
            privateport: String(spec.privatePort),
            publicipid: spec.addressId,
            networkid: spec.networkId,
            protocol: 'tcp',
            // The firewall rule is a step of its own, which can be seen and repeated.
            openfirewall: 'false',
          }),
      });
      return { id: rule.id, publicPort: rule.publicport, privatePort: rule.privateport };
    },
    ensureAssigned: async (call, spec) => {
      await reach(call, {
        command: 'assignToLoadBalancerRule',
        look: async () => ((await assigned(api, call, spec.ruleId)).includes(spec.machineId) ? done : null),
        act: () => api.job(call, 'assignToLoadBalancerRule', { id: spec.ruleId, virtualmachineids: spec.machineId }),
      });
    },
    ensureUnassigned: async (call, spec) => {
      await reach(call, {
        command: 'removeFromLoadBalancerRule',
        look: async () => ((await assigned(api, call, spec.ruleId)).includes(spec.machineId) ? null : done),
        act: () => api.job(call, 'removeFromLoadBalancerRule', { id: spec.ruleId, virtualmachineids: spec.machineId }),
      });
    },
    deleteRules: async (call, spec) => {
      for (const rule of (await rulesOf(api, call, spec.addressId)).filter((each) => each.publicport === spec.port)) {
        await deleteOne(api, call, 'deleteLoadBalancerRule', rule.id, () => rulesOf(api, call, spec.addressId));
      }
      const walls = await firewallRules(api, call, spec.addressId);
      for (const rule of walls.filter((each) => each.startport === spec.port && each.endport === spec.port)) {
        await deleteOne(api, call, 'deleteFirewallRule', rule.id, () => firewallRules(api, call, spec.addressId));
      }
    },
  };
}

async function deleteOne(
  api: Api,
  call: CallContext,
  command: string,
  id: string,
  list: () => Promise<readonly { id: string }[]>,
): Promise<void> {
  await reach(call, {
    command,
    look: async () => ((await list()).some((rule) => rule.id === id) ? null : done),
    act: () => api.job(call, command, { id }),
  });
}

/** None when the address is gone. */
async function rulesOf(api: Api, call: CallContext, addressId: string): Promise<RuleShape[]> {
  const parameters = { publicipid: addressId, listall: 'true' };
  const rules = await api.listOrNone(
    call,
    'listLoadBalancerRules',
    parameters,
    'loadbalancerrule',
    loadBalancerRuleShape,
  );
  return rules.filter((rule) => !isLeaving(rule));
}

/** The machines behind a rule; none when the rule is gone. */
async function assigned(api: Api, call: CallContext, ruleId: string): Promise<string[]> {
  const shape = z.object({ id: z.string() });
  const found = await api.listOrNone(
    call,
    'listLoadBalancerRuleInstances',
    { id: ruleId, listall: 'true' },
    'loadbalancerruleinstance',
    shape,
  );
  return found.map((machine) => machine.id);
}
