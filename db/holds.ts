/**
 * Holding a cluster (design section 5). A hold is (cluster, job, token, boot). Every write of a worker runs inside `whileHeld`,
 * which first locks the cluster row, then the job row: a comparison without the lock would let an old insert commit after recovery.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { ClusterState } from '@/domain/states';
import type { Database, Transaction } from './client';
import { clusters } from './schema/clusters';
import { jobs } from './schema/jobs';

export interface Hold {
  readonly clusterId: string;
  readonly jobId: string;
  readonly token: number;
  readonly serverId: string;
}

export interface HeldCluster {
  readonly state: ClusterState;
  readonly nextOperationId: string | null;
  readonly name: string;
}

export type WhileHeld<T> = { readonly held: true; readonly value: T } | { readonly held: false };

/** Thrown inside `whileHeld` to roll back; never leaves this file. */
class NotHeld extends Error {}

/**
 * Runs `work` in a transaction that holds cluster and job. `held: false`: the hold is lost and nothing was written; the worker stops
 * and cleans nothing up. Other errors pass through.
 */
export async function whileHeld<T>(
  db: Database,
  hold: Hold,
  work: (tx: Transaction, cluster: HeldCluster) => Promise<T>,
): Promise<WhileHeld<T>> {
  try {
    const value = await db.transaction(async (tx) => {
      const cluster = await lockHold(tx, hold);
      if (cluster === undefined) throw new NotHeld();
      return work(tx, cluster);
    });
    return { held: true, value };
  } catch (error) {
    if (error instanceof NotHeld) return { held: false };
    throw error;
  }
}

/** Locks cluster, then job, in that order; undefined when either no longer matches the hold. */
export async function lockHold(tx: Transaction, hold: Hold): Promise<HeldCluster | undefined> {
  const [cluster] = await tx
    .select({ state: clusters.state, nextOperationId: clusters.nextOperationId, name: clusters.name })
    .from(clusters)
    .where(
      and(eq(clusters.id, hold.clusterId), eq(clusters.operationId, hold.jobId), eq(clusters.operationSeq, hold.token)),
    )
    .for('no key update');
  if (cluster === undefined) return undefined;
  const [job] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.id, hold.jobId),
        eq(jobs.token, hold.token),
        eq(jobs.serverId, hold.serverId),
        sql`${jobs.status} = 'in_progress'`,
      ),
    )
    .for('no key update');
  return job === undefined ? undefined : cluster;
}

/**
 * The same question as a read, before each cloud call: does this worker still hold its cluster, is its boot not departed, and does a
 * stop wait for it? One prepared round trip.
 */
export function prepareHoldCheck(db: Database) {
  const query = db
    .select({ nextOperationId: clusters.nextOperationId })
    .from(clusters)
    .innerJoin(jobs, eq(jobs.id, clusters.operationId))
    .where(
      and(
        eq(clusters.id, sql.placeholder('clusterId')),
        eq(clusters.operationId, sql.placeholder('jobId')),
        eq(clusters.operationSeq, sql.placeholder('token')),
        eq(jobs.token, sql.placeholder('token')),
        eq(jobs.serverId, sql.placeholder('serverId')),
        sql`${jobs.status} = 'in_progress'`,
        sql`exists (select 1 from servers where servers.id = ${jobs.serverId} and servers.state <> 'departed')`,
      ),
    )
    .prepare('hold_check');
  return async (hold: Hold): Promise<{ held: boolean; stopWaits: boolean }> => {
    const [row] = await query.execute({ ...hold });
    return { held: row !== undefined, stopWaits: row !== undefined && row.nextOperationId !== null };
  };
}
