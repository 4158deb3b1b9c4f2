import type { KubernetesObject, ObjectReference } from '@/infrastructure/kubernetes';

type Named = Pick<KubernetesObject, 'apiVersion' | 'kind'> & {
  metadata: { name: string; namespace?: string | undefined };
};

export function keyOf(object: Named): string {
  return `${object.apiVersion}/${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

export function keyOfReference(reference: ObjectReference): string {
  const { apiVersion, kind, name, namespace } = reference;
  return keyOf({ apiVersion, kind, metadata: { name, namespace } });
}

/** Server-side apply as far as Holdfast needs it: what is named is set, the rest stays. Lists are replaced. */
export function merge(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) merged[key] = merge(before[key], value);
  return merged;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path like `spec.nodeName`. */
export function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const part of path.split('.')) value = isRecord(value) ? value[part] : undefined;
  return value;
}

/** `a=b,c!=d`, with paths for fields and keys for labels. */
export function satisfies(selector: string | undefined, read: (name: string) => unknown): boolean {
  if (selector === undefined || selector === '') return true;
  return selector.split(',').every((term) => {
    const [, name, operator, value] = /^([^=!]+)(!=|==?)(.*)$/.exec(term) ?? [];
    if (name === undefined || operator === undefined || value === undefined) return read(term) !== undefined;
    const equal = String(read(name) ?? '') === value;
    return operator === '!=' ? !equal : equal;
  });
}
