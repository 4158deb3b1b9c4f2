/** Fields as paths, for ownership: what a manager set, where it differs, and the form in `managedFields`. */
import { equal, isObject, type Json, type JsonObject } from '@/simulator/core/json';
import { identityOf } from './list-keys';

/** A path's steps: `f:name` for a member, `k:{…}` for a list entry by its keys. A leaf is compared as a whole. */
export type FieldPath = readonly string[];

const separator = '\u0001';
export const joinPath = (path: FieldPath): string => path.join(separator);
export const splitPath = (text: string): FieldPath => text.split(separator);

/** All leaves of a value with their paths. Lists without keys are leaves. */
export function leavesOf(
  value: Json | undefined,
  path: FieldPath = [],
  found = new Map<string, Json>(),
): Map<string, Json> {
  if (value === undefined) return found;
  const field = path.at(-1)?.slice(2) ?? '';
  if (Array.isArray(value) && value.length > 0) {
    const identities = value.map((entry) => (isObject(entry) ? identityOf(field, entry) : null));
    if (identities.every((identity) => identity !== null)) {
      value.forEach((entry, index) => {
        const step = `k:${JSON.stringify(identities[index])}`;
        leavesOf(entry, [...path, step], found);
      });
      return found;
    }
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, member] of Object.entries(value)) leavesOf(member, [...path, `f:${key}`], found);
    return found;
  }
  if (path.length > 0) found.set(joinPath(path), value);
  return found;
}

/** The fields that nobody owns: identity and what the server fills in. */
const unowned = new Set(['f:apiVersion', 'f:kind', 'f:status']);
const ownedMetadata = new Set(['f:labels', 'f:annotations', 'f:finalizers', 'f:ownerReferences']);

export function isOwnable(path: FieldPath): boolean {
  const [first = '', second = ''] = path;
  if (unowned.has(first)) return false;
  return first !== 'f:metadata' || ownedMetadata.has(second);
}

/** The leaves of `after` that are new or differ in `before`. */
export function changedLeaves(before: JsonObject, after: JsonObject): Set<string> {
  const old = leavesOf(before);
  const changed = new Set<string>();
  for (const [path, value] of leavesOf(after)) {
    if (isOwnable(splitPath(path)) && !equal(old.get(path), value)) changed.add(path);
  }
  return changed;
}

/** A set of paths as the tree that `fieldsV1` holds. */
export function toTree(paths: Iterable<string>): JsonObject {
  const tree: JsonObject = {};
  for (const text of paths) {
    let level = tree;
    for (const step of splitPath(text)) {
      const next = level[step];
      const made: JsonObject = isObject(next) ? next : {};
      level[step] = made;
      level = made;
    }
  }
  return tree;
}

export function fromTree(tree: JsonObject, path: FieldPath = [], found = new Set<string>()): Set<string> {
  const steps = Object.entries(tree).filter(([step]) => step !== '.');
  if (steps.length === 0 && path.length > 0) found.add(joinPath(path));
  for (const [step, below] of steps) fromTree(isObject(below) ? below : {}, [...path, step], found);
  return found;
}

function entryAt(list: readonly Json[], field: string, step: string): number {
  const identity = JSON.parse(step.slice(2)) as JsonObject;
  return list.findIndex((entry) => isObject(entry) && equal(identityOf(field, entry) ?? undefined, identity));
}

/** Removes the leaf at a path, and the list entry or object that it leaves empty. */
export function removeLeaf(value: Json | undefined, path: FieldPath, field = ''): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  if (step.startsWith('k:')) {
    if (!Array.isArray(value)) return false;
    const at = entryAt(value, field, step);
    const entry = value[at];
    if (at < 0 || !isObject(entry)) return false;
    const identity = Object.keys(JSON.parse(step.slice(2)) as JsonObject);
    removeLeaf(entry, rest);
    if (Object.keys(entry).every((key) => identity.includes(key))) value.splice(at, 1);
    return value.length === 0;
  }
  if (!isObject(value)) return false;
  const name = step.slice(2);
  const emptied = removeLeaf(value[name], rest, name);
  if (emptied) delete value[name];
  return Object.keys(value).length === 0;
}
