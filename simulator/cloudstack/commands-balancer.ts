/** Load balancer rules and the machines behind them. */

import { latencyMs } from '@/simulator/core/latency';
import type { BalancerRule } from '@/simulator/core/model';
import { create, fields, ruleView } from './balancer-rules';
import type { Call, Command, Outcome } from './command';
import { removeRecord } from './commands-networks';
import { ApiError, invalid } from './errors';
import { hasAskedTags, hasKeyword, isAsked, isVisible, listAnswer, mayUse } from './paging';
import { type Args, flag, idOf, integer, listOf, listParameters, map, required, text } from './parameters';
import { machineView } from './views';

function findRule(call: Call, args: Args): BalancerRule {
  const rule = call.world.records.get('balancer', args.must('id'));
  if (rule === undefined) throw invalid(`Unable to find load balancer rule by id ${args.must('id')}`);
  if (!mayUse(call, rule.account)) throw new ApiError(531, 4365, 'Permission denied');
  return rule;
}

/** A job on a rule that ends in `success`. */
function ruleJob(call: Call, rule: BalancerRule, work: () => string): Outcome {
  const { world } = call;
  return {
    kind: 'job',
    instanceType: 'LoadBalancerRule',
    instanceId: rule.id,
    work: async (run) => {
      await run.sleep(world.random.jitter(latencyMs.rule));
      const detail = work();
      world.changed();
      world.effect(detail, run.origin, { id: rule.id, name: rule.name, machines: rule.machineIds.join(',') });
      return { success: true };
    },
  };
}

function assign(call: Call, args: Args): Outcome {
  const rule = findRule(call, args);
  const mapped = args.maps('vmidipmap').flatMap((entry) => entry['vmid'] ?? []);
  const ids = [...(args.list('virtualmachineids') ?? []), ...mapped];
  if (ids.length === 0) throw invalid('Either virtualmachineids or vmidipmap must be given');
  return ruleJob(call, rule, () => {
    for (const id of ids) {
      const machine = call.world.records.get('machine', id);
      if (machine === undefined || machine.state === 'Destroyed' || machine.state === 'Expunging')
        throw invalid(`Unable to find a virtual machine with id ${id} to assign`);
      if (rule.machineIds.includes(id))
        throw invalid(`VM ${machine.name} is already mapped to load balancer rule ${rule.name}`);
      if (machine.networkId !== rule.networkId) throw invalid(`VM ${machine.name} is not in the rule's network`);
    }
    rule.machineIds = [...rule.machineIds, ...ids];
    call.world.records.save('balancer', rule);
    return 'machines assigned';
  });
}

function unassign(call: Call, args: Args): Outcome {
  const rule = findRule(call, args);
  const ids = args.list('virtualmachineids') ?? [];
  if (ids.length === 0) throw invalid('virtualmachineids must be given');
  return ruleJob(call, rule, () => {
    const stranger = ids.find((id) => !rule.machineIds.includes(id));
    if (stranger !== undefined) throw invalid(`VM ${stranger} is not mapped to load balancer rule ${rule.name}`);
    rule.machineIds = rule.machineIds.filter((id) => !ids.includes(id));
    call.world.records.save('balancer', rule);
    return 'machines unassigned';
  });
}

function remove(call: Call, args: Args): Outcome {
  const rule = findRule(call, args);
  return ruleJob(call, rule, () => {
    removeRecord(call.world, 'balancer', rule.id);
    return 'load balancer rule deleted';
  });
}

function list(call: Call, args: Args): Outcome {
  const machineId = args.text('virtualmachineid');
  const found = call.world.records
    .all('balancer')
    .filter(
      (rule) =>
        isVisible(call, args, rule.account) &&
        isAsked(args, 'id', rule.id) &&
        isAsked(args, 'publicipid', rule.addressId) &&
        isAsked(args, 'name', rule.name) &&
        isAsked(args, 'networkid', rule.networkId) &&
        (machineId === undefined || rule.machineIds.includes(machineId)) &&
        hasKeyword(args, rule.name) &&
        hasAskedTags(call, args, rule.id),
    );
  return listAnswer(args, 'loadbalancerrule', found, (rule) => ruleView(call.world, rule));
}

function listInstances(call: Call, args: Args): Outcome {
  const rule = findRule(call, args);
  const machines = call.world.records
    .all('machine')
    .filter(
      (machine) =>
        rule.machineIds.includes(machine.id) === (args.flag('applied') ?? true) && machine.networkId === rule.networkId,
    );
  const view = (machine: (typeof machines)[number]) => machineView(call.world, call.caller, machine);
  if (args.flag('lbvmips') === true) {
    return listAnswer(args, 'lbrulevmidip', machines, (machine) => ({
      loadbalancerruleinstance: view(machine),
      lbvmipaddresses: [machine.ip],
    }));
  }
  return listAnswer(args, 'loadbalancerruleinstance', machines, view);
}

const ruleId = { id: required(idOf('balancer')) };

const success = ['success', 'displaytext'];

export const balancerCommands: readonly Command[] = [
  {
    name: 'createLoadBalancerRule',
    description: 'Creates a load balancer rule',
    kind: 'create',
    parameters: {
      name: required(text()),
      algorithm: required(text()),
      publicport: required(integer()),
      privateport: required(integer()),
      publicipid: idOf('address'),
      networkid: idOf('network'),
      protocol: text(),
      openfirewall: flag(),
      cidrlist: listOf(),
      description: text(4_096),
      account: text(),
      domainid: idOf(),
      zoneid: idOf('zone'),
    },
    fields,
    run: create,
  },
  {
    name: 'listLoadBalancerRules',
    description: 'Lists load balancer rules.',
    kind: 'sync',
    parameters: {
      ...listParameters,
      id: idOf('balancer'),
      publicipid: idOf('address'),
      name: text(),
      networkid: idOf('network'),
      virtualmachineid: idOf('machine'),
      zoneid: idOf('zone'),
    },
    fields,
    run: list,
  },
  {
    name: 'deleteLoadBalancerRule',
    description: 'Deletes a load balancer rule.',
    kind: 'async',
    parameters: ruleId,
    fields: success,
    run: remove,
  },
  {
    name: 'assignToLoadBalancerRule',
    description: 'Assigns virtual machine or a list of virtual machines to a load balancer rule.',
    kind: 'async',
    parameters: { ...ruleId, virtualmachineids: listOf('machine'), vmidipmap: map() },
    fields: success,
    run: assign,
  },
  {
    name: 'removeFromLoadBalancerRule',
    description: 'Removes a virtual machine or a list of virtual machines from a load balancer rule.',
    kind: 'async',
    parameters: { ...ruleId, virtualmachineids: listOf('machine'), vmidipmap: map() },
    fields: success,
    run: unassign,
  },
  {
    name: 'listLoadBalancerRuleInstances',
    description: 'List all virtual machine instances that are assigned to a load balancer rule.',
    kind: 'sync',
    parameters: { ...listParameters, ...ruleId, lbvmips: flag(), applied: flag() },
    fields: ['loadbalancerruleinstance', 'lbvmipaddresses'],
    run: listInstances,
  },
];
