import { versionById } from '@/db/catalogue';
import type { ClusterFacts } from '@/db/clusters';
import type { Actor } from '@/domain/actor';
import { autoscaleIssue } from '@/domain/autoscaler';
import type { NodeRole } from '@/domain/nodes';
import { isJoining } from '@/domain/plan-steps';
import type { FieldIssue } from '@/domain/refusals';
import { type AutoscaleInput, limits, type ScaleInput } from '@/domain/requests';
import { compareVersions } from '@/domain/versions';
import { catalogue, looseCall } from './catalogue';
import { type ChangeCheck, type Checked, invalid } from './check-outcome';

/** Autoscaling is supported from here on; compared as a version, not as text (an oddity of CKS that is not copied). */
const autoscaleFrom = '1.15.0';

export async function checkScale(
  worker: Checked,
  facts: ClusterFacts,
  input: ScaleInput,
  { actor, signal }: { actor: Actor; signal: AbortSignal },
): Promise<ChangeCheck> {
  const { cluster, nodes } = facts;
  if (actor.kind === 'autoscaler') {
    const { autoscaleEnabled: enabled, workerCount, minSize, maxSize } = cluster;
    const wanted = input.workerCount ?? workerCount - (input.nodeIds?.length ?? 0);
    const issue = autoscaleIssue({ enabled, workerCount, minSize, maxSize }, wanted);
    if (issue !== null) return invalid(input.nodeIds === undefined ? 'workerCount' : 'nodeIds', issue);
  }
  if (input.nodeIds !== undefined) {
    if (input.workerCount !== undefined || input.workerOfferingId !== undefined) {
      return invalid('nodeIds', 'Choose nodes, or a size and offering, not both.');
    }
    return checkNodeChoice(facts, input.nodeIds);
  }
  if (cluster.autoscaleEnabled && input.workerCount !== undefined && actor.kind !== 'autoscaler') {
    return invalid('workerCount', 'Autoscaling decides the size. Turn it off first, or change its bounds.');
  }
  const changes = { control: input.controlOfferingId, worker: input.workerOfferingId, etcd: input.etcdOfferingId };
  const present = {
    control: cluster.controlOfferingId,
    worker: cluster.workerOfferingId,
    etcd: cluster.etcdOfferingId,
  };
  const changed = (['control', 'worker', 'etcd'] as const).filter(
    (role) =>
      changes[role] !== undefined &&
      (changes[role] !== present[role] ||
        nodes.some((node) => node.role === role && !node.external && node.offeringId !== changes[role])),
  );
  const size = input.workerCount ?? cluster.workerCount;
  const workers = nodes.filter((node) => node.role === 'worker' && !isJoining(node));
  const added = workers.filter((node) => node.external).length;
  if (size < added) return invalid('workerCount', `${added} added machines count too; they leave by Remove nodes.`);
  // An earlier growth broke off, before or after its rows were written: asking for the same size again completes it.
  const unfinished = workers.length < cluster.workerCount || workers.some((node) => node.stage !== 'ready');
  const sizeChanges = size !== cluster.workerCount || (input.workerCount !== undefined && unfinished);
  if (changed.length === 0 && !sizeChanges)
    return { kind: 'nothing-to-do', message: 'Nothing would change: size and offerings are as asked already.' };
  if (sizeChanges && cluster.state === 'Stopped')
    return invalid('workerCount', 'The size of a stopped cluster cannot change. Start it first.');
  const total = cluster.controlCount + size + cluster.etcdCount;
  if (total > limits.maxNodes)
    return invalid('workerCount', `${total} nodes in all; at most ${limits.maxNodes} are allowed.`);
  const issues = await offeringIssues(
    worker,
    facts,
    changed.map((role) => ({ role, id: changes[role] ?? '' })),
    signal,
  );
  if (issues.length > 0) return { kind: 'invalid', issues };
  const more = size - cluster.workerCount;
  if (more > 0) {
    const left = await worker.cloud.headroom(looseCall(signal, 'headroom'));
    if (left.machines !== null && more > left.machines)
      return invalid('workerCount', `Needs ${more} machines; the account may take ${left.machines} more.`);
  }
  return { kind: 'fine', direction: more < 0 ? 'down' : 'up' };
}

