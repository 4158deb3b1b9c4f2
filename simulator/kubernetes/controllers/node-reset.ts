/** A node that leaves the control plane: its etcd member goes first. */
import { textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import { noOrigin } from '@/simulator/core/ledger';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { type KubeObject, uidOf } from '@/simulator/kubernetes/objects';
import type { Ending } from './job-pods';
import { kubeletOf } from './kubelets';

/** `kubeadm reset` on its own node, or `etcdctl member remove` naming another one: by machine name. */
export function resetNode(
  runtime: ClusterRuntime,
  pod: KubeObject,
  script: string,
  done: (ending: Ending) => void,
): void {
  const own = kubeletOf(runtime, textAt(pod, 'spec', 'nodeName') ?? '');
  const named = runtime.machines().find((machine) => machine.id !== own?.id && script.includes(machine.name));
  const leaving = /member remove/.test(script) && named !== undefined ? named : own;
  runtime.after(`job-pod/${uidOf(pod)}`, latencyMs.join, () => {
    if (leaving === undefined) return done({ phase: 'Failed', log: 'no such member' });
    const { cluster } = runtime;
    cluster.memberIds = cluster.memberIds.filter((id) => id !== leaving.id);
    runtime.world.records.save('cluster', cluster);
    runtime.world.effect('etcd member removed', noOrigin, { cluster: cluster.id, name: leaving.name });
    done({ phase: 'Succeeded', log: `removed ${leaving.name}` });
    if (leaving === own && /kubeadm["']?\s+["']?reset/.test(script)) {
      leaving.inside.serving = false;
      runtime.world.records.save('machine', leaving);
      runtime.world.changed();
    }
  });
}
