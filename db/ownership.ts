/**
 * The five statements of ownership (design section 5): accept and enter, hand over, end, recover, withdraw. Each is one transaction
 * in the lock order cluster → job → transitions; none calls the cloud or waits for anything but PostgreSQL.
 */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Actor, scannerActor } from '@/domain/actor';
import type { Attention } from '@/domain/attention';
import { type OperationKind, operations } from '@/domain/operations';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import type { Database, Transaction } from './client';
import { violatesUnique } from './errors';
import { recordEvent } from './events';
import { type HeldCluster, type Hold, whileHeld } from './holds';
import { endJob, insertRunningJob, insertWaitingJob, type JobEnd, type NewJob, promoteWaitingJob } from './jobs';
import { clusters } from './schema/clusters';
import { jobs } from './schema/jobs';
import { type AsRead, end, enter, handOver, type Move, recover } from './transition';

/** Thrown to roll a transaction back after a conditional write met no row; never leaves this file. */
class Missed extends Error {}

export interface Entry {
  readonly asRead: AsRead;
  readonly clusterName: string;
  readonly job: NewJob;
  readonly serverId: string;
  /** Null for a go-ahead operation (ENT-7). */
  readonly move: { readonly event: ClusterEvent; readonly to: ClusterState } | null;
  readonly failureEvent: ClusterEvent | null;
  readonly editVersion?: number;
  readonly unlessProtected?: boolean;
}

/**
 * Accept and enter: state, owner, token, job, transition and event in one transaction. Undefined: another operation got there
 * first (or the cluster was edited, protected, named by a legacy job, or this server is not live); nothing was written (ENT-1 to ENT-4).
 */
export async function enterOperation(db: Database, entry: Entry): Promise<Hold | undefined> {
  return rolledBackWhenMissed(() => db.transaction((tx) => enterIn(tx, entry)));
}

/** As `enterOperation`, in a transaction that has more to write (a create's own row). Throws `Missed` to roll it back. */
export async function enterIn(tx: Transaction, entry: Entry): Promise<Hold> {
  const { asRead, job, serverId } = entry;
  const move: Move | null =
    entry.move === null
      ? null
      : {
          ...entry.move,
          cause: 'entry',
          jobId: job.id,
          serverId,
          reason: `${operations[job.kind].label} by ${job.actor.name}`,
        };
  const moved = await enter(
    tx,
    asRead,
    { jobId: job.id, serverId },
    {
      move,
      ...(entry.editVersion === undefined ? {} : { editVersion: entry.editVersion }),
      ...(entry.unlessProtected === undefined ? {} : { unlessProtected: entry.unlessProtected }),
    },
  );
  if (moved === undefined) throw new Missed();
  await insertRunningJob(tx, job, {
    token: moved.token,
    serverId,
    fromState: asRead.state,
    heldState: entry.move?.to ?? asRead.state,
    failureEvent: entry.failureEvent,
  });
  await recordEvent(tx, {
    type: 'operation.accepted',
    result: 'ok',
    actor: job.actor,
    clusterId: asRead.clusterId,
    clusterName: entry.clusterName,
    jobId: job.id,
    serverId,
    summary: `${operations[job.kind].label} of ${entry.clusterName} accepted: ${asRead.state} → ${entry.move?.to ?? `${asRead.state} (state unchanged)`}`,
    detail: { token: moved.token, ...(job.note === null ? {} : { note: job.note }) },
  });
  return { clusterId: asRead.clusterId, jobId: job.id, token: moved.token, serverId };
}

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

export interface OperationEnd extends JobEnd {
  readonly kind: OperationKind;
  readonly actor: Actor;
  /** Fired from the state the cluster is in; null leaves the state alone (HOLD-3). */
  readonly event: ClusterEvent | null;
  /** Set, or cleared with null; undefined leaves it. */
  readonly attention?: Attention | null;
}

