/** Subresources: status, scale, finalize, log, eviction, binding. */
import { copy, isObject, type JsonObject, numberAt, pick, textAt } from '@/simulator/core/json';
import { patched } from './apply-requests';
import { readObject, readOptions, readPatch } from './bodies';
import { evict } from './eviction';
import { type KubeObject, nameOf, namespaceOf, part } from './objects';
import type { Reply } from './reply';
import { json } from './reply';
import type { ApiRequest, Target } from './request';
import { StatusError } from './status';

function statusReply(request: ApiRequest, target: Target, before: KubeObject): Reply {
  if (request.method === 'GET') return json(200, before);
  const wanted =
    request.method === 'PUT' ? readObject(request, target.resource) : patchedStatus(request, target, before);
  const next = copy(before);
  if (wanted['status'] !== undefined) next['status'] = wanted['status'];
  return json(200, request.runtime.store.replace(target.resource, next));
}

function patchedStatus(request: ApiRequest, target: Target, before: KubeObject): KubeObject {
  if (!request.contentType.startsWith('application/apply-patch')) return patched(request, target.resource, before);
  const applied = readPatch(request);
  return isObject(applied)
    ? {
        ...before,
        status: {
          ...(isObject(before['status']) ? before['status'] : {}),
          ...(isObject(applied['status']) ? applied['status'] : {}),
        },
      }
    : before;
}

function scaleOf(object: KubeObject): JsonObject {
  const labels = pick(object, 'spec', 'selector', 'matchLabels');
  const selector = isObject(labels)
    ? Object.entries(labels)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(',')
    : '';
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: nameOf(object),
      namespace: namespaceOf(object),
      uid: textAt(object, 'metadata', 'uid'),
      resourceVersion: textAt(object, 'metadata', 'resourceVersion'),
    },
    spec: { replicas: numberAt(object, 'spec', 'replicas') ?? 0 },
    status: { replicas: numberAt(object, 'status', 'replicas') ?? 0, selector },
  };
}

function scaleReply(request: ApiRequest, target: Target, before: KubeObject): Reply {
  if (request.method === 'GET') return json(200, scaleOf(before));
  const scale = scaleOf(before);
  const wanted = request.method === 'PUT' ? readOptions(request) : patched(request, target.resource, scale);
  const replicas = numberAt(wanted, 'spec', 'replicas');
  if (replicas === undefined || replicas < 0) throw new StatusError(422, 'spec.replicas: Invalid value');
  const next = copy(before);
  part(next, 'spec')['replicas'] = replicas;
  return json(200, scaleOf(request.runtime.store.replace(target.resource, next)));
}

function logReply(request: ApiRequest, pod: KubeObject): Reply {
  const node = textAt(pod, 'spec', 'nodeName');
  if (node === undefined) throw new StatusError(400, `pod ${nameOf(pod)} does not have a host assigned`);
  const machine = request.runtime.machines().find((candidate) => candidate.inside.intent?.nodeName === node);
  if (machine === undefined || !machine.inside.kubeletUp)
    throw new StatusError(500, `Get "https://${node}:10250/containerLogs": dial tcp: connect: connection refused`);
  const log = textAt(pod, 'metadata', 'annotations', 'simulator/log');
  return { status: 200, body: log ?? `${nameOf(pod)} is running on ${node}\n`, contentType: 'text/plain' };
}

function bind(request: ApiRequest, target: Target, pod: KubeObject): Reply {
  const next = copy(pod);
  part(next, 'spec')['nodeName'] = textAt(readOptions(request), 'target', 'name') ?? '';
  request.runtime.store.replace(target.resource, next);
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

export function answerSubresource(request: ApiRequest, target: Target): Reply {
  const { resource, subresource } = target;
  if (!resource.subresources.includes(subresource))
    throw new StatusError(404, 'the server could not find the requested resource');
  if (subresource === 'eviction') return evict(request, target);
  const object = request.runtime.store.get(resource, target.namespace, target.name);
  switch (subresource) {
    case 'status':
      return statusReply(request, target, object);
    case 'scale':
      return scaleReply(request, target, object);
    case 'log':
      return logReply(request, object);
    case 'binding':
      return bind(request, target, object);
    default:
      return json(200, object);
  }
}
