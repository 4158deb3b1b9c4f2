import type { CallContext } from '@/infrastructure/cloud';
import { type KubernetesApi, KubernetesError } from '@/infrastructure/kubernetes';
import { type MemoryCluster, type MemoryNode, toKubernetesNode } from './cluster';
import type { Door } from './door';

type NodeMethods = Pick<
  KubernetesApi,
  'listNodes' | 'setUnschedulable' | 'annotateNode' | 'setProviderId' | 'deleteNode'
>;

export function nodeMethods(door: Door): NodeMethods {
  const change = (
    call: CallContext,
    about: { method: string; subject: string },
    act: { isSo: (node: MemoryNode) => boolean; change: (node: MemoryNode) => void },
  ) =>
    door.change(call, about, {
      isSo: (cluster) => act.isSo(nodeOf(cluster, about.subject)),
      change: (cluster) => act.change(nodeOf(cluster, about.subject)),
    });
  return {
    listNodes: (call) =>
      door.read(call, { method: 'listNodes', subject: '' }, (cluster) =>
        [...cluster.nodes.values()].map((node) => toKubernetesNode(door.world, node)),
      ),
    setUnschedulable: (call, subject, unschedulable) =>
      change(
        call,
        { method: 'setUnschedulable', subject },
        {
          isSo: (node) => node.unschedulable === unschedulable,
          change: (node) => {
            node.unschedulable = unschedulable;
          },
        },
      ),
    annotateNode: (call, subject, annotations) =>
      change(
        call,
        { method: 'annotateNode', subject },
        {
          isSo: (node) => Object.entries(annotations).every(([key, value]) => node.annotations.get(key) === value),
          change: (node) => {
            for (const [key, value] of Object.entries(annotations)) node.annotations.set(key, value);
          },
        },
      ),
    setProviderId: (call, subject, providerId) =>
      change(
        call,
        { method: 'setProviderId', subject },
        {
          isSo: (node) => node.providerId !== null,
          change: (node) => {
            node.providerId ??= providerId;
          },
        },
      ),
    deleteNode: (call, subject) =>
      door.change(
        call,
        { method: 'deleteNode', subject },
        {
          isSo: (cluster) => !cluster.nodes.has(subject),
          change: (cluster) => cluster.nodes.delete(subject),
        },
      ),
  };
}

function nodeOf(cluster: MemoryCluster, name: string): MemoryNode {
  const node = cluster.nodes.get(name);
  if (node === undefined) throw new KubernetesError('not-found', `nodes "${name}" not found`, { code: 404 });
  return node;
}
