import { listVersions, versionById } from '@/db/catalogue';
import { type ClusterFacts, clusterFacts, clusterOfMachine } from '@/db/clusters';
import type { Actor } from '@/domain/actor';
import { autoscaleIssue } from '@/domain/autoscaler';
import type { NodeRole } from '@/domain/nodes';
import type { OperationKind } from '@/domain/operations';
import { isJoining } from '@/domain/plan-steps';
import type { FieldIssue } from '@/domain/refusals';
import {
  type AddNodesInput,
  type AutoscaleInput,
  limits,
  type RemoveNodesInput,
  type ScaleInput,
  type UpgradeInput,
} from '@/domain/requests';
import { canUpgrade, compareVersions } from '@/domain/versions';
import { tagKeys } from '@/infrastructure/bootstrap/names';
import { CloudError, type Machine } from '@/infrastructure/cloud';
import { catalogue, looseCall } from './catalogue';
import type { WorkerContext } from './context';

const checkMs = 5_000;
/** Autoscaling is supported from here on; compared as a version, not as text (an oddity of CKS that is not copied). */
const autoscaleFrom = '1.15.0';

export type ChangeCheck =
  | { readonly kind: 'fine'; readonly direction: 'up' | 'down' }
  | { readonly kind: 'invalid'; readonly issues: readonly FieldIssue[] }
  | { readonly kind: 'nothing-to-do'; readonly message: string }
  /** Something outside the cluster stands in the way. */
  | { readonly kind: 'blocked'; readonly message: string }
  | { readonly kind: 'cloud'; readonly message: string };

type Checked = Pick<WorkerContext, 'db' | 'cloud'>;

/**
 * What a change must be beyond its schema (cluster-semantics 2.4 to 2.7): against what is recorded, and, bounded to five seconds, against
 * the cloud. Changes nothing. Undefined: there is no such cluster.
 */
export async function checkChange(
  worker: Checked,
  request: { kind: OperationKind; clusterId: string; input: Readonly<Record<string, unknown>> },
  actor: Actor,
): Promise<ChangeCheck | undefined> {
  const facts = await clusterFacts(worker.db, request.clusterId);
  if (facts === undefined) return undefined;
  const signal = AbortSignal.timeout(checkMs);
  try {
    switch (request.kind) {
      case 'scale':
        return await checkScale(worker, facts, request.input as ScaleInput, { actor, signal });
      case 'autoscale':
        return checkAutoscale(facts, request.input as AutoscaleInput);
      case 'upgrade':
        return await checkUpgrade(worker, facts, request.input as UpgradeInput, signal);
      case 'add-nodes':
        return await checkAddNodes(worker, facts, request.input as AddNodesInput, signal);
      case 'remove-nodes':
        return checkRemoveNodes(facts, request.input as RemoveNodesInput);
      case 'delete':
        return await checkDelete(worker, facts, signal);
      default:
        return { kind: 'fine', direction: 'up' };
    }
  } catch (error) {
    if (error instanceof CloudError)
      return { kind: 'cloud', message: `The cloud could not be asked: ${error.message} Nothing was changed.` };
    if (signal.aborted)
      return { kind: 'cloud', message: `The cloud did not answer within ${checkMs / 1000} s. Nothing was changed.` };
    throw error;
  }
}

function invalid(field: string, message: string): ChangeCheck {
  return { kind: 'invalid', issues: [{ field, message }] };
}

