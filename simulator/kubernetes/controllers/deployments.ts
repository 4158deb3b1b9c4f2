/** Deployments: one ReplicaSet a template; the newest is scaled up, older ones down as it becomes ready. */
import { createHash } from 'node:crypto';
import { copy, type JsonObject, numberAt, objectAt, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import {
  conditionOf,
  isTerminating,
  type KubeObject,
  nameOf,
  namespaceOf,
  part,
  withCondition,
} from '@/simulator/kubernetes/objects';
import { deployments, replicaSets } from '@/simulator/kubernetes/resources';
import { acceptsPods, ownedBy, ownerReference } from './owned-pods';

const hashLabel = 'pod-template-hash';

function templateHash(deployment: KubeObject): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(objectAt(deployment, 'spec', 'template'))))
    .digest('hex')
    .slice(0, 10);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}

function newSet(deployment: KubeObject, hash: string, revision: number): JsonObject {
  const template = copy(objectAt(deployment, 'spec', 'template'));
  const metadata = part(template, 'metadata');
  metadata['labels'] = { ...objectAt(metadata, 'labels'), [hashLabel]: hash };
  const selector = { ...copy(objectAt(deployment, 'spec', 'selector')) };
  selector['matchLabels'] = { ...objectAt(selector, 'matchLabels'), [hashLabel]: hash };
  return {
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels: metadata['labels'],
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: { replicas: 0, selector, template },
  };
}

const wanted = (object: KubeObject): number => numberAt(object, 'spec', 'replicas') ?? 0;
const ready = (object: KubeObject): number => numberAt(object, 'status', 'readyReplicas') ?? 0;
const present = (object: KubeObject): number => numberAt(object, 'status', 'replicas') ?? 0;

function scale(runtime: ClusterRuntime, set: KubeObject, replicas: number): void {
  if (wanted(set) === replicas) return;
  runtime.store.change(replicaSets, set, (draft) => {
    part(draft, 'spec')['replicas'] = replicas;
  });
}

/** The condition Progressing: False once the deadline is over without progress. */
function progressing(
  runtime: ClusterRuntime,
  deployment: KubeObject,
  complete: boolean,
): { status: string; reason: string } {
  if (complete) return { status: 'True', reason: 'NewReplicaSetAvailable' };
  const before = conditionOf(deployment, 'Progressing');
  const generation = numberAt(deployment, 'metadata', 'generation') ?? 0;
  const key = `progress/${textAt(deployment, 'metadata', 'uid')}/${generation}`;
  if (
    before?.['reason'] === 'ProgressDeadlineExceeded' &&
    numberAt(deployment, 'status', 'observedGeneration') === generation
  )
    return { status: 'False', reason: 'ProgressDeadlineExceeded' };
  const deadline = (numberAt(deployment, 'spec', 'progressDeadlineSeconds') ?? 600) * 1_000;
  runtime.after(key, deadline, () => expire(runtime, deployment, generation));
  return { status: 'True', reason: 'ReplicaSetUpdated' };
}

function expire(runtime: ClusterRuntime, deployment: KubeObject, generation: number): void {
  const current = runtime.store.find(deployments, namespaceOf(deployment), nameOf(deployment));
  if (current === undefined || numberAt(current, 'metadata', 'generation') !== generation) return;
  if (ready(current) >= wanted(current)) return;
  const condition = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
  runtime.store.setStatus(deployments, current, {
    conditions: withCondition(current, runtime.world.clock.iso(), condition),
  });
}

function report(
  runtime: ClusterRuntime,
  deployment: KubeObject,
  newest: KubeObject,
  sets: readonly KubeObject[],
): void {
  const total = sets.reduce((sum, set) => sum + present(set), 0);
  const available = sets.reduce((sum, set) => sum + ready(set), 0);
  const replicas = wanted(deployment);
  const complete = present(newest) === replicas && ready(newest) === replicas && total === replicas;
  const now = runtime.world.clock.iso();
  const enough = available >= Math.max(0, replicas - Math.floor(replicas / 4));
  const availability = {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
  };
  const withAvailability = {
    ...deployment,
    status: { ...objectAt(deployment, 'status'), conditions: withCondition(deployment, now, availability) },
  };
  runtime.store.setStatus(deployments, deployment, {
    observedGeneration: numberAt(deployment, 'metadata', 'generation'),
    replicas: total,
    updatedReplicas: present(newest),
    readyReplicas: available,
    availableReplicas: available,
    unavailableReplicas: Math.max(0, replicas - available),
    conditions: withCondition(withAvailability, now, {
      type: 'Progressing',
      ...progressing(runtime, deployment, complete),
    }),
  });
  if (complete)
    runtime.cancel(
      `progress/${textAt(deployment, 'metadata', 'uid')}/${numberAt(deployment, 'metadata', 'generation')}`,
    );
}

export function runDeployments(runtime: ClusterRuntime): void {
  for (const deployment of runtime.store.list(deployments)) {
    if (isTerminating(deployment)) continue;
    const hash = templateHash(deployment);
    let sets = ownedBy(runtime, replicaSets, deployment);
    let newest = sets.find((set) => nameOf(set) === `${nameOf(deployment)}-${hash}`);
    if (newest === undefined) {
      if (!acceptsPods(runtime, namespaceOf(deployment))) continue;
      newest = runtime.store.create(replicaSets, newSet(deployment, hash, sets.length + 1));
      sets = [...sets, newest];
    }
    const others = sets.filter((set) => set !== newest);
    scale(runtime, newest, wanted(deployment));
    const spare = ready(newest) + others.reduce((sum, set) => sum + wanted(set), 0) - wanted(deployment);
    const recreate = textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate';
    let toRemove = recreate ? Number.MAX_SAFE_INTEGER : spare;
    for (const set of others) {
      const less = Math.min(wanted(set), Math.max(0, toRemove));
      toRemove -= less;
      scale(runtime, set, wanted(set) - less);
    }
    report(runtime, deployment, newest, sets);
  }
}
