/*
 * The four functions of the metadata proposal that `tsyringe` (inside @peculiar/x509) demands when it is loaded. Import this
 * file before @peculiar/x509. It does nothing where the real polyfill is loaded already.
 */
type MetadataKey = string | symbol;

const known = new WeakMap<object, Map<MetadataKey, unknown>>();

function own(key: MetadataKey, target: object): unknown {
  return known.get(target)?.get(key);
}

function inherited(key: MetadataKey, target: object): unknown {
  for (let each: object | null = target; each !== null; each = Object.getPrototypeOf(each)) {
    if (known.get(each)?.has(key)) return own(key, each);
  }
  return undefined;
}

function define(key: MetadataKey, value: unknown, target: object): void {
  const entries = known.get(target) ?? new Map<MetadataKey, unknown>();
  entries.set(key, value);
  known.set(target, entries);
}

if (!('getMetadata' in Reflect)) {
  Object.assign(Reflect, {
    getMetadata: inherited,
    getOwnMetadata: own,
    defineMetadata: define,
    metadata: (key: MetadataKey, value: unknown) => (target: object) => define(key, value, target),
  });
}
