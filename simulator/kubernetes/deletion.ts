/** Deleting objects: graceful for pods, step by step for namespaces, at once for the rest unless finalizers hold it. */
import { type JsonObject, numberAt, objectsAt, textAt } from '@/simulator/core/json';
import { readOptions } from './bodies';
import { effect } from './changes';
import type { ClusterRuntime } from './cluster-runtime';
import { isTerminating, type KubeObject, nameOf, uidOf } from './objects';
import type { Reply } from './reply';
import type { ApiRequest, Target } from './request';
import { namespaces, pods, type Resource } from './resources';
import { selectionOf } from './selectors';
import { StatusError, success } from './status';

function graceOf(resource: Resource, object: KubeObject, asked: number | undefined): number {
  if (resource === namespaces) return 1;
  if (resource !== pods) return 0;
  if (textAt(object, 'spec', 'nodeName') === undefined) return 0;
  return asked ?? numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30;
}

function checkPreconditions(object: KubeObject, options: JsonObject): void {
  const uid = textAt(options, 'preconditions', 'uid');
  const version = textAt(options, 'preconditions', 'resourceVersion');
  const differs =
    (uid !== undefined && uid !== uidOf(object)) ||
    (version !== undefined && version !== textAt(object, 'metadata', 'resourceVersion'));
  if (differs)
    throw new StatusError(
      409,
      `Operation cannot be fulfilled: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${uidOf(object)}`,
    );
}

/** Dependents lose their owner and stay. */
function orphan(runtime: ClusterRuntime, owner: KubeObject): void {
  for (const resource of runtime.resources()) {
    for (const object of runtime.store.list(resource)) {
      const owners = objectsAt(object, 'metadata', 'ownerReferences');
      if (!owners.some((entry) => entry['uid'] === uidOf(owner))) continue;
      runtime.store.change(resource, object, (draft) => {
        const metadata = draft['metadata'] as JsonObject;
        metadata['ownerReferences'] = owners.filter((entry) => entry['uid'] !== uidOf(owner));
      });
    }
  }
}

/** Deletes as the options say; returns the object as it is then. */
export function deleteObject(
  runtime: ClusterRuntime,
  resource: Resource,
  object: KubeObject,
  options: JsonObject = {},
): KubeObject {
  checkPreconditions(object, options);
  if (options['propagationPolicy'] === 'Orphan') orphan(runtime, object);
  const grace = graceOf(resource, object, numberAt(options, 'gracePeriodSeconds'));
  const marked = runtime.store.markDeleted(resource, object, grace);
  if (resource === namespaces && isTerminating(marked)) {
    return runtime.store.setStatus(namespaces, marked, { phase: 'Terminating' }) ?? marked;
  }
  return marked;
}

function optionsOf(request: ApiRequest): JsonObject {
  const options = readOptions(request);
  const policy = request.query.get('propagationPolicy');
  const grace = request.query.get('gracePeriodSeconds');
  if (policy !== null) options['propagationPolicy'] = policy;
  if (grace !== null) options['gracePeriodSeconds'] = Number(grace);
  return options;
}

export function deleteOne(request: ApiRequest, target: Target): Reply {
  const { runtime } = request;
  const object = runtime.store.get(target.resource, target.namespace, target.name);
  if (request.query.get('dryRun') === 'All') return { status: 200, body: object };
  const left = deleteObject(runtime, target.resource, object, optionsOf(request));
  effect(request, 'object deleted', target.resource, object);
  const gone = runtime.store.find(target.resource, target.namespace, target.name) === undefined;
  if (!gone) return { status: 200, body: left };
  return {
    status: 200,
    body: success({
      name: nameOf(object),
      group: target.resource.group,
      kind: target.resource.plural,
      uid: uidOf(object),
    }),
  };
}

export function deleteCollection(request: ApiRequest, target: Target): Reply {
  const { runtime } = request;
  const options = optionsOf(request);
  const found = runtime.store.list(target.resource, target.namespace).filter(selectionOf(request.query));
  for (const object of found) {
    deleteObject(runtime, target.resource, object, options);
    effect(request, 'object deleted', target.resource, object);
  }
  return {
    status: 200,
    body: {
      kind: `${target.resource.kind}List`,
      apiVersion: 'v1',
      metadata: { resourceVersion: String(runtime.store.version) },
      items: found,
    },
  };
}
