/** Which machine plays the kubelet of a node or a pod. */

import { textAt } from '@/simulator/core/json';
import type { Machine } from '@/simulator/core/machine-model';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { nodeNameOf } from '@/simulator/kubernetes/node-object';
import { type KubeObject, nameOf, namespaceOf, uidOf } from '@/simulator/kubernetes/objects';
import { pods } from '@/simulator/kubernetes/resources';

/** The machine of a node, while its kubelet runs. */
export function kubeletOf(runtime: ClusterRuntime, nodeName: string): Machine | undefined {
  return runtime
    .machines()
    .find((machine) => machine.inside.kubeletUp && machine.hostRunning && nodeNameOf(machine) === nodeName);
}

/** The pod as it is now, if it is still the same one and on a living kubelet. */
export function currentPod(runtime: ClusterRuntime, pod: KubeObject): KubeObject | undefined {
  const current = runtime.store.find(pods, namespaceOf(pod), nameOf(pod));
  if (current === undefined || uidOf(current) !== uidOf(pod)) return undefined;
  return kubeletOf(runtime, textAt(current, 'spec', 'nodeName') ?? '') === undefined ? undefined : current;
}
