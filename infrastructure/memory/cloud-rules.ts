import type { Cloud } from '@/infrastructure/cloud';
import { cloudWords, notFound, refused } from './cloud-words';
import type { MemoryRule, World } from './world';

type RuleMethods = Pick<Cloud, 'ensureFirewallRule' | 'ensureLoadBalancerRule' | 'deleteRules'>;
type AssignmentMethods = Pick<Cloud, 'ensureAssigned' | 'ensureUnassigned'>;

export function ruleMethods(world: World): RuleMethods {
  const { acts } = world;
  const addressIp = (id: string) => world.addresses.get(id)?.ip ?? id;
  return {
    ensureFirewallRule: async (call, spec) => {
      const method = 'ensureFirewallRule';
      await acts.change(call, cloudWords, {
        method,
        subject: `${addressIp(spec.addressId)}:${spec.port}`,
        look: () => {
          assertAddress(world, method, spec.addressId);
          return firewallRulesOf(world, spec).some((rule) => spec.cidrs.every((cidr) => rule.cidrs.includes(cidr)))
            ? true
            : undefined;
        },
        change: () => {
          for (const rule of firewallRulesOf(world, spec)) world.firewallRules.delete(rule.id);
          const id = world.nextId();
          return world.firewallRules
            .set(id, { id, addressId: spec.addressId, port: spec.port, cidrs: spec.cidrs })
            .has(id);
        },
      });
    },
    ensureLoadBalancerRule: async (call, spec) => {
      const method = 'ensureLoadBalancerRule';
      const find = () =>
        [...world.rules.values()].find(
          (rule) => rule.addressId === spec.addressId && rule.publicPort === spec.publicPort,
        );
      const rule = await acts.change(call, cloudWords, {
        method,
        subject: spec.name,
        look: () => {
          assertAddress(world, method, spec.addressId);
          return find();
        },
        // A second one for the port would be a conflict (537), and looking again finds the first.
        change: () => {
          const made: MemoryRule = { id: world.nextId(), ...spec, machineIds: new Set() };
          const taken = find();
          if (taken === undefined) world.rules.set(made.id, made);
          return taken ?? made;
        },
      });
      return { id: rule.id, publicPort: rule.publicPort, privatePort: rule.privatePort };
    },
    deleteRules: async (call, spec) => {
      const own = () => ({
        balancing: [...world.rules.values()].filter(
          (rule) => rule.addressId === spec.addressId && rule.publicPort === spec.port,
        ),
        walls: firewallRulesOf(world, spec),
      });
      await acts.change(call, cloudWords, {
        method: 'deleteRules',
        subject: `${addressIp(spec.addressId)}:${spec.port}`,
        look: () => (own().balancing.length + own().walls.length === 0 ? true : undefined),
        change: () => {
          const { balancing, walls } = own();
          for (const rule of balancing) world.rules.delete(rule.id);
          for (const rule of walls) world.firewallRules.delete(rule.id);
          return true;
        },
      });
    },
  };
}

export function assignmentMethods(world: World): AssignmentMethods {
  const { acts } = world;
  return {
    ensureAssigned: async (call, spec) => {
      const method = 'ensureAssigned';
      await acts.change(call, cloudWords, {
        method,
        subject: world.machines.get(spec.machineId)?.name ?? spec.machineId,
        look: () => (ruleOf(world, method, spec.ruleId).machineIds.has(spec.machineId) ? true : undefined),
        change: () => {
          if (!world.machines.has(spec.machineId)) throw refused(method, 'the machine is not there to be assigned');
          return ruleOf(world, method, spec.ruleId).machineIds.add(spec.machineId).has(spec.machineId);
        },
      });
    },
    ensureUnassigned: async (call, spec) => {
      await acts.change(call, cloudWords, {
        method: 'ensureUnassigned',
        subject: world.machines.get(spec.machineId)?.name ?? spec.machineId,
        look: () => (world.rules.get(spec.ruleId)?.machineIds.has(spec.machineId) === true ? undefined : true),
        change: () => world.rules.get(spec.ruleId)?.machineIds.delete(spec.machineId) ?? true,
      });
    },
  };
}

function firewallRulesOf(world: World, spec: { addressId: string; port: number }) {
  return [...world.firewallRules.values()].filter(
    (rule) => rule.addressId === spec.addressId && rule.port === spec.port,
  );
}

function assertAddress(world: World, method: string, id: string): void {
  if (!world.addresses.has(id)) throw notFound(method, `address ${id}`);
}

function ruleOf(world: World, method: string, id: string): MemoryRule {
  const rule = world.rules.get(id);
  if (rule === undefined) throw notFound(method, `load balancer rule ${id}`);
  return rule;
}