async function checkScale(
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
  const unfinished = nodes.some((node) => node.role === 'worker' && !node.external && node.stage !== 'ready');
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

function checkAutoscale(facts: ClusterFacts, input: AutoscaleInput): ChangeCheck {
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

async function checkUpgrade(
  worker: Checked,
  facts: ClusterFacts,
  input: UpgradeInput,
  signal: AbortSignal,
): Promise<ChangeCheck> {
  const field = 'kubernetesVersionId';
  const version = (await listVersions(worker.db)).find((each) => each.id === input.kubernetesVersionId);
  if (version === undefined) return invalid(field, 'There is no such version.');
  if (!version.enabled) return invalid(field, `Version ${version.version} is disabled.`);
  if (version.zoneId !== null && version.zoneId !== facts.cluster.zoneId)
    return invalid(field, `Version ${version.version} is offered in another zone only.`);
  const behind = facts.nodes.filter(
    (node) => node.role !== 'etcd' && !node.manualUpgrade && !isJoining(node) && node.version !== version.version,
  );
  if (version.version === facts.version && behind.length === 0) {
    return { kind: 'nothing-to-do', message: `Every node has ${version.version} already.` };
  }
  const answer = canUpgrade(facts.version, version.version);
  if (answer !== 'fine' && behind.length === 0) return invalid(field, answer);
  if (answer !== 'fine' && version.version !== facts.version) return invalid(field, answer);
  const { isos } = await catalogue(worker, signal);
  const iso = isos.find((each) => each.id === version.isoId);
  if (iso === undefined || !iso.ready) return invalid(field, `The binaries ISO of ${version.version} is not ready.`);
  return { kind: 'fine', direction: 'up' };
}

async function checkAddNodes(
  worker: Checked,
  facts: ClusterFacts,
  input: AddNodesInput,
  signal: AbortSignal,
): Promise<ChangeCheck> {
  const field = 'machineIds';
  const total =
    facts.cluster.controlCount + facts.cluster.workerCount + facts.cluster.etcdCount + input.machineIds.length;
  if (total > limits.maxNodes) return invalid(field, `${total} nodes in all; at most ${limits.maxNodes} are allowed.`);
  const call = looseCall(signal, 'check add-nodes');
  const templates = (await catalogue(worker, signal)).templates;
  for (const id of input.machineIds) {
    const machine = await worker.cloud.getMachine(call, id);
    if (machine === null) return invalid(field, 'One of these machines is not in the cloud.');
    if (machine.networkId !== facts.cluster.networkId)
      return invalid(field, `${machine.name} is not in the cluster's network.`);
    const template = templates.find((each) => each.id === machine.templateId);
    if (template?.forKubernetes !== true)
      return invalid(field, `${machine.name} was made from a template that is not marked for Kubernetes.`);
    const owner = await clusterOfMachine(worker.db, id);
    const resumes = owner?.clusterId === facts.cluster.id && owner.joining;
    if (owner !== undefined && !resumes) return invalid(field, `${machine.name} is a node of ${owner.name} already.`);
  }
  return { kind: 'fine', direction: 'up' };
}

function checkRemoveNodes(facts: ClusterFacts, input: RemoveNodesInput): ChangeCheck {
  const chosen = facts.nodes.filter((node) => input.nodeIds.includes(node.id));
  if (chosen.length !== input.nodeIds.length) return invalid('nodeIds', 'Some of these nodes are not in the cluster.');
  const own = chosen.find((node) => !node.external);
  if (own !== undefined) return invalid('nodeIds', `${own.name} was made by Holdfast; scale down to take it away.`);
  if (facts.cluster.workerCount - chosen.filter((node) => !isJoining(node)).length < 1)
    return invalid('nodeIds', 'At least one worker must stay.');
  return { kind: 'fine', direction: 'down' };
}

/**
 * Blockers are named before anything is lost (cluster-semantics 2.8, step 3): a network of ours cannot go while machines are in it that
 * are not ours to destroy. A delete that has begun is not asked again: its own last step says what is in its way.
 */
async function checkDelete(
  worker: Checked,
  { cluster, nodes }: ClusterFacts,
  signal: AbortSignal,
): Promise<ChangeCheck> {
  const { networkId, networkOwned, state } = cluster;
  if (!networkOwned || networkId === null || state === 'Destroying') return { kind: 'fine', direction: 'down' };
  const inside = await worker.cloud.listMachines(looseCall(signal, 'check delete'), { networkId });
  const ours = (machine: Machine) =>
    machine.tags[tagKeys.cluster] === cluster.id ||
    nodes.some((node) => !node.external && (node.machineId === machine.id || node.name === machine.name));
  const others = inside.filter((machine) => !ours(machine));
  if (others.length === 0) return { kind: 'fine', direction: 'down' };
  const names = others.map((machine) => machine.name).join(', ');
  const added = others.some((machine) => nodes.some((node) => node.machineId === machine.id));
  const first = added ? 'Remove the added nodes, then take' : 'Take';
  return {
    kind: 'blocked',
    message: `Its network is used by ${names}, which Holdfast did not make. ${first} these machines out of the network. Nothing was deleted.`,
  };
}
