import type { ClusterFacts } from '@/db/clusters';
import { recordNetwork, recordNode, replaceSecret } from '@/db/facts';
import type { NodeFact } from '@/domain/nodes';
import { isJoining, placeName } from '@/domain/plan-steps';
import type { KubernetesNode } from '@/infrastructure/kubernetes';
import { scrubUserData } from '../node-user-data';
import { renewAccess } from '../prepare-access';
import { type Step, type StepContext, StepFailed } from '../step';
import { nodesSeen, required } from './nodes-of';

const scaleDownDisabled = { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' };

/** Through the load balancer rule, so that it is what people will see. */
export const waitApi: Step = async (step) => {
  const { cluster } = await step.facts();
  const api = await step.kubernetes();
  await step.report('Waiting for the Kubernetes API');
  await step.waitFor(
    async () => ((await api.isReady(step.call)) ? true : undefined),
    () => `the Kubernetes API at ${cluster.publicIp}:${cluster.publicPort} did not answer in time.`,
  );
  return undefined;
};

/**
 * Ready means cloud.md C.9: a node of its name on its machine, condition Ready, of the cluster's version, schedulable. A machine whose
 * adding was broken off is waited for by nothing but adding it again.
 */
export const waitNodes: Step = async (step) => {
  const facts = await step.facts();
  const api = await step.kubernetes();
  const expected = facts.nodes.filter((node) => node.role !== 'etcd' && !isJoining(node));
  let waitingFor: readonly string[] = expected.map(placeName);
  await step.waitFor(
    async () => {
      const seen = await nodesSeen(step, api);
      const states = expected.map((node) => ({ node, at: match(node, seen) }));
      await recordReady(step, facts, states);
      for (const { node, at } of states) {
        const leftCordoned =
          at?.ready === true && at.unschedulable && at.kubeletVersion === facts.version && !node.external;
        if (leftCordoned) await api.setUnschedulable(step.call, at.name, false);
      }
      waitingFor = states.filter(({ at }) => at?.ready !== true).map(({ node }) => placeName(node));
      await step.report(`${expected.length - waitingFor.length} of ${expected.length} nodes are Ready`);
      return waitingFor.length === 0 ? true : undefined;
    },
    () => `not Ready in time: ${waitingFor.join(', ')}.`,
  );
  await refuseMixedVersions(step);
  return { ready: expected.length };
};

function match(node: NodeFact, seen: readonly KubernetesNode[]): KubernetesNode | undefined {
  const found = seen.find((each) => each.name === node.name.toLowerCase());
  const sameMachine =
    found === undefined || node.machineId === null || found.systemUuid === node.machineId.toLowerCase();
  return sameMachine ? found : undefined;
}

async function recordReady(
  step: StepContext,
  facts: ClusterFacts,
  states: readonly { node: NodeFact; at: KubernetesNode | undefined }[],
): Promise<void> {
  const now = await step.facts();
  for (const { node, at } of states) {
    const recorded = now.nodes.find((each) => each.id === node.id);
    if (at?.ready !== true || recorded === undefined) continue;
    if (recorded.stage === 'ready' && recorded.version === at.kubeletVersion) continue;
    if (recorded.stage !== 'ready' && recorded.machineId !== null)
      await scrubUserData(step, step.call, recorded.machineId);
    await step.write((tx) => recordNode(tx, node.id, { stage: 'ready', version: at.kubeletVersion }));
    await step.note(
      'info',
      `${placeName(node)} is Ready (${at.kubeletVersion}; the cluster's version is ${facts.version})`,
    );
  }
  const unrecordedEtcd = now.nodes.filter((node) => node.role === 'etcd' && node.stage === 'built');
  for (const node of unrecordedEtcd) {
    if (node.machineId !== null) await scrubUserData(step, step.call, node.machineId);
    await step.write((tx) => recordNode(tx, node.id, { stage: 'ready', version: now.version }));
  }
}

/** OUT-7 closed: with mixed versions nothing completes to Running, by whatever door. */
async function refuseMixedVersions(step: StepContext): Promise<void> {
  const { nodes, version } = await step.facts();
  const other = nodes.filter(
    (node) => node.role !== 'etcd' && !node.manualUpgrade && node.version !== null && node.version !== version,
  );
  if (other.length === 0) return;
  const named = other.map((node) => `${placeName(node)} has ${node.version}`).join(', ');
  throw new StepFailed(`nodes have mixed versions (${named}; the cluster's is ${version}). Resume the upgrade.`);
}

/** Proves that the stored certificate opens the API, renews it when it runs out soon, and records the address. */
export const kubeconfig: Step = async (step) => {
  const { cluster } = await step.facts();
  const renewed = await renewAccess(step.worker, cluster.id);
  if (renewed !== null) await step.write((tx) => replaceSecret(tx, cluster.id, 'admin-access', renewed));
  const api = await step.kubernetes();
  await api.listNodes(step.call);
  const endpoint = `https://${required(cluster.publicIp, 'The public address')}:${required(cluster.publicPort, 'The API port')}/`;
  await step.write((tx) => recordNetwork(tx, cluster.id, { endpoint }));
  return { endpoint };
};

/**
 * The provider id that cloud provider and autoscaler look for, and the mark that keeps the autoscaler off control nodes and off added
 * machines, which leave by Remove nodes only. Only convenience: what fails here is noted and does not fail the operation
 * (cluster-semantics 2.1, step 21).
 */
export const markNodes: Step = async (step) => {
  const { nodes } = await step.facts();
  const api = await step.kubernetes();
  for (const node of nodes.filter((each) => each.role !== 'etcd' && each.machineId !== null)) {
    try {
      if (node.role === 'control' || node.external) await api.annotateNode(step.call, node.name, scaleDownDisabled);
      await api.setProviderId(step.call, node.name, required(node.machineId, 'The machine'));
    } catch (error) {
      if (step.call.signal.aborted || !(error instanceof Error) || error.name !== 'KubernetesError') throw error;
      await step.note('warning', `${placeName(node)} could not be marked: ${error.message}`);
    }
  }
  return undefined;
};
