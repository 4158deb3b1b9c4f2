/** Requests on stored objects: list, get, create, update, patch, delete. */
import { copy, isObject, type JsonObject, objectAt, textAt } from '@/simulator/core/json';
import { noteUpdate, serverSideApply } from './apply';
import type { Reply } from './api-server';
import { readObject, readPatch } from './bodies';
import { checkObject, setDefaults } from './defaults';
import { deleteCollection, deleteOne } from './deletion';
import { isTerminating, type KubeObject, nameOf, namespaceOf, part } from './objects';
import { jsonPatch, mergePatch, strategicPatch } from './patch';
import type { ApiRequest, Target } from './request';
import { apiVersionOf, namespaces, type Resource } from './resources';
import { selectionOf } from './selectors';
import { notFound, StatusError } from './status';
import { answerSubresource } from './subresources';
import { tableOf, wantsTable } from './tables';

export const json = (status: number, body: JsonObject): Reply => ({ status, body });

/** Who is written down as a field's manager. */
function managerOf(request: ApiRequest): string {
  return request.query.get('fieldManager') ?? request.userAgent.split('/')[0] ?? 'unknown';
}

const isDryRun = (request: ApiRequest): boolean => request.query.get('dryRun') === 'All';

function shown(request: ApiRequest, target: Target, object: KubeObject): JsonObject {
  return wantsTable(request.accept) ? tableOf(target.resource, [object], textAt(object, 'metadata', 'resourceVersion') ?? '') : object;
}

function list(request: ApiRequest, { resource, namespace }: Target): Reply {
  const { store } = request.runtime;
  const selected = store.list(resource, namespace).filter(selectionOf(request.query));
  selected.sort((a, b) => (`${namespaceOf(a)}/${nameOf(a)}` < `${namespaceOf(b)}/${nameOf(b)}` ? -1 : 1));
  const limit = Number(request.query.get('limit') ?? 0);
  const start = Number(Buffer.from(request.query.get('continue') ?? '', 'base64').toString('utf8') || 0);
  const page = limit > 0 ? selected.slice(start, start + limit) : selected.slice(start);
  const rest = selected.length - start - page.length;
  const metadata: JsonObject = { resourceVersion: String(store.version) };
  if (rest > 0) Object.assign(metadata, { continue: Buffer.from(String(start + page.length)).toString('base64'), remainingItemCount: rest });
  if (wantsTable(request.accept)) return json(200, { ...tableOf(resource, page, String(store.version)), metadata });
  return json(200, { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items: page });
}

/** Objects go only into namespaces that exist and are not being deleted. */
export function checkNamespace(request: ApiRequest, resource: Resource, namespace: string): void {
  if (!resource.namespaced) return;
  const found = request.runtime.store.find(namespaces, '', namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (isTerminating(found)) throw new StatusError(403, `unable to create new content in namespace ${namespace} because it is being terminated`, { details: { causes: [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }] } });
}

