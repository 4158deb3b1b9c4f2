/** Reading Kubernetes objects. Stored objects are never changed in place: whoever wants a change stores another one. */
import { isObject, type JsonObject, objectAt, objectsAt, textAt, textsAt } from '@/simulator/core/json';

export type KubeObject = JsonObject;

export const nameOf = (object: KubeObject): string => textAt(object, 'metadata', 'name') ?? '';
export const namespaceOf = (object: KubeObject): string => textAt(object, 'metadata', 'namespace') ?? '';
export const uidOf = (object: KubeObject): string => textAt(object, 'metadata', 'uid') ?? '';
export const labelsOf = (object: KubeObject): Record<string, string> => textsAt(object, 'metadata', 'labels');
export const isTerminating = (object: KubeObject): boolean =>
  textAt(object, 'metadata', 'deletionTimestamp') !== undefined;
export const finalizersOf = (object: KubeObject): string[] => {
  const found = objectAt(object, 'metadata')['finalizers'];
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : [];
};

/** The owner that controls the object, if any. */
export function controllerOf(object: KubeObject): JsonObject | undefined {
  return objectsAt(object, 'metadata', 'ownerReferences').find((owner) => owner['controller'] === true);
}

/** The attached part of an object, made when it is missing; for objects that are not stored yet. */
export function part(object: JsonObject, key: string): JsonObject {
  const found = object[key];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  object[key] = made;
  return made;
}

/** The status of a condition, by its type. */
export function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return objectsAt(object, 'status', 'conditions').find((condition) => condition['type'] === type);
}

/** The conditions with this one set; `lastTransitionTime` moves only when the status does. */
export function withCondition(
  object: KubeObject,
  now: string,
  condition: { type: string; status: string; reason: string; message?: string },
): JsonObject[] {
  const before = conditionOf(object, condition.type);
  const same = before?.['status'] === condition.status;
  const lastTransitionTime = (same ? textAt(before, 'lastTransitionTime') : undefined) ?? now;
  const next: JsonObject = { ...condition, message: condition.message ?? '', lastTransitionTime };
  const others = objectsAt(object, 'status', 'conditions').filter((entry) => entry['type'] !== condition.type);
  return [...others, next];
}
