import type { KubernetesNode, KubernetesObject } from '@/infrastructure/kubernetes';
import type { MemoryMachine, MemoryRule, World } from './world';

export interface MemoryNode {
  readonly name: string;
  readonly machineId: string;
  readonly controlPlane: boolean;
  version: string;
  unschedulable: boolean;
  readonly annotations: Map<string, string>;
  providerId: string | null;
}

/** A Kubernetes cluster, as its first control node made it. */
export interface MemoryCluster {
  /** `host:port`, as all nodes know it. */
  readonly endpoint: string;
  readonly caPem: string;
  readonly firstToken: string;
  /** Addresses of separate etcd nodes; empty for etcd on the control nodes. */
  readonly etcdAddresses: readonly string[];
  version: string;
  readonly nodes: Map<string, MemoryNode>;
  readonly objects: Map<string, KubernetesObject>;
  /** Set by tests: nobody answers, or it answers 5xx. */
  apiFault: 'none' | 'down' | 'not-ready';
  evictionsBlocked: boolean;
}

/** The rule behind `host:port`, if address, firewall and load balancer let anybody through. */
export function openRule(world: World, endpoint: string): MemoryRule | undefined {
  const [host, port] = endpoint.split(':');
  const address = [...world.addresses.values()].find((each) => each.ip === host);
  const open = [...world.firewallRules.values()].some(
    (rule) => rule.addressId === address?.id && rule.port === Number(port),
  );
  if (address === undefined || !open) return undefined;
  return [...world.rules.values()].find((rule) => rule.addressId === address.id && rule.publicPort === Number(port));
}

/** Whether the API answers through its rule: an assigned control node runs, and most members of etcd do. */
export function apiIsUp(world: World, cluster: MemoryCluster): boolean {
  if (cluster.apiFault === 'down') return false;
  const rule = openRule(world, cluster.endpoint);
  const controls = [...cluster.nodes.values()].filter((node) => node.controlPlane);
  const alive = controls.filter((node) => machineOfNode(world, node)?.state === 'running');
  if (rule === undefined || !alive.some((node) => rule.machineIds.has(node.machineId))) return false;
  if (cluster.etcdAddresses.length === 0) return isMajority(alive.length, controls.length);
  const machines = [...world.machines.values()];
  const members = cluster.etcdAddresses.filter((ip) =>
    machines.some((each) => each.ip === ip && each.state === 'running' && each.disk.done),
  );
  return isMajority(members.length, cluster.etcdAddresses.length);
}

export function toKubernetesNode(world: World, node: MemoryNode): KubernetesNode {
  return {
    name: node.name,
    ready: isNodeReady(world, node),
    unschedulable: node.unschedulable,
    controlPlane: node.controlPlane,
    kubeletVersion: node.version,
    systemUuid: node.machineId.toLowerCase(),
    providerId: node.providerId,
  };
}

export function isNodeReady(world: World, node: MemoryNode): boolean {
  const machine = machineOfNode(world, node);
  return machine !== undefined && machine.state === 'running' && machine.disk.done && !machine.kubeletDown;
}

function machineOfNode(world: World, node: MemoryNode): MemoryMachine | undefined {
  return world.machines.get(node.machineId);
}

function isMajority(alive: number, all: number): boolean {
  return alive * 2 > all;
}
