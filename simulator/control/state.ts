/** The whole inventory, for assertions and for the demo page. */
import { textAt } from '@/simulator/core/json';
import type { Machine } from '@/simulator/core/machine-model';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { conditionOf, nameOf } from '@/simulator/kubernetes/objects';
import { nodes } from '@/simulator/kubernetes/resources';
import type { World } from '@/simulator/world';

function tagsOf(world: World, id: string): Record<string, string> {
  return Object.fromEntries(world.tagsOf(id).map((tag) => [tag.key, tag.value]));
}

function machineState(world: World, machine: Machine) {
  const { inside } = machine;
  return {
    id: machine.id,
    name: machine.name,
    state: machine.state,
    account: machine.account,
    networkId: machine.networkId,
    ip: machine.ip,
    offering: world.records.get('offering', machine.offeringId)?.name ?? machine.offeringId,
    templateId: machine.templateId,
    iso: machine.isoId === null ? null : (world.records.get('iso', machine.isoId)?.name ?? machine.isoId),
    tags: tagsOf(world, machine.id),
    host: machine.hostId === null ? null : (world.records.get('host', machine.hostId)?.name ?? null),
    jobId: machine.jobId,
    role: inside.role,
    phase: inside.phase,
    clusterId: inside.clusterId,
    kubeletUp: inside.kubeletUp,
    kubernetesVersion: inside.kubernetesVersion,
  };
}

function clusterState(runtime: ClusterRuntime) {
  const { cluster } = runtime;
  return {
    id: cluster.id,
    name: cluster.name,
    tag: cluster.tag,
    endpoint: `${cluster.endpointHost}:${cluster.endpointPort}`,
    version: cluster.version,
    api: cluster.api,
    serving: runtime.isServing(),
    memberIds: cluster.memberIds,
    loadPods: cluster.loadPods,
    nodes: runtime.store.list(nodes).map((node) => ({
      name: nameOf(node),
      ready: textAt(conditionOf(node, 'Ready'), 'status') ?? 'Unknown',
      unschedulable: (node['spec'] as { unschedulable?: boolean } | undefined)?.unschedulable === true,
      version: textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? null,
      systemUuid: textAt(node, 'status', 'nodeInfo', 'systemUUID') ?? null,
    })),
  };
}

/** Machines, addresses, rules, networks, permissions, jobs under way, clusters, and what leaked. */
export function wholeState(world: World) {
  const { records } = world;
  return {
    time: new Date(world.clock.now()).toISOString(),
    machines: records.all('machine').map((machine) => machineState(world, machine)),
    networks: records.all('network').map((network) => ({ ...network, tags: tagsOf(world, network.id) })),
    addresses: records
      .all('address')
      .filter((address) => address.state !== 'Free')
      .map((address) => ({ ...address, tags: tagsOf(world, address.id) })),
    firewallRules: records.all('firewall'),
    loadBalancerRules: records.all('balancer').map((rule) => ({ ...rule, tags: tagsOf(world, rule.id) })),
    forwardingRules: records.all('forwarding'),
    templatePermissions: Object.fromEntries(
      records.all('template').map((template) => [template.id, template.permittedAccounts]),
    ),
    volumes: records.all('volume'),
    runningJobs: records.all('job').filter((job) => job.status === 0),
    listeners: world.edges.list(),
    clusters: world.clusters.all().map(clusterState),
    lastSequence: world.ledger.lastSequence,
  };
}
