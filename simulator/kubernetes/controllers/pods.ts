/** The life of pods, as their kubelets would play it: start, ready, end. */

import { type JsonObject, objectsAt, pick, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { deleteObject } from '@/simulator/kubernetes/deletion';
import {
  conditionOf,
  controllerOf,
  isTerminating,
  type KubeObject,
  nameOf,
  namespaceOf,
  uidOf,
  withCondition,
} from '@/simulator/kubernetes/objects';
import { claims, configMaps, nodes, pods, secrets } from '@/simulator/kubernetes/resources';
import { componentHold } from './components';
import { startJobPod } from './job-pods';
import { currentPod, kubeletOf } from './kubelets';
import { isFinished, phaseOf } from './owned-pods';

function containers(pod: KubeObject, state: JsonObject, ready: boolean): JsonObject[] {
  return objectsAt(pod, 'spec', 'containers').map((container) => ({
    name: container['name'],
    image: container['image'],
    imageID: '',
    ready,
    started: ready,
    restartCount: 0,
    state,
  }));
}

/** What kubelet waits for before it starts the containers, or null. */
function missingInput(runtime: ClusterRuntime, pod: KubeObject): string | null {
  const namespace = namespaceOf(pod);
  for (const volume of objectsAt(pod, 'spec', 'volumes')) {
    const secret = textAt(volume, 'secret', 'secretName');
    if (
      secret !== undefined &&
      pick(volume, 'secret', 'optional') !== true &&
      runtime.store.find(secrets, namespace, secret) === undefined
    )
      return `secret "${secret}" not found`;
    const map = textAt(volume, 'configMap', 'name');
    if (
      map !== undefined &&
      pick(volume, 'configMap', 'optional') !== true &&
      runtime.store.find(configMaps, namespace, map) === undefined
    )
      return `configmap "${map}" not found`;
    const claim = textAt(volume, 'persistentVolumeClaim', 'claimName');
    if (claim !== undefined && textAt(runtime.store.find(claims, namespace, claim), 'status', 'phase') !== 'Bound')
      return `claim "${claim}" is not bound`;
  }
  return null;
}

/** With the pull policy Never, an image must be on the node. */
function missingImage(runtime: ClusterRuntime, pod: KubeObject): boolean {
  const node = runtime.store.find(nodes, '', textAt(pod, 'spec', 'nodeName') ?? '');
  const known = new Set(
    objectsAt(node, 'status', 'images').flatMap((image) => (Array.isArray(image['names']) ? image['names'] : [])),
  );
  return objectsAt(pod, 'spec', 'containers').some(
    (container) => container['imagePullPolicy'] === 'Never' && !known.has(container['image'] ?? ''),
  );
}

function setWaiting(runtime: ClusterRuntime, pod: KubeObject, reason: string, message: string): void {
  runtime.store.setStatus(pods, pod, {
    phase: 'Pending',
    containerStatuses: containers(pod, { waiting: { reason, message } }, false),
  });
}

function start(runtime: ClusterRuntime, pod: KubeObject): void {
  const current = currentPod(runtime, pod);
  if (current === undefined || isTerminating(current) || phaseOf(current) !== 'Pending') return;
  const missing = missingInput(runtime, current);
  if (missing !== null) {
    setWaiting(runtime, current, 'ContainerCreating', missing);
    return;
  }
  if (missingImage(runtime, current)) {
    setWaiting(runtime, current, 'ErrImageNeverPull', 'Container image is not present with pull policy of Never');
    return;
  }
  const now = runtime.world.clock.iso();
  const job = controllerOf(current)?.['kind'] === 'Job';
  const held = job ? null : componentHold(runtime, current);
  const ready = held === null;
  const initialised = withCondition(current, now, { type: 'Initialized', status: 'True', reason: '' });
  const conditions = withCondition({ ...current, status: { conditions: initialised } }, now, {
    type: 'Ready',
    status: ready ? 'True' : 'False',
    reason: ready ? '' : 'ContainersNotReady',
    message: held ?? '',
  });
  const machine = kubeletOf(runtime, textAt(current, 'spec', 'nodeName') ?? '');
  runtime.store.setStatus(pods, current, {
    phase: 'Running',
    startTime: now,
    hostIP: machine?.ip ?? '',
    podIP: podIp(current),
    conditions,
    containerStatuses: containers(
      current,
      ready ? { running: { startedAt: now } } : { waiting: { reason: 'CrashLoopBackOff', message: held ?? '' } },
      ready,
    ),
  });
}

function podIp(pod: KubeObject): string {
  const digits = Number.parseInt(uidOf(pod).slice(0, 4), 16) || 0;
  return `192.168.${(digits >> 8) & 0xff}.${digits & 0xff || 1}`;
}

/** A running pod that is not ready gets so when what held it is over. */
function recover(runtime: ClusterRuntime, pod: KubeObject): void {
  const current = currentPod(runtime, pod);
  if (current === undefined || phaseOf(current) !== 'Running' || conditionOf(current, 'Ready')?.['status'] === 'True')
    return;
  const held = controllerOf(current)?.['kind'] === 'Job' ? null : componentHold(runtime, current);
  const now = runtime.world.clock.iso();
  if (held === null) {
    runtime.store.setStatus(pods, current, {
      conditions: withCondition(current, now, { type: 'Ready', status: 'True', reason: '' }),
      containerStatuses: containers(current, { running: { startedAt: now } }, true),
    });
  } else {
    runtime.after(`recover/${uidOf(pod)}`, latencyMs.retry, () => recover(runtime, pod));
  }
}

function end(runtime: ClusterRuntime, pod: KubeObject): void {
  const nodeName = textAt(pod, 'spec', 'nodeName') ?? '';
  // Without its kubelet a pod stays Terminating for as long as its Node object is there.
  if (kubeletOf(runtime, nodeName) === undefined && runtime.store.find(nodes, '', nodeName) !== undefined) return;
  runtime.after(`end/${uidOf(pod)}`, latencyMs.podStop, () => runtime.store.remove(pods, pod));
}

function loseNode(runtime: ClusterRuntime, pod: KubeObject, node: KubeObject | undefined): void {
  if (node === undefined) {
    runtime.after(`orphan/${uidOf(pod)}`, latencyMs.podStop, () => runtime.store.remove(pods, pod));
    return;
  }
  if (
    textAt(conditionOf(node, 'Ready'), 'status') === 'True' ||
    objectsAt(pod, 'spec', 'tolerations').some(
      (toleration) => toleration['operator'] === 'Exists' && toleration['key'] === undefined,
    )
  )
    return;
  if (conditionOf(pod, 'Ready')?.['status'] === 'True') {
    runtime.store.setStatus(pods, pod, {
      conditions: withCondition(pod, runtime.world.clock.iso(), {
        type: 'Ready',
        status: 'False',
        reason: 'NodeNotReady',
      }),
    });
  }
  runtime.after(`evict/${uidOf(pod)}`, latencyMs.podEvictionAfter, () => {
    const now = runtime.store.find(nodes, '', nameOf(node));
    if (now !== undefined && textAt(conditionOf(now, 'Ready'), 'status') === 'True') return;
    const current = runtime.store.find(pods, namespaceOf(pod), nameOf(pod));
    if (current !== undefined && uidOf(current) === uidOf(pod)) deleteObject(runtime, pods, current);
  });
}

/** Sets a Job pod's work off, once; after a restart of the process once more. */
function workOff(runtime: ClusterRuntime, pod: KubeObject): void {
  if (runtime.jobPods.has(uidOf(pod))) return;
  runtime.jobPods.add(uidOf(pod));
  startJobPod(runtime, pod);
}

export function runPods(runtime: ClusterRuntime): void {
  for (const pod of runtime.store.list(pods)) {
    const nodeName = textAt(pod, 'spec', 'nodeName');
    if (nodeName === undefined) continue;
    if (isTerminating(pod)) {
      end(runtime, pod);
      continue;
    }
    const alive = kubeletOf(runtime, nodeName) !== undefined && runtime.store.find(nodes, '', nodeName) !== undefined;
    if (!alive) loseNode(runtime, pod, runtime.store.find(nodes, '', nodeName));
    else if (isFinished(pod)) continue;
    else if (phaseOf(pod) === 'Running' && controllerOf(pod)?.['kind'] === 'Job') workOff(runtime, pod);
    else if (phaseOf(pod) === 'Pending')
      runtime.after(`start/${uidOf(pod)}`, latencyMs.podStart, () => start(runtime, pod));
    else if (conditionOf(pod, 'Ready')?.['status'] !== 'True')
      runtime.after(`recover/${uidOf(pod)}`, latencyMs.componentReady, () => recover(runtime, pod));
  }
}