export type Ended =
  /** The hold was lost before; nothing was written (HOLD-1, HOLD-2). */
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended'; readonly state: ClusterState }
  /** A stop waited: the job ended as cancelled and this server now runs the stop. */
  | { readonly kind: 'handed-over'; readonly next: Hold };

/**
 * The cluster's last transition, the release of ownership, the promotion of a waiting stop and the job's final status: one
 * transaction. `claim` is called with the stop's id before the commit that makes it this server's.
 */
export async function endOperation(
  db: Database,
  hold: Hold,
  ending: OperationEnd,
  claim: (jobId: string) => void,
): Promise<Ended> {
  const outcome = await whileHeld(db, hold, async (tx, cluster): Promise<Ended> => {
    if (cluster.nextOperationId !== null && cluster.state === 'Starting') {
      return handOverIn(tx, hold, cluster, cluster.nextOperationId, claim);
    }
    return endIn(tx, hold, cluster, ending);
  });
  return outcome.held ? outcome.value : { kind: 'lost' };
}

async function endIn(tx: Transaction, hold: Hold, cluster: HeldCluster, ending: OperationEnd): Promise<Ended> {
  const to = ending.event === null ? undefined : nextState(cluster.state, ending.event);
  const asRead: AsRead = {
    clusterId: hold.clusterId,
    state: cluster.state,
    operationId: hold.jobId,
    operationSeq: hold.token,
  };
  const moved = await end(tx, asRead, {
    move:
      to === undefined
        ? null
        : { to, event: ending.event, cause: 'end', jobId: hold.jobId, serverId: hold.serverId, reason: ending.message },
    ...(ending.attention === undefined ? {} : { attention: ending.attention }),
    removed: to === 'Destroyed',
  });
  const ended = await endJob(tx, hold.jobId, ending);
  if (moved === undefined || !ended) throw new Error(`job ${hold.jobId} was locked and yet did not end`);
  const state = to ?? cluster.state;
  await recordEvent(tx, {
    type: 'operation.ended',
    result: ending.status === 'succeeded' ? 'ok' : 'failed',
    actor: ending.actor,
    clusterId: hold.clusterId,
    clusterName: cluster.name,
    jobId: hold.jobId,
    serverId: hold.serverId,
    summary: `${operations[ending.kind].label} of ${cluster.name} ${ending.status}: ${cluster.state} → ${state}`,
    detail: { reason: ending.reason, message: ending.message },
  });
  return { kind: 'ended', state };
}

/** Ends the start as cancelled and gives its cluster to the stop that waits, run by this server. */
async function handOverIn(
  tx: Transaction,
  hold: Hold,
  cluster: HeldCluster,
  stopJobId: string,
  claim: (jobId: string) => void,
): Promise<Ended> {
  const asRead: AsRead = {
    clusterId: hold.clusterId,
    state: cluster.state,
    operationId: hold.jobId,
    operationSeq: hold.token,
  };
  const next = await takeForStop(tx, asRead, { stopJobId, serverId: hold.serverId, clusterName: cluster.name });
  const ended = await endJob(tx, hold.jobId, {
    status: 'cancelled',
    reason: 'handed-over',
    message: 'It gave way to a stop that waited for it.',
  });
  if (next === undefined || !ended) throw new Error(`job ${hold.jobId} was locked and yet could not hand over`);
  await startStop(tx, next, claim);
  return { kind: 'handed-over', next };
}

interface StopTaken extends Hold {
  readonly clusterName: string;
}

