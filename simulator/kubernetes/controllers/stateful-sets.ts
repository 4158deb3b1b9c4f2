/** StatefulSets: pods with numbers, one after the other, and a claim of each template for every pod. */
import { copy, isObject, type JsonObject, numberAt, objectsAt, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { setDefaults } from '@/simulator/kubernetes/defaults';
import { deleteObject } from '@/simulator/kubernetes/deletion';
import { isTerminating, type KubeObject, nameOf, namespaceOf, part } from '@/simulator/kubernetes/objects';
import { claims, pods, statefulSets } from '@/simulator/kubernetes/resources';
import { createPod, isFinished, isReady, ownedBy } from './owned-pods';

function claimName(template: JsonObject, set: KubeObject, ordinal: number): string {
  return `${textAt(template, 'metadata', 'name') ?? 'data'}-${nameOf(set)}-${ordinal}`;
}

function ensureClaims(runtime: ClusterRuntime, set: KubeObject, ordinal: number): JsonObject[] {
  return objectsAt(set, 'spec', 'volumeClaimTemplates').map((template) => {
    const name = claimName(template, set, ordinal);
    if (runtime.store.find(claims, namespaceOf(set), name) === undefined) {
      const claim = copy(template);
      delete claim['status'];
      Object.assign(part(claim, 'metadata'), { name, namespace: namespaceOf(set) });
      setDefaults(claims, claim);
      runtime.store.create(claims, claim);
    }
    return { name: textAt(template, 'metadata', 'name') ?? 'data', persistentVolumeClaim: { claimName: name } };
  });
}

function createNumbered(runtime: ClusterRuntime, set: KubeObject, ordinal: number): void {
  const volumes = ensureClaims(runtime, set, ordinal);
  createPod(runtime, set, (pod) => {
    const metadata = part(pod, 'metadata');
    metadata['name'] = `${nameOf(set)}-${ordinal}`;
    part(metadata, 'labels')['statefulset.kubernetes.io/pod-name'] = `${nameOf(set)}-${ordinal}`;
    const spec = part(pod, 'spec');
    spec['volumes'] = [...(Array.isArray(spec['volumes']) ? spec['volumes'].filter(isObject) : []), ...volumes];
  });
}

/** Makes the next missing pod; in order, each waits until the one before it is ready. */
function scaleUp(runtime: ClusterRuntime, set: KubeObject, owned: readonly KubeObject[], replicas: number): void {
  const parallel = textAt(set, 'spec', 'podManagementPolicy') === 'Parallel';
  for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
    const pod = owned.find((candidate) => nameOf(candidate) === `${nameOf(set)}-${ordinal}`);
    if (pod === undefined) createNumbered(runtime, set, ordinal);
    if (!parallel && (pod === undefined || !isReady(pod))) return;
  }
}

function runOne(runtime: ClusterRuntime, set: KubeObject): void {
  const replicas = numberAt(set, 'spec', 'replicas') ?? 1;
  for (const pod of ownedBy(runtime, pods, set)) if (isFinished(pod)) runtime.store.remove(pods, pod);
  const owned = ownedBy(runtime, pods, set);
  scaleUp(runtime, set, owned, replicas);
  for (const pod of owned) {
    const ordinal = Number(nameOf(pod).slice(nameOf(set).length + 1));
    if (ordinal >= replicas && !isTerminating(pod)) deleteObject(runtime, pods, pod);
  }
  const now = ownedBy(runtime, pods, set);
  const readyReplicas = now.filter(isReady).length;
  runtime.store.setStatus(statefulSets, set, {
    observedGeneration: numberAt(set, 'metadata', 'generation'),
    replicas: now.length,
    readyReplicas,
    availableReplicas: readyReplicas,
    currentReplicas: now.length,
    updatedReplicas: now.length,
  });
}

export function runStatefulSets(runtime: ClusterRuntime): void {
  for (const set of runtime.store.list(statefulSets)) if (!isTerminating(set)) runOne(runtime, set);
}
