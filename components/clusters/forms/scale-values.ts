/** The scale form's values as typed: what they ask, what changes. Pure. */
import type { OfferingOption } from '@/db/queries/catalogue';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import type { WantedChange } from '@/domain/plan-steps';

export interface ScaleValues {
  readonly way: 'size' | 'nodes';
  readonly size: string;
  readonly nodeIds: readonly string[];
  readonly control: string;
  readonly worker: string;
}

export function firstScaleValues(cluster: ClusterDetail): ScaleValues {
  return {
    way: 'size',
    size: String(cluster.nodes.worker.total),
    nodeIds: [],
    control: cluster.controlOfferingId,
    worker: cluster.workerOfferingId,
  };
}

/** Why the number of workers cannot change now. */
export function sizeReason(cluster: ClusterDetail): string | undefined {
  if (cluster.state === 'Stopped') return 'The size of a stopped cluster cannot change. Start it first.';
  if (cluster.autoscale !== null) return 'Autoscaling decides the size. Turn it off first, or change its bounds.';
  return undefined;
}

function changesOf(values: ScaleValues, cluster: ClusterDetail) {
  const isSizeOpen = sizeReason(cluster) === undefined;
  return {
    size: isSizeOpen && values.way === 'size' && values.size !== String(cluster.nodes.worker.total),
    nodes: isSizeOpen && values.way === 'nodes' && values.nodeIds.length > 0,
    control: values.control !== cluster.controlOfferingId,
    worker: values.worker !== cluster.workerOfferingId,
  };
}

/** What is sent: nothing that was left as it is. */
export function scaleInputOf(values: ScaleValues, cluster: ClusterDetail): Record<string, unknown> {
  const changes = changesOf(values, cluster);
  return {
    ...(changes.size ? { workerCount: values.size } : {}),
    ...(changes.nodes ? { nodeIds: values.nodeIds } : {}),
    ...(changes.control ? { controlOfferingId: values.control } : {}),
    ...(changes.worker ? { workerOfferingId: values.worker } : {}),
  };
}

export function scaleWanted(values: ScaleValues, cluster: ClusterDetail): WantedChange {
  const changes = changesOf(values, cluster);
  const count = Number(values.size);
  return {
    ...(changes.size && Number.isInteger(count) && count > 0 ? { workerCount: count } : {}),
    ...(changes.nodes ? { nodeIds: values.nodeIds } : {}),
    offerings: {
      ...(changes.control ? { control: values.control } : {}),
      ...(changes.worker ? { worker: values.worker } : {}),
    },
  };
}

/** "Workers 3 → 5 (+2)". */
export function scaleTexts(
  values: ScaleValues,
  cluster: ClusterDetail,
  offerings: readonly OfferingOption[],
): string[] {
  const changes = changesOf(values, cluster);
  const present = cluster.nodes.worker.total;
  const more = Number(values.size) - present;
  const name = (id: string) => offerings.find((offering) => offering.id === id)?.name ?? id;
  return [
    ...(changes.size ? [`Workers ${present} → ${values.size} (${more > 0 ? '+' : ''}${more})`] : []),
    ...(changes.nodes ? [`Workers ${present} → ${present - values.nodeIds.length}: the chosen ones leave`] : []),
    ...(changes.control ? [`Control nodes: ${name(cluster.controlOfferingId)} → ${name(values.control)}`] : []),
    ...(changes.worker ? [`Workers: ${name(cluster.workerOfferingId)} → ${name(values.worker)}`] : []),
  ];
}

export function shrinks(values: ScaleValues, cluster: ClusterDetail): boolean {
  return changesOf(values, cluster).size && Number(values.size) < cluster.nodes.worker.total;
}
