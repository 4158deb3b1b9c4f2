/** The patch formats but server-side apply: JSON patch, merge patch, strategic merge patch. */
import { copy, equal, isObject, type Json, type JsonObject } from '@/simulator/core/json';
import { mergeKeyOf } from './list-keys';
import { StatusError } from './status';

/** RFC 7386. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = mergePatch(result[key], value);
  }
  return result;
}

function keep(list: readonly Json[], directive: JsonObject, key: string): Json[] {
  return list.filter((entry) => !(isObject(entry) && equal(entry[key], directive[key])));
}

function strategicList(target: Json | undefined, patch: readonly Json[], field: string): Json[] {
  const before = Array.isArray(target) ? target : [];
  if (patch.some((entry) => isObject(entry) && entry['$patch'] === 'replace')) {
    return patch.filter((entry) => !(isObject(entry) && entry['$patch'] === 'replace'));
  }
  if (field === 'finalizers') return [...new Set([...before, ...patch])];
  const key = mergeKeyOf(field, [...before, ...patch]);
  if (key === null) return [...patch];
  let result = [...before];
  for (const entry of patch) {
    if (!isObject(entry)) continue;
    if (entry['$patch'] === 'delete') {
      result = keep(result, entry, key);
      continue;
    }
    const at = result.findIndex((other) => isObject(other) && equal(other[key], entry[key]));
    if (at < 0) result.push(strategicPatch(undefined, entry));
    else result[at] = strategicPatch(result[at], entry);
  }
  return result;
}

/** Lists whose entries have a merge key are merged entry by entry, all others replaced. */
export function strategicPatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  if (patch['$patch'] === 'replace') {
    const { $patch: _directive, ...rest } = patch;
    return rest;
  }
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || key.startsWith('$setElementOrder/')) continue;
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const field = key.slice(key.indexOf('/') + 1);
      const gone = Array.isArray(value) ? value : [];
      const before = result[field];
      if (Array.isArray(before)) result[field] = before.filter((entry) => !gone.some((other) => equal(entry, other)));
    } else if (value === null) delete result[key];
    else if (Array.isArray(value)) result[key] = strategicList(result[key], value, key);
    else if (value !== undefined) result[key] = strategicPatch(result[key], value);
  }
  return result;
}

interface Operation {
  op: string;
  path: string;
  value?: Json;
  from?: string;
}

const pathOf = (pointer: string): string[] => pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

function broken(message: string): StatusError {
  return new StatusError(422, `the server rejected our request due to an error in our request: ${message}`);
}

function child(container: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(container)) return container[Number(token)];
  return isObject(container) ? container[token] : undefined;
}

function resolve(document: Json, path: readonly string[]): Json | undefined {
  let current: Json | undefined = document;
  for (const token of path) current = child(current, token);
  return current;
}

function edit(document: Json, pointer: string, action: 'add' | 'replace' | 'remove', value: Json | undefined): void {
  const path = pathOf(pointer);
  const last = path.pop();
  const container = resolve(document, path);
  if (last === undefined) throw broken('the whole document can not be replaced');
  if (Array.isArray(container)) {
    const index = last === '-' ? container.length : Number(last);
    if (!Number.isInteger(index) || index > container.length) throw broken(`bad index ${pointer}`);
    if (action === 'add') container.splice(index, 0, value ?? null);
    else if (index >= container.length) throw broken(`nothing at ${pointer}`);
    else if (action === 'replace') container[index] = value ?? null;
    else container.splice(index, 1);
    return;
  }
  if (!isObject(container)) throw broken(`nothing at ${pointer}`);
  if (action !== 'add' && container[last] === undefined) throw broken(`nothing at ${pointer}`);
  if (action === 'remove') delete container[last];
  else container[last] = value ?? null;
}

function readOperation(entry: Json): Operation {
  if (!isObject(entry) || typeof entry['op'] !== 'string' || typeof entry['path'] !== 'string') throw new StatusError(400, 'a JSON patch is a list of operations');
  const operation: Operation = { op: entry['op'], path: entry['path'] };
  if (entry['value'] !== undefined) operation.value = entry['value'];
  if (typeof entry['from'] === 'string') operation.from = entry['from'];
  return operation;
}

/** RFC 6902. A body that is no list is refused with 400, as the real server does. */
export function jsonPatch(target: JsonObject, patch: Json): Json {
  if (!Array.isArray(patch)) throw new StatusError(400, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  const document = copy(target);
  for (const entry of patch) {
    const { op, path, value, from } = readOperation(entry);
    if (op === 'add' || op === 'replace' || op === 'remove') edit(document, path, op, value);
    else if (op === 'test') {
      if (!equal(resolve(document, pathOf(path)), value)) throw broken(`testing value ${path} failed`);
    } else if (op === 'copy' || op === 'move') {
      const found = resolve(document, pathOf(from ?? ''));
      if (found === undefined) throw broken(`nothing at ${from}`);
      if (op === 'move') edit(document, from ?? '', 'remove', undefined);
      edit(document, path, 'add', copy(found));
    } else throw broken(`unknown operation ${op}`);
  }
  return document;
}
