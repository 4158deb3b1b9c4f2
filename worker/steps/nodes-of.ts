import type { ClusterFacts } from '@/db/clusters';
import type { NodeFact } from '@/domain/nodes';
import { placeName } from '@/domain/plan-steps';
import type { Machine } from '@/infrastructure/cloud';
import { type KubernetesApi, KubernetesError, type KubernetesNode } from '@/infrastructure/kubernetes';
import { type StepContext, StepFailed } from '../step';

/** The node a step was planned for, as recorded now. */
export function plannedNode(step: StepContext, facts: ClusterFacts): NodeFact {
  const place = step.planned.node;
  if (place === undefined) throw new Error(`step ${step.planned.key} was planned without a node`);
  const node = facts.nodes.find((each) => each.role === place.role && each.ordinal === place.ordinal);
  if (node === undefined) throw new StepFailed(`${placeName(place)} is not recorded.`);
  return node;
}

/** A recorded fact that an earlier step must have left. */
export function required<T>(value: T | null, what: string): T {
  if (value === null) throw new StepFailed(`${what} is not recorded; an earlier step has not been done.`);
  return value;
}

/** The node's machine, by id or, where an earlier attempt died before recording it, by name. Null: there is none. */
export async function machineOf(step: StepContext, facts: ClusterFacts, node: NodeFact): Promise<Machine | null> {
  const { cloud } = step.worker;
  if (node.machineId !== null) return cloud.getMachine(step.call, node.machineId);
  const networkId = facts.cluster.networkId;
  return networkId === null ? null : cloud.findMachine(step.call, { name: node.name, networkId });
}

/** As `machineOf`, for steps that need it. A machine that is gone fails the step: its node must be replaced or deleted. */
export async function existingMachine(step: StepContext, facts: ClusterFacts, node: NodeFact): Promise<Machine> {
  const machine = await machineOf(step, facts, node);
  if (machine !== null) return machine;
  throw new StepFailed(`the machine of ${placeName(node)} (${node.name}) is gone.`);
}

/** The cluster's nodes, or none while its API is away; for waits. What ended the wait itself is passed on, so that it is not taken for that. */
export async function nodesSeen(step: StepContext, api: KubernetesApi): Promise<readonly KubernetesNode[]> {
  try {
    return await api.listNodes(step.call);
  } catch (error) {
    if (step.call.signal.aborted || !(error instanceof KubernetesError)) throw error;
    return [];
  }
}
