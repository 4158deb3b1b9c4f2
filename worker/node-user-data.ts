import type { ClusterFacts } from '@/db/clusters';
import { readSecret } from '@/db/facts';
import type { NodeFact } from '@/domain/nodes';
import { bootstrapTokenSecret } from '@/infrastructure/bootstrap/bootstrap-token';
import { nodeUserData as renderUserData, scrubbedUserData } from '@/infrastructure/bootstrap/user-data';
import type { CallContext } from '@/infrastructure/cloud';
import { clusterPki } from './prepare-access';
import { type StepContext, StepFailed } from './step';

/** As long as an operation may take, twice; the token's Secret is renewed by each operation that needs it. */
const tokenHours = 2;

/** The control node that makes the cluster; all others join it. */
export function isFirstControl(facts: ClusterFacts, node: NodeFact): boolean {
  const controls = facts.nodes.filter((each) => each.role === 'control');
  return node.role === 'control' && controls.every((each) => each.id === node.id || each.ordinal > node.ordinal);
}

/**
 * What a node finds at its first boot. Etcd members name each other by address, which is known once all machines exist: until then
 * they are built with a document that does nothing.
 */
export async function nodeUserData(step: StepContext, facts: ClusterFacts, node: NodeFact): Promise<string> {
  const { cluster } = facts;
  const etcd = facts.nodes.filter((each) => each.role === 'etcd');
  const members = etcd.flatMap((each) => (each.ip === null ? [] : [{ name: each.name, address: each.ip }]));
  const complete = members.length === etcd.length;
  const own = members.find((each) => each.name === node.name);
  if (node.role === 'etcd' && (!complete || own === undefined)) return scrubbedUserData();
  if (!complete) throw new StepFailed('the addresses of the etcd nodes are not recorded yet.');
  if (cluster.publicIp === null || cluster.publicPort === null)
    throw new StepFailed('the public address is not recorded yet.');
  const shared = {
    id: cluster.id,
    name: cluster.name,
    kubernetesVersion: facts.version,
    endpoint: `${cluster.publicIp}:${cluster.publicPort}`,
    pki: await clusterPki(step.worker, cluster.id),
    token: await bootstrapToken(step, cluster.id),
    etcdMembers: members,
  };
  if (node.role === 'etcd' && own !== undefined) return renderUserData(shared, { kind: 'etcd', ...own });
  const kind = node.external
    ? 'external'
    : node.role === 'worker'
      ? 'worker'
      : isFirstControl(facts, node)
        ? 'first-control'
        : 'control';
  return renderUserData(shared, { kind, name: node.name });
}

async function bootstrapToken(step: StepContext, clusterId: string): Promise<string> {
  const sealed = await readSecret(step.worker.db, clusterId, 'bootstrap-token');
  if (sealed === null) throw new StepFailed('the bootstrap token has not been prepared yet.');
  return step.worker.sealer.open(sealed);
}

/**
 * User data can be read by every pod that reaches the data server; once a node is Ready the keys in it have done their work (cloud.md
 * C.6). Called before the node is recorded as ready, so that an interruption cannot leave a ready node with its keys.
 */
export async function scrubUserData(step: StepContext, call: CallContext, machineId: string): Promise<void> {
  await step.worker.cloud.setUserData(call, { machineId, userData: scrubbedUserData() });
}

/** Lets nodes join for the next hours: kubeadm's own token runs out, and a resumed operation comes later (cloud.md C.5). */
export async function allowJoins(step: StepContext, clusterId: string): Promise<void> {
  const api = await step.kubernetes();
  const expiresAt = new Date(Date.now() + tokenHours * 3_600_000);
  await api.apply(
    step.call,
    bootstrapTokenSecret({ token: await bootstrapToken(step, clusterId), expiresAt, description: 'Holdfast' }),
  );
}
