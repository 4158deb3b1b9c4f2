/** Server-side apply: every field belongs to the manager that set it last; conflicts need force. */
import { copy, equal, isObject, type Json, type JsonObject, objectAt, objectsAt, textAt } from '@/simulator/core/json';
import { changedLeaves, fromTree, isOwnable, leavesOf, removeLeaf, splitPath, toTree } from './field-paths';
import { identityOf } from './list-keys';
import { type KubeObject, nameOf, part } from './objects';
import { StatusError } from './status';

interface Manager {
  name: string;
  operation: 'Apply' | 'Update';
  fields: Set<string>;
  time: string;
}

function managersOf(object: KubeObject): Manager[] {
  return objectsAt(object, 'metadata', 'managedFields').map((entry) => ({
    name: textAt(entry, 'manager') ?? '',
    operation: entry['operation'] === 'Apply' ? 'Apply' : 'Update',
    fields: fromTree(objectAt(entry, 'fieldsV1')),
    time: textAt(entry, 'time') ?? '',
  }));
}

function storeManagers(object: KubeObject, managers: readonly Manager[]): void {
  part(object, 'metadata')['managedFields'] = managers
    .filter((manager) => manager.fields.size > 0)
    .map((manager) => ({
      manager: manager.name,
      operation: manager.operation,
      apiVersion: textAt(object, 'apiVersion') ?? 'v1',
      time: manager.time,
      fieldsType: 'FieldsV1',
      fieldsV1: toTree(manager.fields),
    }));
}

/** Puts the applied values over the object; keyed lists entry by entry. */
function overlay(target: Json | undefined, applied: Json, field = ''): Json {
  if (Array.isArray(applied)) {
    const identities = applied.map((entry) => (isObject(entry) ? identityOf(field, entry) : null));
    if (applied.length === 0 || identities.some((identity) => identity === null)) return applied;
    const result = Array.isArray(target) ? [...target] : [];
    applied.forEach((entry, index) => {
      const identity = identities[index] ?? undefined;
      const at = result.findIndex((other) => isObject(other) && equal(identityOf(field, other) ?? undefined, identity));
      if (at < 0) result.push(entry);
      else result[at] = overlay(result[at], entry);
    });
    return result;
  }
  if (!isObject(applied)) return applied;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(applied))
    if (value !== undefined) result[key] = overlay(result[key], value, key);
  return result;
}

function conflictsOf(
  live: KubeObject,
  wanted: ReadonlyMap<string, Json>,
  others: readonly Manager[],
): Map<Manager, string[]> {
  const values = leavesOf(live);
  const conflicts = new Map<Manager, string[]>();
  for (const [path, value] of wanted) {
    if (equal(values.get(path), value)) continue;
    for (const other of others)
      if (other.fields.has(path)) conflicts.set(other, [...(conflicts.get(other) ?? []), path]);
  }
  return conflicts;
}

function readable(path: string): string {
  return splitPath(path)
    .map((step) => (step.startsWith('f:') ? `.${step.slice(2)}` : `[${step.slice(2)}]`))
    .join('');
}

function conflictError(live: KubeObject, conflicts: ReadonlyMap<Manager, string[]>): StatusError {
  const causes = [...conflicts].flatMap(([manager, paths]) =>
    paths.map((path) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with "${manager.name}"`,
      field: readable(path),
    })),
  );
  const names = [...conflicts.keys()].map((manager) => `"${manager.name}"`).join(', ');
  return new StatusError(
    409,
    `Apply failed with ${causes.length} conflict${causes.length === 1 ? '' : 's'}: conflicts with ${names}: ${causes.map((cause) => cause.field).join(', ')}`,
    { details: { name: nameOf(live), causes } },
  );
}

/** The object after `manager` applied its configuration. Fields it applied before and no longer names go, unless others own them. */
export function serverSideApply(
  live: KubeObject,
  applied: KubeObject,
  manager: { name: string; force: boolean; now: string },
): KubeObject {
  const wanted = new Map([...leavesOf(applied)].filter(([path]) => isOwnable(splitPath(path))));
  const managers = managersOf(live);
  const mine = managers.find((entry) => entry.name === manager.name && entry.operation === 'Apply');
  const others = managers.filter((entry) => entry !== mine);
  const conflicts = conflictsOf(live, wanted, others);
  if (conflicts.size > 0 && !manager.force) throw conflictError(live, conflicts);
  for (const [other, paths] of conflicts) for (const path of paths) other.fields.delete(path);
  const { status: _status, ...desired } = applied;
  const result = overlay(copy(live), copy(desired));
  if (!isObject(result)) throw new StatusError(400, 'an object is expected');
  for (const path of mine?.fields ?? []) {
    const elsewhere = others.some((other) => other.fields.has(path));
    if (!wanted.has(path) && !elsewhere && !hasBelow(wanted, path)) removeLeaf(result, splitPath(path));
  }
  const fields = new Set(wanted.keys());
  const unchanged =
    mine !== undefined && mine.fields.size === fields.size && [...fields].every((path) => mine.fields.has(path));
  storeManagers(result, [
    ...others,
    { name: manager.name, operation: 'Apply', fields, time: unchanged ? mine.time : manager.now },
  ]);
  return result;
}

function hasBelow(wanted: ReadonlyMap<string, Json>, path: string): boolean {
  for (const other of wanted.keys()) if (other.startsWith(`${path}\u0001`)) return true;
  return false;
}

/** Notes who changed what by an update or another kind of patch; the fields change hands without asking. */
export function noteUpdate(before: KubeObject, after: KubeObject, manager: { name: string; now: string }): KubeObject {
  const changed = changedLeaves(before, after);
  if (changed.size === 0) return after;
  const managers = managersOf(before);
  let mine = managers.find((entry) => entry.name === manager.name && entry.operation === 'Update');
  if (mine === undefined) {
    mine = { name: manager.name, operation: 'Update', fields: new Set(), time: manager.now };
    managers.push(mine);
  }
  for (const other of managers) if (other !== mine) for (const path of changed) other.fields.delete(path);
  for (const path of changed) mine.fields.add(path);
  mine.time = manager.now;
  const noted = copy(after);
  storeManagers(noted, managers);
  return noted;
}
