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

/** `$deleteFromPrimitiveList/<field>`: these entries go. */
function deleteEntries(result: JsonObject, field: string, value: Json | undefined): void {
  const gone = Array.isArray(value) ? value : [];
  const before = result[field];
  if (Array.isArray(before)) result[field] = before.filter((entry) => !gone.some((other) => equal(entry, other)));
}

function patchMember(result: JsonObject, key: string, value: Json): void {
  if (value === null) delete result[key];
  else if (Array.isArray(value)) result[key] = strategicList(result[key], value, key);
  else result[key] = strategicPatch(result[key], value);
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
    if (key.startsWith('$deleteFromPrimitiveList/')) deleteEntries(result, key.slice(key.indexOf('/') + 1), value);
    else if (!key.startsWith('$') && value !== undefined) patchMember(result, key, value);
  }
  return result;
}

interface Operation {
  op: string;
  path: string;
  value?: Json;
  from?: string;
}

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

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

type Edit = 'add' | 'replace' | 'remove';

function editList(list: Json[], token: string, action: Edit, value: Json): void {
  const index = token === '-' ? list.length : Number(token);
  const last = action === 'add' ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > last) throw broken(`nothing at index ${token}`);
  if (action === 'add') list.splice(index, 0, value);
  else if (action === 'replace') list[index] = value;
  else list.splice(index, 1);
}

function edit(document: Json, pointer: string, action: Edit, value: Json | undefined): void {
  const path = pathOf(pointer);
  const last = path.pop();
  if (last === undefined) throw broken('the whole document can not be replaced');
  const container = resolve(document, path);
  if (Array.isArray(container)) {
    editList(container, last, action, value ?? null);
    return;
  }
  if (!isObject(container) || (action !== 'add' && container[last] === undefined))
    throw broken(`nothing at ${pointer}`);
  if (action === 'remove') delete container[last];
  else container[last] = value ?? null;
}

function readOperation(entry: Json): Operation {
  if (!isObject(entry) || typeof entry['op'] !== 'string' || typeof entry['path'] !== 'string')
    throw new StatusError(400, 'a JSON patch is a list of operations');
  const operation: Operation = { op: entry['op'], path: entry['path'] };
  if (entry['value'] !== undefined) operation.value = entry['value'];
  if (typeof entry['from'] === 'string') operation.from = entry['from'];
  return operation;
}

function run(document: Json, { op, path, value, from }: Operation): void {
  if (op === 'add' || op === 'replace' || op === 'remove') {
    edit(document, path, op, value);
    return;
  }
  if (op === 'test') {
    if (!equal(resolve(document, pathOf(path)), value)) throw broken(`testing value ${path} failed`);
    return;
  }
  const found = resolve(document, pathOf(from ?? ''));
  if ((op !== 'copy' && op !== 'move') || found === undefined) throw broken(`can't ${op} from ${from ?? ''}`);
  if (op === 'move') edit(document, from ?? '', 'remove', undefined);
  edit(document, path, 'add', copy(found));
}

/** RFC 6902. A body that is no list is refused with 400, as the real server does. */
export function jsonPatch(target: JsonObject, patch: Json): Json {
  if (!Array.isArray(patch)) {
    throw new StatusError(400, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  }
  const document = copy(target);
  for (const entry of patch) run(document, readOperation(entry));
  return document;
}