function checkNodeChoice(facts: ClusterFacts, nodeIds: readonly string[]): ChangeCheck {
  if (facts.cluster.state === 'Stopped')
    return invalid('nodeIds', 'The size of a stopped cluster cannot change. Start it first.');
  const chosen = facts.nodes.filter((node) => nodeIds.includes(node.id));
  if (chosen.length !== nodeIds.length) return invalid('nodeIds', 'Some of these nodes are not in the cluster.');
  if (chosen.some((node) => node.role !== 'worker'))
    return invalid('nodeIds', 'Only workers can be taken away by a scale.');
  if (chosen.some((node) => node.external))
    return invalid('nodeIds', 'Added machines leave by Remove nodes, not by a scale.');
  if (facts.cluster.workerCount - chosen.length < 1) return invalid('nodeIds', 'At least one worker must stay.');
  if (facts.cluster.autoscaleEnabled && facts.cluster.workerCount - chosen.length < (facts.cluster.minSize ?? 1)) {
    return invalid('nodeIds', `Autoscaling keeps at least ${facts.cluster.minSize} workers.`);
  }
  return { kind: 'fine', direction: 'down' };
}

async function offeringIssues(
  worker: Checked,
  facts: ClusterFacts,
  wanted: readonly { role: NodeRole; id: string }[],
  signal: AbortSignal,
): Promise<FieldIssue[]> {
  if (wanted.length === 0) return [];
  const { offerings } = await catalogue(worker, signal);
  const version = await versionById(worker.db, facts.cluster.kubernetesVersionId);
  const present = {
    control: facts.cluster.controlOfferingId,
    worker: facts.cluster.workerOfferingId,
    etcd: facts.cluster.etcdOfferingId,
  };
  return wanted.flatMap(({ role, id }) => {
    const field = `${role}OfferingId`;
    const offering = offerings.find((each) => each.id === id);
    if (offering === undefined) return [{ field, message: 'There is no such offering.' }];
    if (offering.custom) return [{ field, message: `${offering.name} has no fixed size; clusters need one that has.` }];
    const minCpus = Math.max(limits.minOfferingCpuCount, version?.minCpuCount ?? 0);
    const minMemory = Math.max(limits.minOfferingMemoryMb, version?.minMemoryMb ?? 0);
    if (offering.cpuCount < minCpus || offering.memoryMb < minMemory) {
      return [{ field, message: `${offering.name} is too small: at least ${minCpus} CPUs and ${minMemory} MB.` }];
    }
    const now = offerings.find((each) => each.id === present[role]);
    const shrinks =
      now !== undefined &&
      (offering.memoryMb < now.memoryMb || offering.cpuCount * offering.cpuSpeedMhz < now.cpuCount * now.cpuSpeedMhz);
    if (shrinks && facts.cluster.state !== 'Stopped' && facts.cluster.state !== 'Created') {
      return [{ field, message: `${offering.name} is smaller than ${now.name}; stop the cluster first.` }];
    }
    return [];
  });
}

export function checkAutoscale(facts: ClusterFacts, input: AutoscaleInput): ChangeCheck {
  const { cluster } = facts;
  if (!input.enabled && !cluster.autoscaleEnabled)
    return { kind: 'nothing-to-do', message: 'Autoscaling is off already.' };
  if (!input.enabled) return { kind: 'fine', direction: 'up' };
  if (compareVersions(facts.version, autoscaleFrom) < 0)
    return invalid('enabled', `Autoscaling needs Kubernetes ${autoscaleFrom} or later.`);
  const { minSize = 0, maxSize = 0 } = input;
  if (maxSize + cluster.controlCount + cluster.etcdCount > limits.maxNodes) {
    const most = limits.maxNodes - cluster.controlCount - cluster.etcdCount;
    return invalid('maxSize', `At most ${most} workers beside its other nodes.`);
  }
  const same = cluster.autoscaleEnabled && cluster.minSize === minSize && cluster.maxSize === maxSize;
  return same
    ? { kind: 'nothing-to-do', message: 'Nothing would change: these are its bounds already.' }
    : { kind: 'fine', direction: 'up' };
}
