/** Nodes: Ready while their kubelet speaks, Unknown after the grace without it; taints that go with both. */

import { isObject, type Json, type JsonObject, objectsAt, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { Machine } from '@/simulator/core/machine-model';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { conditionOf, type KubeObject, nameOf, part, uidOf, withCondition } from '@/simulator/kubernetes/objects';
import { daemonSets, nodes } from '@/simulator/kubernetes/resources';
import { kubeletOf } from './kubelets';

const notReadyTaint = 'node.kubernetes.io/not-ready';

const unreachableTaint = 'node.kubernetes.io/unreachable';

const cordonTaint = 'node.kubernetes.io/unschedulable';

/** Any network DaemonSet will do: the check is whether a CNI was applied at all. */
function hasNetwork(runtime: ClusterRuntime): boolean {
  return runtime.store
    .list(daemonSets, 'kube-system')
    .some((set) => /calico|weave|flannel|cilium|kube-router|antrea/.test(nameOf(set)));
}

function isHeldNotReady(runtime: ClusterRuntime, machine: Machine): boolean {
  const cluster = runtime.world.tagsOf(machine.id).find((tag) => tag.key === 'holdfast-cluster')?.value;
  return runtime.world.faults.take({ event: 'ready', vm: machine.name, cluster }, ['not-ready', 'never']) !== undefined;
}

function taintsFor(node: KubeObject, status: string): Json[] {
  const managed = [notReadyTaint, unreachableTaint, cordonTaint];
  const kept = objectsAt(node, 'spec', 'taints').filter((taint) => !managed.includes(textAt(taint, 'key') ?? ''));
  const added: JsonObject[] = [];
  if (isObject(node['spec']) && node['spec']['unschedulable'] === true)
    added.push({ key: cordonTaint, effect: 'NoSchedule' });
  if (status === 'False')
    added.push({ key: notReadyTaint, effect: 'NoSchedule' }, { key: notReadyTaint, effect: 'NoExecute' });
  if (status === 'Unknown')
    added.push({ key: unreachableTaint, effect: 'NoSchedule' }, { key: unreachableTaint, effect: 'NoExecute' });
  return [...kept, ...added];
}

function setReady(
  runtime: ClusterRuntime,
  name: string,
  uid: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
): void {
  const node = runtime.store.find(nodes, '', name);
  if (node === undefined || uidOf(node) !== uid) return;
  runtime.store.change(nodes, node, (draft) => {
    part(draft, 'status')['conditions'] = withCondition(node, runtime.world.clock.iso(), {
      type: 'Ready',
      status,
      reason,
    });
  });
}

function lookAt(runtime: ClusterRuntime, node: KubeObject): void {
  const name = nameOf(node);
  const uid = uidOf(node);
  const status = textAt(conditionOf(node, 'Ready'), 'status') ?? 'Unknown';
  const machine = kubeletOf(runtime, name);
  if (machine !== undefined) {
    runtime.cancel(`lost/${uid}`);
    if (status !== 'True' && hasNetwork(runtime)) {
      runtime.after(`ready/${uid}`, latencyMs.nodeReady, () => {
        const current = kubeletOf(runtime, name);
        if (current === undefined) return;
        if (isHeldNotReady(runtime, current)) {
          setReady(runtime, name, uid, 'False', 'KubeletNotReady');
          runtime.after(`held/${uid}`, latencyMs.retry, () => runtime.wake());
          return;
        }
        setReady(runtime, name, uid, 'True', 'KubeletReady');
      });
    }
  } else if (status !== 'Unknown') {
    runtime.cancel(`ready/${uid}`);
    runtime.after(`lost/${uid}`, latencyMs.nodeGrace, () => {
      if (kubeletOf(runtime, name) === undefined) setReady(runtime, name, uid, 'Unknown', 'NodeStatusUnknown');
    });
  }
}

export function runNodes(runtime: ClusterRuntime): void {
  for (const node of runtime.store.list(nodes)) {
    lookAt(runtime, node);
    const current = runtime.store.find(nodes, '', nameOf(node)) ?? node;
    const status = textAt(conditionOf(current, 'Ready'), 'status') ?? 'Unknown';
    runtime.store.change(nodes, current, (draft) => {
      part(draft, 'spec')['taints'] = taintsFor(current, status);
    });
  }
}
