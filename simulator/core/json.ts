/** Plain JSON, and safe ways to read into it without knowing its shape. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json | undefined;
}

/** True for objects that are neither null nor arrays. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Follows a path of keys; undefined as soon as something on it is missing. */
export function pick(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const key of path) {
    if (!isObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** The text at a path, or undefined when it is no text. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = pick(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The number at a path; texts that are numbers count. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = pick(value, ...path);
  if (typeof found === 'number') return found;
  if (typeof found === 'string' && found !== '' && Number.isFinite(Number(found))) return Number(found);
  return undefined;
}

/** The array at a path, empty when there is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): Json[] {
  const found = pick(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The objects in the array at a path; anything else in it is left out. */
export function objectsAt(value: Json | undefined, ...path: readonly string[]): JsonObject[] {
  return listAt(value, ...path).filter(isObject);
}

/** The object at a path, an empty one (not attached) when there is none. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = pick(value, ...path);
  return isObject(found) ? found : {};
}

/** The entries of an object at a path whose values are texts. */
export function textsAt(value: Json | undefined, ...path: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [key, entry] of Object.entries(objectAt(value, ...path)))
    if (typeof entry === 'string') texts[key] = entry;
  return texts;
}

/** A deep copy; undefined members are dropped, as on the wire. */
export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Structural equality, independent of the order of keys. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => equal(entry, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => equal(a[key], b[key]));
  }
  return false;
}
