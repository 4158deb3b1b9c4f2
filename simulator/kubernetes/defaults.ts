/** What the server fills in and what it refuses, before an object is stored. */
import { isObject, type JsonObject, listAt, objectAt, objectsAt, pick, textAt } from '@/simulator/core/json';
import { type KubeObject, nameOf, namespaceOf, part } from './objects';
import type { Resource } from './resources';
import { matchesSelector } from './selectors';
import { invalidObject, StatusError } from './status';

function fill(target: JsonObject, defaults: JsonObject): void {
  for (const [key, value] of Object.entries(defaults))
    if (target[key] === undefined || target[key] === null) target[key] = value;
}

function defaultPodSpec(spec: JsonObject): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccountName: 'default',
  });
  for (const container of objectsAt(spec, 'containers')) {
    const image = textAt(container, 'image') ?? '';
    fill(container, {
      imagePullPolicy: /:(?!latest$)[^/]+$/.test(image) ? 'IfNotPresent' : 'Always',
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    });
    for (const port of objectsAt(container, 'ports')) fill(port, { protocol: 'TCP' });
  }
}

const workloadDefaults: Readonly<Record<string, JsonObject>> = {
  Deployment: {
    replicas: 1,
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  },
  ReplicaSet: { replicas: 1 },
  StatefulSet: {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    serviceName: '',
    updateStrategy: { type: 'RollingUpdate' },
  },
  DaemonSet: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
  Job: { completions: 1, parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false },
};

function encodeStringData(object: KubeObject): void {
  const given = object['stringData'];
  if (isObject(given)) {
    const data = part(object, 'data');
    for (const [key, value] of Object.entries(given)) data[key] = Buffer.from(String(value)).toString('base64');
  }
  delete object['stringData'];
  fill(object, { type: 'Opaque' });
}

/** Fills an object in place. */
export function setDefaults(resource: Resource, object: KubeObject): void {
  const workload = workloadDefaults[resource.kind];
  if (workload !== undefined) {
    const spec = part(object, 'spec');
    fill(spec, structuredClone(workload));
    const template = pick(spec, 'template', 'spec');
    if (isObject(template)) defaultPodSpec(template);
  }
  if (resource.kind === 'Pod') {
    defaultPodSpec(part(object, 'spec'));
    fill(object, { status: { phase: 'Pending', qosClass: 'BestEffort' } });
  }
  if (resource.kind === 'Secret') encodeStringData(object);
  if (resource.kind === 'Namespace') {
    fill(part(object, 'spec'), { finalizers: ['kubernetes'] });
    fill(object, { status: { phase: 'Active' } });
    fill(part(part(object, 'metadata'), 'labels'), { 'kubernetes.io/metadata.name': nameOf(object) });
  }
  if (resource.kind === 'Service')
    fill(part(object, 'spec'), { type: 'ClusterIP', sessionAffinity: 'None', clusterIP: '10.96.12.34' });
  if (resource.kind === 'PersistentVolumeClaim') {
    fill(part(object, 'metadata'), { finalizers: ['kubernetes.io/pvc-protection'] });
    fill(object, { status: { phase: 'Pending' } });
  }
  if (resource.kind === 'PersistentVolume') {
    fill(part(object, 'metadata'), { finalizers: ['kubernetes.io/pv-protection'] });
    fill(object, { status: { phase: 'Available' } });
  }
  if (resource.kind === 'PodDisruptionBudget') fill(object, { spec: {} });
}

const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const looselyNamed = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);

function checkWorkload(resource: Resource, object: KubeObject): void {
  const template = objectAt(object, 'spec', 'template');
  if (listAt(template, 'spec', 'containers').length === 0)
    throw invalidObject(resource.kind, nameOf(object), 'spec.template.spec.containers', 'Required value');
  const selector = pick(object, 'spec', 'selector');
  if (resource.kind === 'Job') return;
  if (selector === undefined) throw invalidObject(resource.kind, nameOf(object), 'spec.selector', 'Required value');
  const labels = Object.fromEntries(
    Object.entries(objectAt(template, 'metadata', 'labels')).map(([key, value]) => [key, String(value)]),
  );
  if (!matchesSelector(selector, labels))
    throw invalidObject(
      resource.kind,
      nameOf(object),
      'spec.template.metadata.labels',
      '`selector` does not match template `labels`',
    );
}

function checkConfigData(resource: Resource, object: KubeObject): void {
  const size = JSON.stringify(object['data'] ?? {}).length;
  if (size > 1_048_576)
    throw new StatusError(413, `${resource.kind} "${nameOf(object)}" is too large: at most 1048576 bytes`, {
      reason: 'RequestEntityTooLarge',
    });
  for (const [key, value] of Object.entries(objectAt(object, 'data'))) {
    if (typeof value !== 'string')
      throw new StatusError(400, `${resource.kind} in version "v1" cannot be handled: data.${key} is not a string`);
  }
}

/** Throws 422 (or 400) for what a real API server would not store. */
export function checkObject(resource: Resource, object: KubeObject): void {
  const name = nameOf(object);
  if (name === '')
    throw invalidObject(resource.kind, '', 'metadata.name', 'Required value: name or generateName is required');
  if (!looselyNamed.has(resource.kind) && !resource.custom && !objectName.test(name))
    throw invalidObject(resource.kind, name, 'metadata.name', 'a lowercase RFC 1123 subdomain is expected');
  if (resource.namespaced && namespaceOf(object) === '')
    throw invalidObject(resource.kind, name, 'metadata.namespace', 'Required value');
  if (workloadDefaults[resource.kind] !== undefined) checkWorkload(resource, object);
  if (resource.kind === 'Pod' && listAt(object, 'spec', 'containers').length === 0)
    throw invalidObject('Pod', name, 'spec.containers', 'Required value');
  if (resource.kind === 'ConfigMap' || resource.kind === 'Secret') checkConfigData(resource, object);
}
