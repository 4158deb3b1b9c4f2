import type { AttentionCode } from './attention';
import { type ComponentFact, componentLabels } from './components';
import type { NodeFact, NodeRole } from './nodes';
import { placeName } from './plan-steps';

/** A node's machine as the cloud showed it. `gone`: asked for once more by id, and not there. `none`: none is recorded. */
export type MachineSight = 'running' | 'stopped' | 'starting' | 'stopping' | 'error' | 'other' | 'gone' | 'none';

export interface SeenNode {
  readonly node: NodeFact;
  readonly machine: MachineSight;
}

export interface RecordedCluster {
  /** Kubernetes version, without `v`. */
  readonly version: string;
  readonly counts: Readonly<Record<NodeRole, number>>;
  readonly nodes: readonly NodeFact[];
  readonly components: readonly ComponentFact[];
}

export interface DriftFound {
  readonly code: AttentionCode;
  /** One sentence a person understands. */
  readonly text: string;
}

const sightWords: Readonly<Record<MachineSight, string>> = {
  running: 'running',
  stopped: 'stopped',
  starting: 'starting',
  stopping: 'stopping',
  error: 'in error',
  other: 'neither running nor stopped',
  gone: 'gone',
  none: 'not built',
};

/** "worker-2: machine stopped", a line for each machine that is not as wanted; in the nodes' order, so equal findings are equal texts. */
export function unlike(seen: readonly SeenNode[], wanted: 'running' | 'stopped'): readonly string[] {
  return seen
    .filter(({ machine }) => machine !== wanted)
    .map(({ node, machine }) => `${placeName(node)}: machine ${sightWords[machine]}`)
    .sort();
}

/**
 * Drift of Running and Stopped against real machines, as one text; null when there is none. It counts only when the next pass finds
 * the same. A node without a machine is a recorded fact, not a sight, and no matter of a Stopped cluster: its start builds it.
 */
export function machineDrift(state: 'Running' | 'Stopped', seen: readonly SeenNode[]): string | null {
  const real = seen.filter(({ machine }) => machine !== 'none');
  const lines = unlike(real, state === 'Running' ? 'running' : 'stopped');
  return lines.length === 0 ? null : lines.join('; ');
}

/** Drift that the records themselves show; it counts at once, on an unowned Running cluster only. */
export function recordedDrift(cluster: RecordedCluster): DriftFound | null {
  const versions = otherVersions(cluster);
  if (versions.length > 0) {
    return {
      code: 'drift-versions',
      text: `Nodes have mixed versions: ${versions.join(', ')}; the cluster's is ${cluster.version}.`,
    };
  }
  const missing = missingComponents(cluster.components);
  if (missing.length > 0) return { code: 'drift-components', text: `Not installed: ${missing.join(', ')}.` };
  const nodes = missingNodes(cluster);
  return nodes.length === 0 ? null : { code: 'drift-nodes', text: `Fewer nodes than its size: ${nodes.join(', ')}.` };
}

/** "worker-2 has 1.30.1". Etcd nodes run no kubelet of their own; added machines that are upgraded by hand may differ. */
export function otherVersions({ nodes, version }: Pick<RecordedCluster, 'nodes' | 'version'>): readonly string[] {
  return nodes
    .filter((node) => node.role !== 'etcd' && !node.manualUpgrade && node.version !== null && node.version !== version)
    .map((node) => `${placeName(node)} has ${node.version}`);
}

export function missingComponents(components: readonly ComponentFact[]): readonly string[] {
  return components
    .filter(({ wanted, installed }) => wanted && !installed)
    .map(({ component }) => componentLabels[component]);
}

/** "2 of 3 workers". A node counts when its machine is recorded. */
export function missingNodes({ counts, nodes }: Pick<RecordedCluster, 'counts' | 'nodes'>): readonly string[] {
  return (['control', 'worker', 'etcd'] as const).flatMap((role) => {
    const built = nodes.filter((node) => node.role === role && node.machineId !== null).length;
    return built < counts[role] ? [`${built} of ${counts[role]} ${role} nodes`] : [];
  });
}

/** SCN-1: at least one machine, as many as planned, and every one stopped. */
export function allStopped(cluster: RecordedCluster, seen: readonly SeenNode[]): boolean {
  return seen.length > 0 && missingNodes(cluster).length === 0 && seen.every(({ machine }) => machine === 'stopped');
}

/** What keeps a cluster's machines from being healthy, a line each; empty: every planned node is recorded and runs. */
export function machineFaults(cluster: RecordedCluster, seen: readonly SeenNode[]): readonly string[] {
  const leaving = cluster.nodes
    .filter((node) => node.stage === 'removing')
    .map((node) => `${placeName(node)}: its removal was interrupted`);
  return [...missingNodes(cluster).map((text) => `Only ${text} are built`), ...unlike(seen, 'running'), ...leaving];
}

/** A node as the cluster's own API shows it. */
export interface ApiNode {
  readonly name: string;
  readonly ready: boolean;
  /** Without the leading `v`. */
  readonly kubeletVersion: string;
  readonly systemUuid: string;
}

/** What keeps its nodes from being healthy by its own API: Ready, and of the cluster's version. Etcd nodes are not in it. */
export function nodeFaults(cluster: RecordedCluster, seen: readonly ApiNode[]): readonly string[] {
  return cluster.nodes
    .filter((node) => node.role !== 'etcd')
    .flatMap((node) => {
      const at = seen.find((each) => each.name === node.name.toLowerCase());
      const same = at === undefined || node.machineId === null || at.systemUuid === node.machineId.toLowerCase();
      if (at === undefined || !same) return [`${placeName(node)}: not in the cluster`];
      if (!at.ready) return [`${placeName(node)}: not Ready`];
      const other = !node.manualUpgrade && at.kubeletVersion !== cluster.version;
      return other ? [`${placeName(node)}: version ${at.kubeletVersion} instead of ${cluster.version}`] : [];
    });
}

const mostFactors = 30;

/** Wait before the next attempt after `failures` in a row: one, two, four … up to thirty times the first. */
export function backOffAfter(failures: number, firstMs: number): number {
  if (failures <= 0) return 0;
  return firstMs * Math.min(2 ** (failures - 1), mostFactors);
}
