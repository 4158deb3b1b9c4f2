/** A stop that waits for the start which holds its cluster: stored, withdrawn, and put in its place (OUT-1 closed). */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Actor, scannerActor } from '@/domain/actor';
import { operations } from '@/domain/operations';
import type { Database, Transaction } from './client';
import { recordEvent } from './events';
import type { Hold } from './holds';
import { endJob, insertWaitingJob, type NewJob, promoteWaitingJob } from './jobs';
import { Missed, rolledBackWhenMissed } from './missed';
import { clusters } from './schema/clusters';
import { type AsRead, handOver } from './transition';

/**
 * Stores a stop that waits for the start which holds the cluster: one conditional write where that start still owns it and no stop
 * waits yet. False: it moved on, or another stop was quicker (OUT-1 closed).
 */
export async function queueStop(db: Database, asRead: AsRead, clusterName: string, job: NewJob): Promise<boolean> {
  const queued = await rolledBackWhenMissed(() =>
    db.transaction(async (tx) => {
      const rows = await tx
        .update(clusters)
        .set({ nextOperationId: job.id })
        .where(
          and(
            eq(clusters.id, asRead.clusterId),
            eq(clusters.state, 'Starting'),
            eq(clusters.operationSeq, asRead.operationSeq),
            asRead.operationId === null ? sql`false` : eq(clusters.operationId, asRead.operationId),
            isNull(clusters.nextOperationId),
          ),
        )
        .returning({ id: clusters.id });
      if (rows.length === 0) throw new Missed();
      await insertWaitingJob(tx, job, operations.stop.failed);
      await recordEvent(tx, {
        type: 'operation.accepted',
        result: 'ok',
        actor: job.actor,
        clusterId: asRead.clusterId,
        clusterName,
        jobId: job.id,
        summary: `Stop of ${clusterName} accepted: it waits for the running start to reach a step boundary`,
      });
      return true;
    }),
  );
  return queued ?? false;
}

/** Takes a waiting stop back. False: it does not wait any more. */
export async function withdrawStop(db: Database, clusterId: string, jobId: string, actor: Actor): Promise<boolean> {
  const withdrawn = await rolledBackWhenMissed(() =>
    db.transaction(async (tx) => {
      const [row] = await tx
        .update(clusters)
        .set({ nextOperationId: null })
        .where(and(eq(clusters.id, clusterId), eq(clusters.nextOperationId, jobId)))
        .returning({ name: clusters.name });
      if (row === undefined) throw new Missed();
      const ended = await endJob(tx, jobId, {
        status: 'cancelled',
        reason: 'withdrawn',
        message: `Withdrawn by ${actor.name}.`,
      });
      if (!ended) throw new Missed();
      await recordEvent(tx, {
        type: 'operation.withdrawn',
        result: 'ok',
        actor,
        clusterId,
        clusterName: row.name,
        jobId,
        summary: `${actor.name} withdrew the stop of ${row.name} that waited`,
      });
      return true;
    }),
  );
  return withdrawn ?? false;
}

interface StopTaken extends Hold {
  readonly clusterName: string;
}

export async function takeForStop(
  tx: Transaction,
  asRead: AsRead,
  stop: { stopJobId: string; serverId: string; clusterName: string },
): Promise<StopTaken | undefined> {
  const moved = await handOver(tx, asRead, stop.stopJobId, {
    to: 'Stopping',
    event: 'StopRequested',
    cause: 'hand-over',
    jobId: stop.stopJobId,
    serverId: stop.serverId,
    reason: 'a stop waited for this start',
  });
  if (moved === undefined) return undefined;
  return {
    clusterId: asRead.clusterId,
    jobId: stop.stopJobId,
    token: moved.token,
    serverId: stop.serverId,
    clusterName: stop.clusterName,
  };
}

export async function startStop(tx: Transaction, taken: StopTaken, claim: (jobId: string) => void): Promise<void> {
  const promoted = await promoteWaitingJob(
    tx,
    taken.jobId,
    {
      token: taken.token,
      serverId: taken.serverId,
      fromState: 'Starting',
      heldState: 'Stopping',
      failureEvent: operations.stop.failed,
    },
    operations.stop.timeoutSeconds,
  );
  if (!promoted) throw new Error(`stop ${taken.jobId} was named by its cluster and yet did not wait`);
  claim(taken.jobId);
  await recordEvent(tx, {
    type: 'cluster.transition',
    result: 'ok',
    actor: scannerActor,
    clusterId: taken.clusterId,
    clusterName: taken.clusterName,
    jobId: taken.jobId,
    serverId: taken.serverId,
    summary: `The stop of ${taken.clusterName} took over from its start: Starting → Stopping`,
  });
}
