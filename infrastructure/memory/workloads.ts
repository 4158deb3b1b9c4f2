/** A few lines of each controller: pods for what was applied, status when they run, and the upgrade job's work. */
import type { KubernetesObject } from '@/infrastructure/kubernetes';
import { isNodeReady, type MemoryCluster, type MemoryNode } from './cluster';
import { isRecord, keyOf, valueAt } from './objects';
import type { World } from './world';

export function settleWorkloads(world: World, cluster: MemoryCluster): void {
  const nodes = [...cluster.nodes.values()];
  dropOrphanedPods(cluster);
  for (const object of [...cluster.objects.values()]) {
    if (object.kind === 'Deployment' || object.kind === 'StatefulSet') settleReplicas(world, cluster, object, nodes);
    else if (object.kind === 'DaemonSet') settleDaemons(world, cluster, object, nodes);
    else if (object.kind === 'CustomResourceDefinition')
      setStatus(cluster, object, { conditions: [{ type: 'Established', status: 'True' }] });
    else if (object.kind === 'Job') settleJob(world, cluster, object);
  }
}

function settleReplicas(
  world: World,
  cluster: MemoryCluster,
  object: KubernetesObject,
  nodes: readonly MemoryNode[],
): void {
  const wanted = Number(valueAt(object, 'spec.replicas') ?? 1);
  const places = nodes.filter((node) => isNodeReady(world, node) && !node.unschedulable);
  // Workers first; a cluster of control nodes only runs its system pods there.
  const workers = places.filter((node) => !node.controlPlane);
  const usable = workers.length > 0 ? workers : places;
  const own = podsOf(cluster, object);
  const taken = new Set(own.map((pod) => pod.metadata.name));
  let missing = wanted - own.length;
  for (let number = 0; missing > 0 && usable.length > 0; number += 1) {
    const name = `${object.metadata.name}-${number}`;
    if (taken.has(name)) continue;
    const place = usable[number % usable.length];
    if (place !== undefined) addPod(world, cluster, object, { name, nodeName: place.name });
    missing -= 1;
  }
  const running = podsOf(cluster, object).filter((pod) => isPlacedWell(world, cluster, pod)).length;
  setStatus(cluster, object, {
    observedGeneration: object.metadata.generation ?? 1,
    replicas: running,
    updatedReplicas: running,
    readyReplicas: running,
    availableReplicas: running,
    conditions: [{ type: 'Available', status: running >= wanted ? 'True' : 'False' }],
  });
}

function settleDaemons(
  world: World,
  cluster: MemoryCluster,
  object: KubernetesObject,
  nodes: readonly MemoryNode[],
): void {
  for (const node of nodes) {
    const name = `${object.metadata.name}-${node.name}`;
    const exists = podsOf(cluster, object).some((pod) => pod.metadata.name === name);
    if (!exists && isNodeReady(world, node)) addPod(world, cluster, object, { name, nodeName: node.name });
  }
  const ready = podsOf(cluster, object).filter((pod) => isPlacedWell(world, cluster, pod)).length;
  setStatus(cluster, object, {
    observedGeneration: object.metadata.generation ?? 1,
    desiredNumberScheduled: nodes.length,
    currentNumberScheduled: nodes.length,
    updatedNumberScheduled: nodes.length,
    numberReady: ready,
  });
}

/** The Job of an upgrade does what its script would: the node takes the version whose ISO is in its machine's drive. */
function settleJob(world: World, cluster: MemoryCluster, job: KubernetesObject): void {
  if (valueAt(job, 'status.succeeded') === 1) return;
  const script = cluster.objects.get(keyOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: job.metadata }));
  const target = String(valueAt(script, 'data.target') ?? '').replace(/^v/, '');
  const node = cluster.nodes.get(String(valueAt(job, 'spec.template.spec.nodeName') ?? ''));
  if (target === '' || node === undefined || !isNodeReady(world, node)) return;
  const drive = world.machines.get(node.machineId)?.isoId;
  if (world.catalogue.isos.find((iso) => iso.id === drive)?.version !== target) return;
  node.version = target;
  if (node.controlPlane) cluster.version = target;
  setStatus(cluster, job, { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] });
}

function podsOf(cluster: MemoryCluster, owner: KubernetesObject): KubernetesObject[] {
  return [...cluster.objects.values()].filter(
    (object) =>
      object.kind === 'Pod' && (object.metadata.ownerReferences ?? []).some((each) => each.uid === owner.metadata.uid),
  );
}

function isPlacedWell(world: World, cluster: MemoryCluster, pod: KubernetesObject): boolean {
  const node = cluster.nodes.get(String(valueAt(pod, 'spec.nodeName')));
  return node !== undefined && isNodeReady(world, node);
}

/** Pods whose node or owner is gone. A pod without an owner stays as long as its node. */
function dropOrphanedPods(cluster: MemoryCluster): void {
  const uids = new Set([...cluster.objects.values()].map((object) => object.metadata.uid));
  for (const [key, pod] of cluster.objects) {
    if (pod.kind !== 'Pod') continue;
    const placed = cluster.nodes.has(String(valueAt(pod, 'spec.nodeName')));
    const owned = (pod.metadata.ownerReferences ?? []).every((owner) => uids.has(owner.uid));
    if (!placed || !owned) cluster.objects.delete(key);
  }
}

function addPod(
  world: World,
  cluster: MemoryCluster,
  owner: KubernetesObject,
  place: { name: string; nodeName: string },
): void {
  const template = valueAt(owner, 'spec.template');
  const labels = valueAt(template, 'metadata.labels');
  const kind = owner.kind === 'Deployment' ? 'ReplicaSet' : owner.kind;
  const namespace = owner.metadata.namespace ?? 'default';
  const spec = valueAt(template, 'spec');
  const pod: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: place.name,
      namespace,
      uid: world.nextId(),
      ...(isRecord(labels)
        ? { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)])) }
        : {}),
      ownerReferences: [{ kind, name: owner.metadata.name, uid: owner.metadata.uid ?? '', controller: true }],
    },
    spec: { ...(isRecord(spec) ? spec : {}), nodeName: place.nodeName },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
  cluster.objects.set(keyOf(pod), pod);
}

function setStatus(cluster: MemoryCluster, object: KubernetesObject, status: Record<string, unknown>): void {
  const key = keyOf(object);
  const now = cluster.objects.get(key);
  if (now !== undefined) cluster.objects.set(key, { ...now, status });
}
