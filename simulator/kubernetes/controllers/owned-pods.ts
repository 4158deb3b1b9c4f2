/** Pods that a controller keeps: finding, making and counting them. */
import { copy, isObject, type JsonObject, objectAt, objectsAt, pick, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { setDefaults } from '@/simulator/kubernetes/defaults';
import {
  conditionOf,
  controllerOf,
  isTerminating,
  type KubeObject,
  nameOf,
  namespaceOf,
  uidOf,
} from '@/simulator/kubernetes/objects';
import { namespaces, pods, type Resource } from '@/simulator/kubernetes/resources';

export function ownerReference(owner: KubeObject): JsonObject {
  return {
    apiVersion: owner['apiVersion'],
    kind: owner['kind'],
    name: nameOf(owner),
    uid: uidOf(owner),
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The objects whose controlling owner is this one. */
export function ownedBy(runtime: ClusterRuntime, resource: Resource, owner: KubeObject): KubeObject[] {
  return runtime.store
    .list(resource, namespaceOf(owner))
    .filter((object) => controllerOf(object)?.['uid'] === uidOf(owner));
}

export const isReady = (pod: KubeObject): boolean =>
  conditionOf(pod, 'Ready')?.['status'] === 'True' && !isTerminating(pod);
export const phaseOf = (pod: KubeObject): string => textAt(pod, 'status', 'phase') ?? 'Pending';
export const isFinished = (pod: KubeObject): boolean => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';

/** Pods that count towards what is wanted. */
export const isActive = (pod: KubeObject): boolean => !isTerminating(pod) && !isFinished(pod);

/** Nothing new comes into a namespace that is going or gone. */
export function acceptsPods(runtime: ClusterRuntime, namespace: string): boolean {
  const found = runtime.store.find(namespaces, '', namespace);
  return found !== undefined && !isTerminating(found);
}

/** Makes a pod from the owner's template. `edit` may bind it or give it a name. */
export function createPod(runtime: ClusterRuntime, owner: KubeObject, edit?: (pod: JsonObject) => void): void {
  if (!acceptsPods(runtime, namespaceOf(owner))) return;
  const template = objectAt(owner, 'spec', 'template');
  const pod: JsonObject = {
    metadata: {
      generateName: `${nameOf(owner)}-`,
      namespace: namespaceOf(owner),
      labels: copy(objectAt(template, 'metadata', 'labels')),
      annotations: copy(objectAt(template, 'metadata', 'annotations')),
      ownerReferences: [ownerReference(owner)],
    },
    spec: copy(objectAt(template, 'spec')),
  };
  edit?.(pod);
  setDefaults(pods, pod);
  runtime.store.create(pods, pod);
}

/** A rough comparison of what a pod was made from with a template: images, commands, environment, volumes. */
export function fitsTemplate(pod: KubeObject, template: JsonObject): boolean {
  const essence = (spec: unknown) => {
    const parts = isObject(spec) ? spec : {};
    const containers = objectsAt(parts, 'containers').map((container) => [
      container['name'],
      container['image'],
      container['command'],
      container['args'],
      container['env'],
    ]);
    const annotations = pick(template, 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt');
    return JSON.stringify([containers, parts['volumes'] ?? [], annotations ?? null]);
  };
  return essence(pod['spec']) === essence(template['spec']);
}
