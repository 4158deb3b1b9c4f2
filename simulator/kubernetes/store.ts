/** The objects of one cluster, with versions, uids, generations, finalizers and a short history for watches. */

import { randomUUID } from 'node:crypto';
import { copy, equal, isObject, type JsonObject, textAt } from '@/simulator/core/json';
import type { Records } from '@/simulator/core/records';
import { finalizersOf, isTerminating, type KubeObject, nameOf, namespaceOf, part, uidOf } from './objects';
import { apiVersionOf, type Resource, resourceKey } from './resources';
import { notFound, StatusError } from './status';
import { isGraceful, sameWish } from './store-rules';

export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  key: string;
  object: KubeObject;
  /** How it looked before, for watches whose selector it leaves. */
  before: KubeObject | null;
  version: number;
}

const keptChanges = 1_000;

export class ObjectStore {
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #records: Records;
  readonly #clusterId: string;
  readonly #now: () => string;
  #history: Change[] = [];
  #version = 1_000;

  constructor(records: Records, clusterId: string, now: () => string) {
    this.#records = records;
    this.#clusterId = clusterId;
    this.#now = now;
    const prefix = `${clusterId}|`;
    for (const stored of records.all('object')) {
      if (!stored.id.startsWith(prefix)) continue;
      const [, key = ''] = stored.id.split('|');
      this.#of(key).set(`${namespaceOf(stored.object)}/${nameOf(stored.object)}`, stored.object);
      this.#version = Math.max(this.#version, Number(textAt(stored.object, 'metadata', 'resourceVersion') ?? 0));
    }
    // Versions handed out but not stored any more (deletions) must not come again.
    this.#version += keptChanges;
  }

  get version(): number {
    return this.#version;
  }

  list(resource: Resource, namespace = ''): KubeObject[] {
    const all = [...this.#of(resourceKey(resource)).values()];
    return namespace === '' ? all : all.filter((object) => namespaceOf(object) === namespace);
  }

  find(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    return this.#of(resourceKey(resource)).get(`${resource.namespaced ? namespace : ''}/${name}`);
  }

  get(resource: Resource, namespace: string, name: string): KubeObject {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw notFound(resource, name);
    return found;
  }

  /** Stores a new object; fills in what the server sets. 409 when the name is taken. */
  create(resource: Resource, given: KubeObject): KubeObject {
    const object = copy(given);
    const metadata = part(object, 'metadata');
    if (metadata['name'] === undefined && typeof metadata['generateName'] === 'string') {
      metadata['name'] = `${metadata['generateName']}${randomUUID().slice(0, 5)}`;
    }
    if (!resource.namespaced) delete metadata['namespace'];
    if (this.find(resource, namespaceOf(object), nameOf(object)) !== undefined) {
      throw new StatusError(409, `${resource.plural} "${nameOf(object)}" already exists`, {
        reason: 'AlreadyExists',
        details: { name: nameOf(object), kind: resource.plural },
      });
    }
    Object.assign(object, { apiVersion: apiVersionOf(resource), kind: resource.kind });
    Object.assign(metadata, { uid: randomUUID(), creationTimestamp: this.#now(), generation: 1 });
    delete metadata['deletionTimestamp'];
    return this.#put(resource, object, null);
  }

  /**
   * Replaces an object. Nothing happens when nothing differs. The generation moves when anything but metadata and status
   * did. An object that is being deleted goes when its last finalizer does.
   */
  replace(resource: Resource, given: KubeObject): KubeObject {
    const before = this.get(resource, namespaceOf(given), nameOf(given));
    const object = copy(given);
    const metadata = part(object, 'metadata');
    const kept = part(copy(before), 'metadata');
    for (const field of [
      'uid',
      'creationTimestamp',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
      'generation',
      'resourceVersion',
    ] as const) {
      if (kept[field] === undefined) delete metadata[field];
      else metadata[field] = kept[field];
    }
    Object.assign(object, { apiVersion: apiVersionOf(resource), kind: resource.kind });
    if (equal(object, before)) return before;
    if (!sameWish(object, before)) metadata['generation'] = Number(kept['generation'] ?? 0) + 1;
    if (isTerminating(object) && finalizersOf(object).length === 0 && !isGraceful(resource))
      return this.#drop(resource, object);
    return this.#put(resource, object, before);
  }

  /** Changes an object by a function on a copy of it; undefined when it is gone. */
  change(resource: Resource, object: KubeObject, edit: (draft: JsonObject) => void): KubeObject | undefined {
    const current = this.find(resource, namespaceOf(object), nameOf(object));
    if (current === undefined || uidOf(current) !== uidOf(object)) return undefined;
    const draft = copy(current);
    edit(draft);
    return this.replace(resource, draft);
  }

  /** Sets only the status. */
  setStatus(resource: Resource, object: KubeObject, status: JsonObject): KubeObject | undefined {
    return this.change(resource, object, (draft) => {
      draft['status'] = { ...(isObject(draft['status']) ? draft['status'] : {}), ...status };
    });
  }

  /** Marks as being deleted, where something still has to be done first; otherwise the object goes at once. */
  markDeleted(resource: Resource, object: KubeObject, graceSeconds: number): KubeObject {
    const current = this.get(resource, namespaceOf(object), nameOf(object));
    const waits = finalizersOf(current).length > 0 || (isGraceful(resource) && graceSeconds > 0);
    if (!waits) return this.#drop(resource, current);
    if (isTerminating(current)) return current;
    const marked = copy(current);
    Object.assign(part(marked, 'metadata'), {
      deletionTimestamp: this.#now(),
      deletionGracePeriodSeconds: graceSeconds,
    });
    return this.#put(resource, marked, current);
  }

  /** Takes an object away at once, whatever it waits for. */
  remove(resource: Resource, object: KubeObject): void {
    const current = this.find(resource, namespaceOf(object), nameOf(object));
    if (current !== undefined && uidOf(current) === uidOf(object)) this.#drop(resource, current);
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What changed after a version, or null when that is too long ago to say. */
  changesAfter(version: number): Change[] | null {
    const oldest = this.#history[0]?.version ?? this.#version + 1;
    if (version + 1 < oldest && version < this.#version) return null;
    return this.#history.filter((change) => change.version > version);
  }

  #put(resource: Resource, object: KubeObject, before: KubeObject | null): KubeObject {
    this.#version += 1;
    part(object, 'metadata')['resourceVersion'] = String(this.#version);
    const key = resourceKey(resource);
    const name = `${namespaceOf(object)}/${nameOf(object)}`;
    this.#of(key).set(name, object);
    this.#records.save('object', { id: `${this.#clusterId}|${key}|${name}`, object });
    this.#tell({ type: before === null ? 'ADDED' : 'MODIFIED', key, object, before, version: this.#version });
    return object;
  }

  #drop(resource: Resource, object: KubeObject): KubeObject {
    this.#version += 1;
    const key = resourceKey(resource);
    const name = `${namespaceOf(object)}/${nameOf(object)}`;
    const last = copy(object);
    part(last, 'metadata')['resourceVersion'] = String(this.#version);
    this.#of(key).delete(name);
    this.#records.remove('object', `${this.#clusterId}|${key}|${name}`);
    this.#tell({ type: 'DELETED', key, object: last, before: object, version: this.#version });
    return last;
  }

  #tell(change: Change): void {
    this.#history.push(change);
    if (this.#history.length > keptChanges) this.#history.shift();
    for (const listener of [...this.#listeners]) listener(change);
  }

  #of(key: string): Map<string, KubeObject> {
    let objects = this.#objects.get(key);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(key, objects);
    }
    return objects;
  }
}
