/** What the cloud half of a pass writes. Every write is conditional on state, token and "unowned" as the pass read them. */
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { scannerActor } from '@/domain/actor';
import type { Attention, HealthCheck } from '@/domain/attention';
import type { JobReason, JobStatus } from '@/domain/jobs';
import type { Database, Queryable } from './client';
import type { ScannedCluster } from './cloud-scan';
import { recordEvent } from './events';
import { clusters } from './schema/clusters';
import { jobs } from './schema/jobs';
import { type AsRead, drift } from './transition';

function asReadUnowned(asRead: AsRead) {
  return and(
    eq(clusters.id, asRead.clusterId),
    eq(clusters.state, asRead.state),
    eq(clusters.operationSeq, asRead.operationSeq),
    isNull(clusters.operationId),
  );
}

/** Keeps, or with null forgets, what this pass found; only if the finding is still the one that was read. False: it moved on. */
export async function keepFinding(
  queryable: Queryable,
  cluster: ScannedCluster,
  finding: string | null,
): Promise<boolean> {
  const rows = await queryable
    .update(clusters)
    .set({ driftFinding: finding })
    .where(
      and(asReadUnowned(cluster.asRead), sql`${clusters.driftFinding} is not distinct from ${cluster.driftFinding}`),
    )
    .returning({ id: clusters.id });
  return rows.length === 1;
}

/** FaultsDetected: Running or Stopped → Alert with its cause, in one transaction with its event. False: it moved on. */
export async function takeToAlert(
  db: Database,
  cluster: ScannedCluster,
  attention: Attention,
  serverId: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const moved = await drift(
      tx,
      cluster.asRead,
      { to: 'Alert', event: 'FaultsDetected', cause: 'drift', jobId: null, serverId, reason: attention.text },
      attention,
    );
    if (moved === undefined) return false;
    await recordEvent(tx, {
      type: 'cluster.transition',
      result: 'ok',
      actor: scannerActor,
      clusterId: cluster.id,
      clusterName: cluster.name,
      serverId,
      summary: `${cluster.name}: ${cluster.state} → Alert. ${attention.text}`,
      detail: { code: attention.code, token: moved.token },
    });
    return true;
  });
}

export interface CheckNote {
  readonly healthCheck: HealthCheck;
  readonly checkFailures: number;
  /** Until the next attempt, counted by PostgreSQL's clock; null: the next pass looks. `keep`: as it is. */
  readonly waitMs: number | null | 'keep';
}

/** Notes what a check found; never touches the state. False: the cluster moved on, and what was found says nothing about it now. */
export async function noteCheck(queryable: Queryable, cluster: ScannedCluster, note: CheckNote): Promise<boolean> {
  const { healthCheck, checkFailures, waitMs } = note;
  const rows = await queryable
    .update(clusters)
    .set({
      healthCheck,
      checkFailures,
      ...(waitMs === 'keep'
        ? {}
        : {
            nextCheckAt:
              waitMs === null ? null : sql`clock_timestamp() + ${Math.round(waitMs)} * interval '1 millisecond'`,
          }),
    })
    .where(asReadUnowned(cluster.asRead))
    .returning({ id: clusters.id });
  return rows.length === 1;
}

export interface Attempt {
  readonly id: string;
  readonly kind: string;
  readonly status: JobStatus;
  readonly reason: JobReason | null;
  readonly input: Record<string, unknown>;
  /** Milliseconds since it ended, by PostgreSQL's clock; null while it has not. */
  readonly endedAgoMs: number | null;
}

const attemptsLookedAt = 12;

/** The cluster's latest jobs, newest first: how often the scanner's own attempts failed in a row. */
export async function latestJobs(queryable: Queryable, clusterId: string): Promise<readonly Attempt[]> {
  return queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      status: jobs.status,
      reason: jobs.reason,
      input: jobs.input,
      endedAgoMs: sql<number | null>`(extract(epoch from clock_timestamp() - ${jobs.finishedAt}) * 1000)::float8`,
    })
    .from(jobs)
    .where(eq(jobs.clusterId, clusterId))
    .orderBy(desc(jobs.acceptedAt), desc(jobs.id))
    .limit(attemptsLookedAt);
}
