/** What a cluster's own autoscaler may know: its cluster, in the terms that CloudStack's provider asks for, and that cluster's jobs. */
import { and, asc, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters, nodes } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import type { JobStatus } from '@/domain/jobs';
import type { NodeRole, NodeStage } from '@/domain/nodes';
import type { ClusterState } from '@/domain/states';

export interface ScalableCluster {
  readonly id: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly workerCount: number;
  readonly controlCount: number;
  readonly bounds: { readonly min: number; readonly max: number } | null;
  /** Machines that are, or will be, Kubernetes nodes; separate etcd machines never are. */
  readonly machines: readonly ScalableMachine[];
}

export interface ScalableMachine {
  readonly machineId: string;
  readonly nodeId: string;
  readonly name: string;
  readonly role: NodeRole;
  readonly stage: NodeStage;
}

/** Undefined: the cluster is gone. */
export async function scalableCluster(queryable: Queryable, clusterId: string): Promise<ScalableCluster | undefined> {
  const [row] = await queryable
    .select({
      id: clusters.id,
      name: clusters.name,
      state: clusters.state,
      workerCount: clusters.workerCount,
      controlCount: clusters.controlCount,
      autoscaleEnabled: clusters.autoscaleEnabled,
      min: clusters.minSize,
      max: clusters.maxSize,
    })
    .from(clusters)
    .where(and(eq(clusters.id, clusterId), isNull(clusters.removedAt)));
  if (row === undefined) return undefined;
  const machines = await queryable
    .select({ machineId: nodes.machineId, nodeId: nodes.id, name: nodes.name, role: nodes.role, stage: nodes.stage })
    .from(nodes)
    .where(and(eq(nodes.clusterId, clusterId), isNotNull(nodes.machineId), ne(nodes.role, 'etcd')))
    .orderBy(asc(nodes.role), asc(nodes.ordinal));
  const { autoscaleEnabled, min, max, ...cluster } = row;
  return {
    ...cluster,
    bounds: autoscaleEnabled && min !== null && max !== null ? { min, max } : null,
    machines: machines.flatMap(({ machineId, ...rest }) => (machineId === null ? [] : [{ machineId, ...rest }])),
  };
}

export interface ScalerJob {
  readonly id: string;
  readonly kind: string;
  readonly status: JobStatus;
  readonly message: string | null;
  readonly acceptedAt: Date;
  readonly finishedAt: Date | null;
}

/** A job of this cluster; undefined for one of another cluster, as for one that never was. */
export async function jobOfCluster(
  queryable: Queryable,
  { clusterId, jobId }: { clusterId: string; jobId: string },
): Promise<ScalerJob | undefined> {
  const [row] = await queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      status: jobs.status,
      message: jobs.message,
      acceptedAt: jobs.acceptedAt,
      finishedAt: jobs.finishedAt,
    })
    .from(jobs)
    .where(and(eq(jobs.id, jobId), eq(jobs.clusterId, clusterId)));
  return row;
}
