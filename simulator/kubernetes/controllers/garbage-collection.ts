/** What goes with something else: objects of owners that are gone, the contents of namespaces, expired tokens, and CRDs coming up. */
import { objectAt, objectsAt, textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { deleteObject } from '@/simulator/kubernetes/deletion';
import { conditionOf, isTerminating, nameOf, uidOf, withCondition } from '@/simulator/kubernetes/objects';
import { customDefinitions, namespaces, secrets } from '@/simulator/kubernetes/resources';

function collectOrphans(runtime: ClusterRuntime): void {
  const all = runtime
    .resources()
    .flatMap((resource) => runtime.store.list(resource).map((object) => ({ resource, object })));
  const alive = new Set(all.map(({ object }) => uidOf(object)));
  for (const { resource, object } of all) {
    const owners = objectsAt(object, 'metadata', 'ownerReferences');
    if (owners.length === 0 || isTerminating(object)) continue;
    if (owners.every((owner) => !alive.has(textAt(owner, 'uid') ?? ''))) deleteObject(runtime, resource, object);
  }
}

function emptyNamespaces(runtime: ClusterRuntime): void {
  for (const namespace of runtime.store.list(namespaces)) {
    if (!isTerminating(namespace)) continue;
    let left = 0;
    for (const resource of runtime.resources()) {
      if (!resource.namespaced) continue;
      for (const object of runtime.store.list(resource, nameOf(namespace))) {
        if (!isTerminating(object)) deleteObject(runtime, resource, object);
        left += 1;
      }
    }
    if (left === 0) runtime.store.remove(namespaces, namespace);
  }
}

function dropExpiredTokens(runtime: ClusterRuntime): void {
  const now = runtime.world.clock.now();
  for (const secret of runtime.store.list(secrets, 'kube-system')) {
    if (secret['type'] !== 'bootstrap.kubernetes.io/token') continue;
    const expiration = Buffer.from(textAt(secret, 'data', 'expiration') ?? '', 'base64').toString('utf8');
    if (expiration !== '' && Date.parse(expiration) <= now) runtime.store.remove(secrets, secret);
  }
}

function establishDefinitions(runtime: ClusterRuntime): void {
  for (const definition of runtime.store.list(customDefinitions)) {
    if (conditionOf(definition, 'Established') !== undefined) continue;
    const now = runtime.world.clock.iso();
    const accepted = withCondition(definition, now, { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' });
    const conditions = withCondition({ ...definition, status: { conditions: accepted } }, now, {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
    });
    runtime.store.setStatus(customDefinitions, definition, {
      conditions,
      acceptedNames: objectAt(definition, 'spec', 'names'),
      storedVersions: ['v1'],
    });
  }
}

export function runGarbageCollection(runtime: ClusterRuntime): void {
  establishDefinitions(runtime);
  collectOrphans(runtime);
  emptyNamespaces(runtime);
  dropExpiredTokens(runtime);
}