async function takeForStop(
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

async function startStop(tx: Transaction, taken: StopTaken, claim: (jobId: string) => void): Promise<void> {
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

export interface OrphanRecovery {
  readonly asRead: AsRead;
  readonly clusterName: string;
  /** Null: the state stays, only the owner goes. */
  readonly becomes: ClusterState | null;
  readonly event: ClusterEvent | null;
  readonly cause: 'recovery' | 'admin-end';
  readonly actor: Actor;
  readonly serverId: string;
  /** In words, for the transition, the event and the cluster's page. */
  readonly reason: string;
  readonly passId: number | null;
  /** The stop that waits for this cluster, if one does. */
  readonly waitingStopId: string | null;
  /** For *end this operation*: the owner that is still in progress and ends in the same transaction. */
  readonly endJobToo?: { readonly jobId: string; readonly end: JobEnd };
}

export type Recovered =
  | { readonly kind: 'missed' }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'stop-took-over'; readonly next: Hold };

/**
 * One conditional write on state, owner and token as read (REC-7). A waiting stop takes the cluster here. `missed` is no error:
 * the cluster moved on, and its new state is kept (REC-8, REC-9).
 */
export async function recoverOrphan(
  db: Database,
  recovery: OrphanRecovery,
  claim: (jobId: string) => void,
): Promise<Recovered> {
  const outcome = await rolledBackWhenMissed(() => db.transaction((tx) => recoverIn(tx, recovery, claim)));
  return outcome ?? { kind: 'missed' };
}

async function recoverIn(
  tx: Transaction,
  recovery: OrphanRecovery,
  claim: (jobId: string) => void,
): Promise<Recovered> {
  const { asRead, waitingStopId, clusterName, serverId } = recovery;
  if (waitingStopId !== null && asRead.state === 'Starting') {
    const taken = await takeForStop(tx, asRead, { stopJobId: waitingStopId, serverId, clusterName });
    if (taken === undefined) throw new Missed();
    await endOwnerToo(tx, recovery);
    await missWhileInProgress(tx, asRead.clusterId);
    await startStop(tx, taken, claim);
    return { kind: 'stop-took-over', next: taken };
  }
  const jobId = asRead.operationId;
  const attention: Attention = {
    code: recovery.cause === 'admin-end' ? 'ended-by-admin' : 'orphan-recovered',
    text: recovery.reason,
    jobId,
    at: new Date().toISOString(),
  };
  const move: Move | null =
    recovery.becomes === null
      ? null
      : {
          to: recovery.becomes,
          event: recovery.event,
          cause: recovery.cause,
          jobId,
          serverId,
          reason: recovery.reason,
        };
  const moved = await recover(tx, asRead, { move, attention });
  if (moved === undefined) throw new Missed();
  await endOwnerToo(tx, recovery);
  await missWhileInProgress(tx, asRead.clusterId);
  await recordEvent(tx, {
    type: recovery.cause === 'admin-end' ? 'operation.ended-by-admin' : 'recovery.decision',
    result: 'ok',
    actor: recovery.actor,
    clusterId: asRead.clusterId,
    clusterName,
    jobId,
    serverId,
    summary: `${clusterName}: ${asRead.state} → ${recovery.becomes ?? `${asRead.state} (owner released)`}. ${recovery.reason}`,
    detail: { passId: recovery.passId, token: moved.token },
  });
  return { kind: 'recovered' };
}

async function endOwnerToo(tx: Transaction, recovery: OrphanRecovery): Promise<void> {
  if (recovery.endJobToo === undefined) return;
  const ended = await endJob(tx, recovery.endJobToo.jobId, recovery.endJobToo.end);
  if (!ended) throw new Missed();
}

/**
 * REC-3, once more under the cluster's lock: an entry that committed while its server was being declared departed has a job that no
 * pass has failed yet. It is failed first; the next pass recovers the cluster.
 */
async function missWhileInProgress(tx: Transaction, clusterId: string): Promise<void> {
  const [open] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.clusterId, clusterId), sql`${jobs.status} = 'in_progress'`))
    .limit(1);
  if (open !== undefined) throw new Missed();
}

/** Undefined when a conditional write met no row, or when the schema's unique index spoke first (I2). */
export async function rolledBackWhenMissed<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof Missed ||
      violatesUnique(error, 'jobs_one_in_progress') ||
      violatesUnique(error, 'jobs_one_waiting')
    ) {
      return undefined;
    }
    throw error;
  }
}
