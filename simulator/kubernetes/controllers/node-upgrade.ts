/** The upgrade of a node in place, as its Job's pod sets it off. */
import { objectsAt, pick, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import { noOrigin } from '@/simulator/core/ledger';
import type { Machine } from '@/simulator/core/machine-model';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { nodeNameOf, registerNodeObject } from '@/simulator/kubernetes/node-object';
import { controllerOf, type KubeObject, part, uidOf, withCondition } from '@/simulator/kubernetes/objects';
import { configMaps, daemonSets, nodes, pods } from '@/simulator/kubernetes/resources';
import type { Ending } from './job-pods';
import { kubeletOf } from './kubelets';

const minorOf = (version: string): number => Number(version.split('.')[1]);
const patchOf = (version: string): number => Number(version.split('.')[2]);
const isOlder = (a: string, b: string): boolean =>
  minorOf(a) < minorOf(b) || (minorOf(a) === minorOf(b) && patchOf(a) < patchOf(b));

/** Why kubeadm would refuse, or null. The first control node moves the cluster; all others follow it. */
function problem(runtime: ClusterRuntime, machine: Machine, target: string): string | null {
  const { cluster, world } = runtime;
  const iso = world.records.get('iso', machine.isoId ?? '');
  if (iso?.kubernetesVersion !== target) return `no disk with Kubernetes v${target} is attached`;
  const own = machine.inside.kubernetesVersion ?? cluster.version;
  if (isOlder(target, own)) return `a downgrade from v${own} to v${target} is not supported`;
  const leads = machine.inside.role !== 'worker' && cluster.version !== target;
  if (leads && minorOf(target) - minorOf(cluster.version) > 1)
    return `an upgrade from v${cluster.version} to v${target} skips a minor version`;
  if (leads && machine.id !== firstControl(runtime))
    return 'the first control node has to be upgraded before the others';
  if (!leads && isOlder(cluster.version, target))
    return `v${target} is newer than the API server (v${cluster.version})`;
  const behind = runtime
    .machines()
    .find((other) => leads && minorOf(target) - minorOf(other.inside.kubernetesVersion ?? target) > 3);
  return behind === undefined ? null : `the kubelet of ${behind.name} is too old for v${target}`;
}

/** The first control node, or the oldest one that is left. */
function firstControl(runtime: ClusterRuntime): string | undefined {
  const controls = runtime
    .machines()
    .filter(
      (machine) =>
        machine.inside.bootstrapped && (machine.inside.role === 'control' || machine.inside.role === 'first-control'),
    );
  const first = controls.find((machine) => machine.id === runtime.cluster.firstControlId);
  return (first ?? controls.sort((a, b) => a.sequence - b.sequence)[0])?.id;
}

function isDrained(runtime: ClusterRuntime, nodeName: string, upgrader: KubeObject): boolean {
  return !runtime.store.list(pods).some((pod) => {
    const owner = controllerOf(pod)?.['kind'];
    return (
      textAt(pod, 'spec', 'nodeName') === nodeName &&
      uidOf(pod) !== uidOf(upgrader) &&
      owner !== undefined &&
      owner !== 'DaemonSet' &&
      owner !== 'Job'
    );
  });
}

/** Runs the upgrade; `done` gets how the pod ended, which is only a hint: what counts is the node. */
export function upgradeNode(
  runtime: ClusterRuntime,
  pod: KubeObject,
  target: string | null,
  done: (ending: Ending) => void,
): void {
  const nodeName = textAt(pod, 'spec', 'nodeName') ?? '';
  const key = `job-pod/${uidOf(pod)}`;
  const { world } = runtime;
  runtime.after(key, world.random.jitter(latencyMs.upgrade), () => {
    const machine = kubeletOf(runtime, nodeName);
    if (machine === undefined) return done({ phase: 'lost', log: '' });
    if (target === null) return done({ phase: 'Failed', log: 'the script names no version' });
    const cluster = runtime.cluster.tag ?? runtime.cluster.name;
    const fault = world.faults.take({ event: 'upgrade', vm: machine.name, cluster }, ['never', 'lose-pod', 'fail-job']);
    if (fault?.kind === 'fail-job') return done({ phase: 'Failed', log: fault.text ?? 'kubeadm upgrade failed' });
    if (fault?.kind === 'never') return;
    const refused = problem(runtime, machine, target);
    if (refused !== null) {
      machine.inside.console.push(`${world.clock.iso()} kubeadm upgrade: ${refused}`);
      return done({ phase: 'Failed', log: refused });
    }
    world.effect('node upgraded', noOrigin, {
      cluster: runtime.cluster.id,
      name: nodeName,
      version: target,
      drained: isDrained(runtime, nodeName, pod),
      cordoned: pick(runtime.store.find(nodes, '', nodeName), 'spec', 'unschedulable') === true,
    });
    done({ phase: fault?.kind === 'lose-pod' ? 'lost' : 'Succeeded', log: `upgraded to v${target}` });
    install(runtime, machine, target);
  });
}

/** New binaries, new static pods, and a kubelet that is away for a moment. */
function install(runtime: ClusterRuntime, machine: Machine, target: string): void {
  const { world, cluster, store } = runtime;
  const control = machine.inside.role !== 'worker';
  machine.inside.kubernetesVersion = target;
  world.records.save('machine', machine);
  if (control && cluster.version !== target) moveCluster(runtime, target);
  const node = store.find(nodes, '', nodeNameOf(machine));
  if (node !== undefined) {
    store.change(nodes, node, (draft) => {
      part(draft, 'status')['conditions'] = withCondition(node, world.clock.iso(), {
        type: 'Ready',
        status: 'False',
        reason: 'KubeletNotReady',
      });
    });
  }
  const backAgain = () => {
    if (machine.inside.kubeletUp) registerNodeObject(runtime, machine);
  };
  const single = control && cluster.memberIds.length <= 1;
  world.clock.after(latencyMs.kubeletRestart, backAgain);
  if (!single) return;
  runtime.restarting = true;
  world.changed();
  world.clock.after(latencyMs.apiRestart, () => {
    runtime.restarting = false;
    world.changed();
    runtime.wake();
  });
}

function moveCluster(runtime: ClusterRuntime, target: string): void {
  const { world, cluster, store } = runtime;
  const before = cluster.version;
  cluster.version = target;
  world.records.save('cluster', cluster);
  const proxy = store.find(daemonSets, 'kube-system', 'kube-proxy');
  if (proxy !== undefined) {
    store.change(daemonSets, proxy, (draft) => {
      for (const container of objectsAt(draft, 'spec', 'template', 'spec', 'containers'))
        container['image'] = `registry.k8s.io/kube-proxy:v${target}`;
    });
  }
  const config = store.find(configMaps, 'kube-system', 'kubeadm-config');
  if (config !== undefined) {
    store.change(configMaps, config, (draft) => {
      const data = part(draft, 'data');
      data['ClusterConfiguration'] = String(data['ClusterConfiguration']).replace(`v${before}`, `v${target}`);
    });
  }
  world.effect('cluster version moved', noOrigin, { cluster: cluster.id, from: before, to: target });
}
