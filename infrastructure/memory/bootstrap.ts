/** What happens by itself: machines that run become nodes as soon as everything they need is there. */
import { caCertHash } from '@/infrastructure/bootstrap/pki';
import { apiIsUp, type MemoryCluster, openRule } from './cluster';
import { type Intent, readIntent } from './guest';
import { initialObjects } from './manifests';
import { put } from './object-store';
import { keyOf } from './objects';
import { settleWorkloads } from './workloads';
import type { MemoryMachine, World } from './world';

/** Called before every look and every change; nothing is ever due at another moment. */
export function settle(world: World): void {
  for (const machine of world.machines.values()) boot(world, machine);
  for (const cluster of world.clusters) if (apiIsUp(world, cluster)) settleWorkloads(world, cluster);
}

function boot(world: World, machine: MemoryMachine): void {
  if (machine.state !== 'running') return;
  machine.disk.bootedWith ??= machine.userData;
  if (machine.disk.done || machine.neverJoins) return;
  const intent = readIntent(machine.disk.bootedWith);
  switch (intent.kind) {
    case 'nothing':
      return;
    case 'etcd':
      machine.disk.done = isoVersion(world, machine) !== undefined;
      return;
    case 'init':
      machine.disk.done = initialise(world, machine, intent);
      return;
    case 'join':
      machine.disk.done = join(world, machine, intent);
      return;
  }
}

function isoVersion(world: World, machine: MemoryMachine): string | undefined {
  return world.catalogue.isos.find((iso) => iso.id === machine.isoId)?.version;
}

function initialise(world: World, machine: MemoryMachine, intent: Intent & { kind: 'init' }): boolean {
  const assigned = openRule(world, intent.endpoint)?.machineIds.has(machine.id) === true;
  if (!assigned || isoVersion(world, machine) !== intent.version) return false;
  const cluster: MemoryCluster = {
    endpoint: intent.endpoint,
    caPem: intent.caPem,
    firstToken: intent.token,
    etcdAddresses: intent.etcd.map((url) => new URL(url).hostname),
    version: intent.version,
    nodes: new Map(),
    objects: new Map(),
    apiFault: 'none',
    evictionsBlocked: false,
  };
  for (const object of initialObjects(intent.version)) put(world, cluster, object);
  addNode(cluster, machine, { name: intent.nodeName, controlPlane: true, version: intent.version });
  if (cluster.etcdAddresses.length > 0 && !apiIsUp(world, { ...cluster })) return false;
  const before = world.clusters.findIndex((each) => each.endpoint === intent.endpoint);
  if (before !== -1) world.clusters.splice(before, 1);
  world.clusters.push(cluster);
  return true;
}

function join(world: World, machine: MemoryMachine, intent: Intent & { kind: 'join' }): boolean {
  const cluster = world.clusters.find((each) => each.endpoint === intent.endpoint);
  if (cluster === undefined || !apiIsUp(world, cluster) || isoVersion(world, machine) !== intent.version) return false;
  const trusted = intent.caHashes.includes(caCertHash(cluster.caPem)) && tokenIsValid(cluster, intent.token);
  if (!trusted || (intent.controlPlane && intent.caPem !== cluster.caPem)) return false;
  addNode(cluster, machine, { name: intent.nodeName, controlPlane: intent.controlPlane, version: intent.version });
  return true;
}

function addNode(
  cluster: MemoryCluster,
  machine: MemoryMachine,
  node: { name: string; controlPlane: boolean; version: string },
): void {
  cluster.nodes.set(node.name, {
    ...node,
    machineId: machine.id,
    unschedulable: false,
    annotations: new Map(),
    providerId: null,
  });
}

/** kubeadm's own token is good as long as the process lives; others need a Secret that has not run out. */
function tokenIsValid(cluster: MemoryCluster, token: string): boolean {
  if (token === cluster.firstToken) return true;
  const name = `bootstrap-token-${token.split('.')[0]}`;
  const secret = cluster.objects.get(
    keyOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'kube-system' } }),
  );
  const data = secret?.['stringData'];
  if (typeof data !== 'object' || data === null || !('token-secret' in data) || !('expiration' in data)) return false;
  return token.endsWith(`.${String(data['token-secret'])}`) && Date.parse(String(data.expiration)) > Date.now();
}
