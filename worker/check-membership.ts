import { type ClusterFacts, clusterOfMachine } from '@/db/clusters';
import { otherVersions } from '@/domain/drift';
import { isJoining } from '@/domain/plan-steps';
import { type AddNodesInput, limits, type RemoveNodesInput } from '@/domain/requests';
import { tagKeys } from '@/infrastructure/bootstrap/names';
import type { Machine } from '@/infrastructure/cloud';
import { catalogue, looseCall } from './catalogue';
import { type ChangeCheck, type Checked, invalid } from './check-outcome';

export async function checkAddNodes(
  worker: Checked,
  facts: ClusterFacts,
  input: AddNodesInput,
  signal: AbortSignal,
): Promise<ChangeCheck> {
  const field = 'machineIds';
  const total =
    facts.cluster.controlCount + facts.cluster.workerCount + facts.cluster.etcdCount + input.machineIds.length;
  if (total > limits.maxNodes) return invalid(field, `${total} nodes in all; at most ${limits.maxNodes} are allowed.`);
  const mixed = mixedVersions(facts, []);
  if (mixed !== undefined) return invalid(field, mixed);
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

export function checkRemoveNodes(facts: ClusterFacts, input: RemoveNodesInput): ChangeCheck {
  const chosen = facts.nodes.filter((node) => input.nodeIds.includes(node.id));
  if (chosen.length !== input.nodeIds.length) return invalid('nodeIds', 'Some of these nodes are not in the cluster.');
  const own = chosen.find((node) => !node.external);
  if (own !== undefined) return invalid('nodeIds', `${own.name} was made by Holdfast; scale down to take it away.`);
  if (facts.cluster.workerCount - chosen.filter((node) => !isJoining(node)).length < 1)
    return invalid('nodeIds', 'At least one worker must stay.');
  const mixed = mixedVersions(facts, input.nodeIds);
  if (mixed !== undefined) return invalid('nodeIds', mixed);
  return { kind: 'fine', direction: 'down' };
}

/** OUT-7 closed here too: adding and removing end in Running even when they fail, which an interrupted upgrade must not be. */
function mixedVersions({ nodes, version }: ClusterFacts, leaving: readonly string[]): string | undefined {
  const other = otherVersions({ nodes: nodes.filter((node) => !leaving.includes(node.id)), version });
  if (other.length === 0) return undefined;
  return `Nodes have mixed versions: ${other.join(', ')}; the cluster's is ${version}. Resume the upgrade first.`;
}

/**
 * Blockers are named before anything is lost (cluster-semantics 2.8, step 3): a network of ours cannot go while machines are in it that
 * are not ours to destroy. A delete that has begun is not asked again: its own last step says what is in its way.
 */
export async function checkDelete(
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
