/** Requests on stored objects: list, get, create, update, patch, delete. */

import { isObject, type JsonObject, objectAt } from '@/simulator/core/json';
import { noteUpdate, serverSideApply } from './apply';
import { managerOf, normaliseApplied, patched, shown } from './apply-requests';
import { readObject, readPatch } from './bodies';
import { createObject, storeChange } from './changes';
import { deleteCollection, deleteOne } from './deletion';
import { nameOf, namespaceOf } from './objects';
import { json, type Reply } from './reply';
import type { ApiRequest, Target } from './request';
import { apiVersionOf } from './resources';
import { selectionOf } from './selectors';
import { notFound, StatusError } from './status';
import { answerSubresource } from './subresources';
import { tableOf, wantsTable } from './tables';

function list(request: ApiRequest, { resource, namespace }: Target): Reply {
  const { store } = request.runtime;
  const selected = store.list(resource, namespace).filter(selectionOf(request.query));
  selected.sort((a, b) => (`${namespaceOf(a)}/${nameOf(a)}` < `${namespaceOf(b)}/${nameOf(b)}` ? -1 : 1));
  const limit = Number(request.query.get('limit') ?? 0);
  const start = Number(Buffer.from(request.query.get('continue') ?? '', 'base64').toString('utf8') || 0);
  const page = limit > 0 ? selected.slice(start, start + limit) : selected.slice(start);
  const rest = selected.length - start - page.length;
  const metadata: JsonObject = { resourceVersion: String(store.version) };
  if (rest > 0)
    Object.assign(metadata, {
      continue: Buffer.from(String(start + page.length)).toString('base64'),
      remainingItemCount: rest,
    });
  if (wantsTable(request.accept)) return json(200, { ...tableOf(resource, page, String(store.version)), metadata });
  return json(200, { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items: page });
}

export function create(request: ApiRequest, target: Target): Reply {
  const object = readObject(request, target.resource);
  const given = namespaceOf(object);
  if (given !== '' && target.resource.namespaced && given !== target.namespace) {
    throw new StatusError(400, `the namespace of the provided object does not match the namespace sent on the request`);
  }
  const noted = noteUpdate({ apiVersion: apiVersionOf(target.resource) }, object, {
    name: managerOf(request),
    now: request.runtime.world.clock.iso(),
  });
  return json(201, shown(request, target, createObject(request, target, noted)));
}

function update(request: ApiRequest, target: Target): Reply {
  const before = request.runtime.store.find(target.resource, target.namespace, target.name);
  if (before === undefined) throw notFound(target.resource, target.name);
  const wanted = noteUpdate(before, readObject(request, target.resource), {
    name: managerOf(request),
    now: request.runtime.world.clock.iso(),
  });
  return json(200, shown(request, target, storeChange(request, target, before, wanted)));
}

export function apply(request: ApiRequest, target: Target): Reply {
  const { runtime, query } = request;
  const manager = query.get('fieldManager');
  if (manager === null || manager === '')
    throw new StatusError(
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  const applied = readPatch(request);
  if (!isObject(applied)) throw new StatusError(400, 'an object is expected');
  if (nameOf(applied) !== target.name)
    throw new StatusError(
      400,
      `the name of the object (${nameOf(applied)}) does not match the name on the URL (${target.name})`,
    );
  if (objectAt(applied, 'metadata')['managedFields'] !== undefined)
    throw new StatusError(400, 'metadata.managedFields must be nil');
  const who = { name: manager, force: query.get('force') === 'true', now: runtime.world.clock.iso() };
  const live = runtime.store.find(target.resource, target.namespace, target.name);
  const normalised = normaliseApplied(target, applied);
  if (live === undefined) {
    const fresh = serverSideApply(
      { apiVersion: apiVersionOf(target.resource), kind: target.resource.kind, metadata: { name: target.name } },
      normalised,
      who,
    );
    return json(201, shown(request, target, createObject(request, target, fresh)));
  }
  return json(200, shown(request, target, storeChange(request, target, live, serverSideApply(live, normalised, who))));
}

export function patch(request: ApiRequest, target: Target): Reply {
  if (request.contentType.startsWith('application/apply-patch')) return apply(request, target);
  const before = request.runtime.store.get(target.resource, target.namespace, target.name);
  const after = patched(request, target.resource, before);
  const noted = noteUpdate(before, after, { name: managerOf(request), now: request.runtime.world.clock.iso() });
  return json(200, shown(request, target, storeChange(request, target, before, noted)));
}

/** Answers everything but watches. */
export function answerResource(request: ApiRequest, target: Target): Reply {
  if (target.subresource !== '') return answerSubresource(request, target);
  switch (request.method) {
    case 'GET':
      if (target.name === '') return list(request, target);
      return json(
        200,
        shown(request, target, request.runtime.store.get(target.resource, target.namespace, target.name)),
      );
    case 'POST':
      return create(request, target);
    case 'PUT':
      return update(request, target);
    case 'PATCH':
      return patch(request, target);
    case 'DELETE':
      return target.name === '' ? deleteCollection(request, target) : deleteOne(request, target);
    default:
      throw new StatusError(405, 'the server does not allow this method on the requested resource');
  }
}
