import type { EvictionAnswer, KubernetesApi } from '@/infrastructure/kubernetes';
import type { MemoryCluster } from './cluster';
import type { Door } from './door';
import { kubeWords } from './kube-words';
import { put, remove } from './object-store';
import { keyOf, keyOfReference, satisfies, valueAt } from './objects';

type ObjectMethods = Pick<KubernetesApi, 'evictPod' | 'apply' | 'get' | 'list' | 'delete'>;

export function objectMethods(door: Door): ObjectMethods {
  return {
    evictPod: (call, pod) => {
      const key = keyOf({ apiVersion: 'v1', kind: 'Pod', metadata: pod });
      const isThere = (cluster: MemoryCluster) => cluster.objects.get(key)?.metadata.uid === pod.uid;
      return door.world.acts.change<EvictionAnswer>(call, kubeWords, {
        method: 'evictPod',
        subject: `${pod.namespace}/${pod.name}`,
        look: () => {
          const cluster = door.open();
          if (!isThere(cluster)) return { kind: 'gone' };
          return cluster.evictionsBlocked ? { kind: 'blocked', message: 'budget allows no eviction now' } : undefined;
        },
        change: () => ({ kind: isThere(door.open()) && door.open().objects.delete(key) ? 'evicted' : 'gone' }),
      });
    },
    apply: (call, object) =>
      door.change(
        call,
        { method: 'apply', subject: `${object.kind} ${object.metadata.name}` },
        {
          isSo: () => false,
          change: (cluster) => put(door.world, cluster, object),
        },
      ),
    get: (call, reference) =>
      door.read(
        call,
        { method: 'get', subject: `${reference.kind} ${reference.name}` },
        (cluster) => cluster.objects.get(keyOfReference(reference)) ?? null,
      ),
    list: (call, query) =>
      door.read(call, { method: 'list', subject: query.kind }, (cluster) =>
        [...cluster.objects.values()]
          .filter((object) => object.apiVersion === query.apiVersion && object.kind === query.kind)
          .filter((object) => query.namespace === undefined || object.metadata.namespace === query.namespace)
          .filter((object) => satisfies(query.fieldSelector, (path) => valueAt(object, path)))
          .filter((object) => satisfies(query.labelSelector, (label) => object.metadata.labels?.[label])),
      ),
    delete: (call, reference) => {
      const key = keyOfReference(reference);
      return door.change(
        call,
        { method: 'delete', subject: `${reference.kind} ${reference.name}` },
        {
          isSo: (cluster) => !cluster.objects.has(key),
          change: (cluster) => remove(cluster, key),
        },
      );
    },
  };
}
