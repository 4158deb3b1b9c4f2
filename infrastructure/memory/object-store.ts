import type { KubernetesObject } from '@/infrastructure/kubernetes';
import type { MemoryCluster } from './cluster';
import { keyOf, merge, valueAt } from './objects';
import type { World } from './world';

/** Server-side apply: what was there keeps its uid; a changed spec is another generation. */
export function put(world: World, cluster: MemoryCluster, object: KubernetesObject): void {
  const key = keyOf(object);
  const before = cluster.objects.get(key);
  const merged = { ...object, ...Object(merge(before ?? {}, object)) } as KubernetesObject;
  const changed = JSON.stringify(before?.['spec']) !== JSON.stringify(merged['spec']);
  const generation = (before?.metadata.generation ?? 0) + (changed || before === undefined ? 1 : 0);
  const uid = before?.metadata.uid ?? world.nextId();
  cluster.objects.set(key, { ...merged, metadata: { ...merged.metadata, uid, generation } });
}

/** A claim takes its volume along where that is the volume's policy; a namespace takes what is in it. */
export function remove(cluster: MemoryCluster, key: string): void {
  const gone = cluster.objects.get(key);
  cluster.objects.delete(key);
  for (const [other, object] of cluster.objects) {
    const isItsVolume =
      gone?.kind === 'PersistentVolumeClaim' &&
      object.kind === 'PersistentVolume' &&
      valueAt(object, 'spec.persistentVolumeReclaimPolicy') === 'Delete' &&
      valueAt(object, 'spec.claimRef.name') === gone.metadata.name &&
      valueAt(object, 'spec.claimRef.namespace') === gone.metadata.namespace;
    const isInside = gone?.kind === 'Namespace' && object.metadata.namespace === gone.metadata.name;
    if (isItsVolume || isInside) cluster.objects.delete(other);
  }
}
