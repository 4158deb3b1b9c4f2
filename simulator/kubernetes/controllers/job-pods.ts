/** What a Job's pod does: most do nothing and succeed; a privileged one with the host's disk may upgrade or reset its node. */
import { isObject, type JsonObject, objectsAt, pick, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { type KubeObject, namespaceOf, uidOf, withCondition } from '@/simulator/kubernetes/objects';
import { configMaps, pods } from '@/simulator/kubernetes/resources';
import { currentPod } from './kubelets';
import { resetNode } from './node-reset';
import { upgradeNode } from './node-upgrade';

/** How a pod ended; `lost` pods vanish without saying how. */
export interface Ending {
  phase: 'Succeeded' | 'Failed' | 'lost';
  log: string;
}

function hasHost(pod: KubeObject): boolean {
  const privileged = objectsAt(pod, 'spec', 'containers').some(
    (container) => pick(container, 'securityContext', 'privileged') === true,
  );
  const root = objectsAt(pod, 'spec', 'volumes').some((volume) => textAt(volume, 'hostPath', 'path') === '/');
  return privileged && root && pick(pod, 'spec', 'hostPID') === true;
}

/** Everything that the pod is told to run: commands, arguments, environment, mounted config maps. */
function scriptOf(runtime: ClusterRuntime, pod: KubeObject): string {
  const texts: string[] = [];
  const collect = (value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) for (const entry of value) collect(entry);
    else if (isObject(value)) for (const entry of Object.values(value)) collect(entry);
  };
  for (const container of [...objectsAt(pod, 'spec', 'initContainers'), ...objectsAt(pod, 'spec', 'containers')]) {
    collect(container['command']);
    collect(container['args']);
    for (const variable of objectsAt(container, 'env'))
      if (typeof variable['value'] === 'string') texts.push(`${String(variable['name'])}=${variable['value']}`);
    for (const source of objectsAt(container, 'env'))
      collectMap(textAt(source, 'valueFrom', 'configMapKeyRef', 'name'));
    for (const source of objectsAt(container, 'envFrom')) collectMap(textAt(source, 'configMapRef', 'name'));
  }
  function collectMap(name: string | undefined): void {
    if (name !== undefined) collect(runtime.store.find(configMaps, namespaceOf(pod), name)?.['data']);
  }
  for (const volume of objectsAt(pod, 'spec', 'volumes')) collectMap(textAt(volume, 'configMap', 'name'));
  return texts.join('\n');
}

/** The version that an upgrade script names: an assignment first, then any mention. */
export function targetVersion(script: string): string | null {
  const assigned = /(?:TARGET|VERSION)\w*\s*[=:]\s*["']?v?(1\.\d+\.\d+)/i.exec(script)?.[1];
  return (
    assigned ??
    /kubeadm upgrade apply\s+(?:-\S+\s+)*v?(1\.\d+\.\d+)/.exec(script)?.[1] ??
    /\bv(1\.\d+\.\d+)\b/.exec(script)?.[1] ??
    null
  );
}

/** Ends a pod that runs to completion. */
export function finishPod(runtime: ClusterRuntime, pod: KubeObject, ending: Ending): void {
  const current = currentPod(runtime, pod);
  if (current === undefined) return;
  if (ending.phase === 'lost') {
    runtime.store.remove(pods, current);
    return;
  }
  const exitCode = ending.phase === 'Succeeded' ? 0 : 1;
  const statuses: JsonObject[] = objectsAt(current, 'status', 'containerStatuses').map((status) => ({
    ...status,
    ready: false,
    state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', message: ending.log } },
  }));
  const logged = runtime.store.change(pods, current, (draft) => {
    const metadata = draft['metadata'] as JsonObject;
    metadata['annotations'] = {
      ...(isObject(metadata['annotations']) ? metadata['annotations'] : {}),
      'simulator/log': `${ending.log}\n`,
    };
  });
  const conditions = withCondition(current, runtime.world.clock.iso(), {
    type: 'Ready',
    status: 'False',
    reason: 'PodCompleted',
  });
  runtime.store.setStatus(pods, logged ?? current, { phase: ending.phase, containerStatuses: statuses, conditions });
}

/** Called once, when the pod's containers have started. */
export function startJobPod(runtime: ClusterRuntime, pod: KubeObject): void {
  const script = hasHost(pod) ? scriptOf(runtime, pod) : '';
  const done = (ending: Ending) => finishPod(runtime, pod, ending);
  const upgrading = /kubeadm["']?\s+["']?upgrade|upgrade (apply|node)/.test(script);
  if (upgrading) {
    upgradeNode(runtime, pod, targetVersion(script), done);
    return;
  }
  if (/kubeadm["']?\s+["']?reset|etcdctl.*member remove/.test(script)) {
    resetNode(runtime, pod, script, done);
    return;
  }
  runtime.after(`job-pod/${uidOf(pod)}`, latencyMs.podStart, () => done({ phase: 'Succeeded', log: 'done' }));
}
