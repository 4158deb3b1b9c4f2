/** Storing what a request wants: defaults, checks, conflicts, and a line in the ledger. */

import { copy, textAt } from '@/simulator/core/json';
import { checkObject, setDefaults } from './defaults';
import { isTerminating, type KubeObject, nameOf, namespaceOf, part } from './objects';
import type { ApiRequest, Target } from './request';
import { namespaces, type Resource } from './resources';
import { notFound, StatusError } from './status';

const isDryRun = (request: ApiRequest): boolean => request.query.get('dryRun') === 'All';

/** Objects go only into namespaces that exist and are not being deleted. */
export function checkNamespace(request: ApiRequest, resource: Resource, namespace: string): void {
  if (!resource.namespaced) return;
  const found = request.runtime.store.find(namespaces, '', namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (isTerminating(found))
    throw new StatusError(
      403,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      {
        details: {
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${namespace} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        },
      },
    );
}

export function createObject(request: ApiRequest, target: Target, object: KubeObject): KubeObject {
  const { resource } = target;
  if (resource.namespaced) part(object, 'metadata')['namespace'] = target.namespace;
  checkNamespace(request, resource, target.namespace);
  if (nameOf(object) === '' && textAt(object, 'metadata', 'generateName') !== undefined) {
    part(object, 'metadata')['name'] =
      `${textAt(object, 'metadata', 'generateName')}${Math.random().toString(36).slice(2, 7)}`;
  }
  setDefaults(resource, object);
  checkObject(resource, object);
  if (isDryRun(request)) return object;
  const created = request.runtime.store.create(resource, object);
  effect(request, 'object created', resource, created);
  return created;
}

export function effect(request: ApiRequest, what: string, resource: Resource, object: KubeObject): void {
  const { world, cluster } = request.runtime;
  world.effect(
    what,
    { operation: request.operation || null, account: request.identity.name, jobId: null },
    { cluster: cluster.id, kind: resource.kind, namespace: namespaceOf(object), name: nameOf(object) },
  );
}

/** Stores a changed object: same identity, nobody else in between, valid. The status stays as it is. */
export function storeChange(request: ApiRequest, target: Target, before: KubeObject, wanted: KubeObject): KubeObject {
  const { resource } = target;
  const version = textAt(wanted, 'metadata', 'resourceVersion');
  if (version !== undefined && version !== textAt(before, 'metadata', 'resourceVersion')) {
    throw new StatusError(
      409,
      `Operation cannot be fulfilled on ${resource.plural} "${nameOf(before)}": the object has been modified; please apply your changes to the latest version and try again`,
      { details: { name: nameOf(before), kind: resource.plural } },
    );
  }
  const object = copy(wanted);
  if (nameOf(object) !== nameOf(before))
    throw new StatusError(400, 'the name of the object does not match the name on the URL');
  if (resource.namespaced) part(object, 'metadata')['namespace'] = namespaceOf(before);
  if (!resource.custom && before['status'] !== undefined) object['status'] = before['status'];
  setDefaults(resource, object);
  checkObject(resource, object);
  if (isDryRun(request)) return object;
  const stored = request.runtime.store.replace(resource, object);
  if (stored !== before) effect(request, 'object changed', resource, stored);
  return stored;
}
