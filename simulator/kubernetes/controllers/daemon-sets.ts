/** DaemonSets: one pod on every node that it tolerates. */
import { numberAt, objectAt, objectsAt, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { deleteObject } from '@/simulator/kubernetes/deletion';
import { isTerminating, type KubeObject, nameOf, part } from '@/simulator/kubernetes/objects';
import { daemonSets, nodes, pods } from '@/simulator/kubernetes/resources';
import { createPod, fitsTemplate, isFinished, isReady, ownedBy } from './owned-pods';
import { fitsNode } from './scheduler';

/** What the controller tolerates for every daemon: they run where nothing else may. */
const daemonTolerations = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/memory-pressure',
].map((key) => ({ key, operator: 'Exists' }));

function runOne(runtime: ClusterRuntime, set: KubeObject): void {
  const template = objectAt(set, 'spec', 'template');
  const spec = objectAt(template, 'spec');
  const tolerant = { spec: { ...spec, tolerations: [...objectsAt(spec, 'tolerations'), ...daemonTolerations] } };
  const wanted = runtime.store
    .list(nodes)
    .filter((node) => fitsNode(tolerant, node))
    .map(nameOf);
  const onNode = (pod: KubeObject) => textAt(pod, 'spec', 'nodeName') ?? '';
  for (const pod of ownedBy(runtime, pods, set)) {
    if (isTerminating(pod)) continue;
    if (isFinished(pod)) runtime.store.remove(pods, pod);
    else if (!wanted.includes(onNode(pod)) || !fitsTemplate(pod, template)) deleteObject(runtime, pods, pod);
  }
  const present = new Set(ownedBy(runtime, pods, set).map(onNode));
  for (const node of wanted) {
    if (present.has(node)) continue;
    createPod(runtime, set, (pod) => {
      const podSpec = part(pod, 'spec');
      podSpec['nodeName'] = node;
      podSpec['tolerations'] = tolerant.spec.tolerations;
    });
  }
  const now = ownedBy(runtime, pods, set).filter((pod) => !isTerminating(pod));
  const ready = now.filter(isReady).length;
  runtime.store.setStatus(daemonSets, set, {
    observedGeneration: numberAt(set, 'metadata', 'generation'),
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: now.length,
    updatedNumberScheduled: now.filter((pod) => fitsTemplate(pod, template)).length,
    numberReady: ready,
    numberAvailable: ready,
    numberMisscheduled: 0,
    numberUnavailable: Math.max(0, wanted.length - ready),
  });
}

export function runDaemonSets(runtime: ClusterRuntime): void {
  for (const set of runtime.store.list(daemonSets)) if (!isTerminating(set)) runOne(runtime, set);
}
