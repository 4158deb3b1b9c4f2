/** ReplicaSets: as many pods as wanted. */
import { numberAt, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { deleteObject } from '@/simulator/kubernetes/deletion';
import { isTerminating, type KubeObject } from '@/simulator/kubernetes/objects';
import { pods, replicaSets } from '@/simulator/kubernetes/resources';
import { createPod, isActive, isReady, ownedBy } from './owned-pods';

/** Which pods go first: those that are not bound, then not ready, then the youngest. */
function byDispensability(a: KubeObject, b: KubeObject): number {
  const rank = (pod: KubeObject) => (textAt(pod, 'spec', 'nodeName') === undefined ? 0 : isReady(pod) ? 2 : 1);
  const created = (pod: KubeObject) => textAt(pod, 'metadata', 'creationTimestamp') ?? '';
  return rank(a) - rank(b) || (created(a) < created(b) ? 1 : -1);
}

export function runReplicaSets(runtime: ClusterRuntime): void {
  for (const set of runtime.store.list(replicaSets)) {
    if (isTerminating(set)) continue;
    const active = ownedBy(runtime, pods, set).filter(isActive);
    const missing = (numberAt(set, 'spec', 'replicas') ?? 1) - active.length;
    for (let count = 0; count < missing; count += 1) createPod(runtime, set);
    for (const pod of active.sort(byDispensability).slice(0, Math.max(0, -missing))) deleteObject(runtime, pods, pod);
    const now = ownedBy(runtime, pods, set).filter(isActive);
    const readyReplicas = now.filter(isReady).length;
    runtime.store.setStatus(replicaSets, set, {
      observedGeneration: numberAt(set, 'metadata', 'generation'),
      replicas: now.length,
      fullyLabeledReplicas: now.length,
      readyReplicas,
      availableReplicas: readyReplicas,
    });
  }
}
