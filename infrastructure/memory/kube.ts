import { X509Certificate } from 'node:crypto';
import type { CallContext } from '@/infrastructure/cloud';
import { type ClusterAccess, type ConnectKubernetes, type EvictionAnswer, type KubernetesApi, KubernetesError } from '@/infrastructure/kubernetes';
import { apiIsUp, type MemoryCluster, type MemoryNode, toKubernetesNode } from './cluster';
import { kubeWords } from './kube-words';
import { put, remove } from './object-store';
import { keyOf, keyOfReference, satisfies, valueAt } from './objects';
import type { World } from './world';

export function memoryConnect(world: World): ConnectKubernetes {
  return (access) => openCluster(world, access);
}

function openCluster(world: World, access: ClusterAccess): KubernetesApi {
  const { acts } = world;
  const open = () => reachable(world, access);
  const read = <T>(call: CallContext, method: string, subject: string, look: (cluster: MemoryCluster) => T) =>
    acts.read(call, kubeWords, { method, subject, look: () => look(open()) });
  const change = (call: CallContext, method: string, subject: string, isSo: (cluster: MemoryCluster) => boolean, act: (cluster: MemoryCluster) => void) =>
    acts.change(call, kubeWords, {
      method,
      subject,
      look: () => (isSo(open()) ? true : undefined),
      change: () => {
        act(open());
        return true;
      },
    });
  const onNode = async (call: CallContext, method: string, name: string, isSo: (node: MemoryNode) => boolean, act: (node: MemoryNode) => void) => {
    await change(call, method, name, (cluster) => isSo(nodeOf(cluster, name)), (cluster) => act(nodeOf(cluster, name)));
  };
  return {
    isReady: async (call) => {
      try {
        return await read(call, 'isReady', access.endpoint, () => true);
      } catch (error) {
        if (call.signal.aborted) throw error;
        return false;
      }
    },
    serverVersion: (call) => read(call, 'serverVersion', access.endpoint, (cluster) => cluster.version),
    listNodes: (call) =>
      read(call, 'listNodes', access.endpoint, (cluster) => [...cluster.nodes.values()].map((node) => toKubernetesNode(world, node))),
    setUnschedulable: (call, name, unschedulable) =>
      onNode(call, 'setUnschedulable', name, (node) => node.unschedulable === unschedulable, (node) => {
        node.unschedulable = unschedulable;
      }),
    annotateNode: (call, name, annotations) =>
      onNode(call, 'annotateNode', name, (node) => Object.entries(annotations).every(([key, value]) => node.annotations.get(key) === value), (node) => {
        for (const [key, value] of Object.entries(annotations)) node.annotations.set(key, value);
      }),
    setProviderId: (call, name, providerId) =>
      onNode(call, 'setProviderId', name, (node) => node.providerId !== null, (node) => {
        node.providerId ??= providerId;
      }),
    deleteNode: async (call, name) => {
      await change(call, 'deleteNode', name, (cluster) => !cluster.nodes.has(name), (cluster) => cluster.nodes.delete(name));
    },
    evictPod: async (call, pod) => {
      const key = keyOf({ apiVersion: 'v1', kind: 'Pod', metadata: pod });
      const isThere = (cluster: MemoryCluster) => cluster.objects.get(key)?.metadata.uid === pod.uid;
      return acts.change<EvictionAnswer>(call, kubeWords, {
        method: 'evictPod',
        subject: `${pod.namespace}/${pod.name}`,
        look: () => {
          const cluster = open();
          if (!isThere(cluster)) return { kind: 'gone' };
          return cluster.evictionsBlocked ? { kind: 'blocked', message: 'budget allows no eviction now' } : undefined;
        },
        change: () => ({ kind: open().objects.delete(key) ? 'evicted' : 'gone' }),
      });
    },
    apply: async (call, object) => {
      await change(call, 'apply', `${object.kind} ${object.metadata.name}`, () => false, (cluster) => put(world, cluster, object));
    },
    get: (call, reference) =>
      read(call, 'get', `${reference.kind} ${reference.name}`, (cluster) => cluster.objects.get(keyOfReference(reference)) ?? null),
    list: (call, query) =>
      read(call, 'list', query.kind, (cluster) =>
        [...cluster.objects.values()]
          .filter((object) => object.apiVersion === query.apiVersion && object.kind === query.kind)
          .filter((object) => query.namespace === undefined || object.metadata.namespace === query.namespace)
          .filter((object) => satisfies(query.fieldSelector, (path) => valueAt(object, path)))
          .filter((object) => satisfies(query.labelSelector, (label) => object.metadata.labels?.[label])),
      ),
    delete: async (call, reference) => {
      const key = keyOfReference(reference);
      await change(call, 'delete', `${reference.kind} ${reference.name}`, (cluster) => !cluster.objects.has(key), (cluster) => remove(cluster, key));
    },
    close: () => undefined,
  };
}

/** As a connection would fail: nobody there, another cluster's authority, a certificate that it did not sign. */
function reachable(world: World, access: ClusterAccess): MemoryCluster {
  const cluster = world.clusters.find((each) => `https://${each.endpoint}` === access.endpoint.replace(/\/$/, ''));
  if (cluster === undefined || !apiIsUp(world, cluster)) throw new KubernetesError('unreachable', `nobody answers at ${access.endpoint}`);
  if (cluster.caPem.trim() !== access.caPem.trim()) throw new KubernetesError('unreachable', 'its certificate was signed by somebody else');
  if (!isSignedBy(access.certificatePem, cluster.caPem)) throw new KubernetesError('denied', 'Unauthorized', { code: 401 });
  if (cluster.apiFault === 'not-ready') throw new KubernetesError('not-ready', 'the API server is not ready', { code: 500 });
  return cluster;
}

function isSignedBy(certificatePem: string, caPem: string): boolean {
  try {
    return new X509Certificate(certificatePem).verify(new X509Certificate(caPem).publicKey);
  } catch {
    return false;
  }
}

function nodeOf(cluster: MemoryCluster, name: string): MemoryNode {
  const node = cluster.nodes.get(name);
  if (node === undefined) throw new KubernetesError('not-found', `nodes "${name}" not found`, { code: 404 });
  return node;
}