function createObject(request: ApiRequest, target: Target, object: KubeObject): KubeObject {
  const { resource } = target;
  if (resource.namespaced) part(object, 'metadata')['namespace'] = target.namespace;
  checkNamespace(request, resource, target.namespace);
  if (nameOf(object) === '' && textAt(object, 'metadata', 'generateName') !== undefined) {
    part(object, 'metadata')['name'] = `${textAt(object, 'metadata', 'generateName')}${Math.random().toString(36).slice(2, 7)}`;
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
  world.effect(what, { operation: request.operation || null, account: request.identity.name, jobId: null }, { cluster: cluster.id, kind: resource.kind, namespace: namespaceOf(object), name: nameOf(object) });
}

function create(request: ApiRequest, target: Target): Reply {
  const object = readObject(request, target.resource);
  const given = namespaceOf(object);
  if (given !== '' && target.resource.namespaced && given !== target.namespace) {
    throw new StatusError(400, `the namespace of the provided object does not match the namespace sent on the request`);
  }
  const noted = noteUpdate({ apiVersion: apiVersionOf(target.resource) }, object, { name: managerOf(request), now: request.runtime.world.clock.iso() });
  return json(201, shown(request, target, createObject(request, target, noted)));
}

/** Stores a changed object: same identity, nobody else in between, valid. The status stays as it is. */
export function storeChange(request: ApiRequest, target: Target, before: KubeObject, wanted: KubeObject): KubeObject {
  const { resource } = target;
  const version = textAt(wanted, 'metadata', 'resourceVersion');
  if (version !== undefined && version !== textAt(before, 'metadata', 'resourceVersion')) {
    throw new StatusError(409, `Operation cannot be fulfilled on ${resource.plural} "${nameOf(before)}": the object has been modified; please apply your changes to the latest version and try again`, { details: { name: nameOf(before), kind: resource.plural } });
  }
  const object = copy(wanted);
  if (nameOf(object) !== nameOf(before)) throw new StatusError(400, 'the name of the object does not match the name on the URL');
  if (resource.namespaced) part(object, 'metadata')['namespace'] = namespaceOf(before);
  if (!resource.custom && before['status'] !== undefined) object['status'] = before['status'];
  setDefaults(resource, object);
  checkObject(resource, object);
  if (isDryRun(request)) return object;
  const stored = request.runtime.store.replace(resource, object);
  if (stored !== before) effect(request, 'object changed', resource, stored);
  return stored;
}

function update(request: ApiRequest, target: Target): Reply {
  const before = request.runtime.store.find(target.resource, target.namespace, target.name);
  if (before === undefined) throw notFound(target.resource, target.name);
  const wanted = noteUpdate(before, readObject(request, target.resource), { name: managerOf(request), now: request.runtime.world.clock.iso() });
  return json(200, shown(request, target, storeChange(request, target, before, wanted)));
}

function apply(request: ApiRequest, target: Target): Reply {
  const { runtime, query } = request;
  const manager = query.get('fieldManager');
  if (manager === null || manager === '') throw new StatusError(422, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch');
  const applied = readPatch(request);
  if (!isObject(applied)) throw new StatusError(400, 'an object is expected');
  if (nameOf(applied) !== target.name) throw new StatusError(400, `the name of the object (${nameOf(applied)}) does not match the name on the URL (${target.name})`);
  if (objectAt(applied, 'metadata')['managedFields'] !== undefined) throw new StatusError(400, 'metadata.managedFields must be nil');
  const who = { name: manager, force: query.get('force') === 'true', now: runtime.world.clock.iso() };
  const live = runtime.store.find(target.resource, target.namespace, target.name);
  const normalised = normaliseApplied(target, applied);
  if (live === undefined) {
    const fresh = serverSideApply({ apiVersion: apiVersionOf(target.resource), kind: target.resource.kind, metadata: { name: target.name } }, normalised, who);
    return json(201, shown(request, target, createObject(request, target, fresh)));
  }
  return json(200, shown(request, target, storeChange(request, target, live, serverSideApply(live, normalised, who))));
}

/** `stringData` is written into `data` before ownership is looked at, as the server's own conversion does. */
function normaliseApplied(target: Target, applied: JsonObject): JsonObject {
  const object = copy(applied);
  if (target.resource.kind === 'Secret' && isObject(object['stringData'])) {
    const data = part(object, 'data');
    for (const [key, value] of Object.entries(object['stringData'])) data[key] = Buffer.from(String(value)).toString('base64');
    delete object['stringData'];
  }
  return object;
}

/** The object after a patch of one of the other three kinds. */
export function patched(request: ApiRequest, resource: Resource, before: KubeObject): KubeObject {
  const patch = readPatch(request);
  const type = request.contentType.split(';')[0]?.trim();
  let after: unknown;
  if (type === 'application/json-patch+json') after = jsonPatch(before, patch);
  else if (type === 'application/merge-patch+json') after = mergePatch(before, patch);
  else if (type === 'application/strategic-merge-patch+json' && !resource.custom) after = strategicPatch(before, patch);
  else throw new StatusError(415, `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml${resource.custom ? '' : ', application/strategic-merge-patch+json'}`);
  if (!isObject(after)) throw new StatusError(400, 'the patch does not yield an object');
  return after;
}

function patch(request: ApiRequest, target: Target): Reply {
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
      return json(200, shown(request, target, request.runtime.store.get(target.resource, target.namespace, target.name)));
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
