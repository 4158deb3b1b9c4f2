/** The job store. A job ends exactly once (I6); every write names the status it expects. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { JobReason, JobStatus } from '@/domain/jobs';
import { type OperationKind, operationKinds } from '@/domain/operations';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import type { Queryable, Transaction } from './client';
import type { Hold } from './holds';
import { jobs } from './schema/jobs';

export interface NewJob {
  readonly id: string;
  readonly kind: OperationKind;
  readonly clusterId: string;
  readonly actor: Actor;
  /** As parsed; stored, so that a page and a resume can read what was asked. */
  readonly input: Record<string, unknown>;
  readonly note: string | null;
  readonly continuesJobId: string | null;
  readonly idempotencyKey: string | null;
  readonly timeoutSeconds: number;
}

export interface Taken {
  readonly token: number;
  readonly serverId: string;
  readonly fromState: ClusterState;
  readonly heldState: ClusterState;
  readonly failureEvent: ClusterEvent | null;
}

/** The row of a job that has just entered (JOB-1: with its cluster). */
export async function insertRunningJob(tx: Transaction, job: NewJob, taken: Taken): Promise<void> {
  const { timeoutSeconds, ...row } = job;
  await tx.insert(jobs).values({
    ...row,
    ...taken,
    status: 'in_progress',
    startedAt: sql`clock_timestamp()`,
    deadlineAt: sql`clock_timestamp() + ${timeoutSeconds} * interval '1 second'`,
  });
}

/** The row of a stop that waits for a start: of no server, with no token yet. */
export async function insertWaitingJob(tx: Transaction, job: NewJob, failureEvent: ClusterEvent): Promise<void> {
  const { timeoutSeconds: _, ...row } = job;
  await tx.insert(jobs).values({ ...row, status: 'waiting', failureEvent });
}

/** The row of a change that was complete when it was accepted: settings of a Created cluster, a create without start. */
export async function insertFinishedJob(tx: Transaction, job: NewJob, message: string): Promise<void> {
  const { timeoutSeconds: _, ...row } = job;
  await tx.insert(jobs).values({
    ...row,
    status: 'succeeded',
    startedAt: sql`clock_timestamp()`,
    finishedAt: sql`clock_timestamp()`,
    message,
  });
}

/** Turns a waiting stop into a running one, under the token its cluster has just been given. False: it is not waiting any more. */
export async function promoteWaitingJob(
  tx: Transaction,
  jobId: string,
  taken: Taken,
  timeoutSeconds: number,
): Promise<boolean> {
  const rows = await tx
    .update(jobs)
    .set({
      ...taken,
      status: 'in_progress',
      startedAt: sql`clock_timestamp()`,
      deadlineAt: sql`clock_timestamp() + ${timeoutSeconds} * interval '1 second'`,
    })
    .where(and(eq(jobs.id, jobId), sql`${jobs.status} = 'waiting'`))
    .returning({ id: jobs.id });
  return rows.length === 1;
}

export interface JobEnd {
  readonly status: Exclude<JobStatus, 'in_progress' | 'waiting'>;
  readonly reason: JobReason | null;
  readonly message: string | null;
  readonly result?: Record<string, unknown> | null;
  readonly endedByPassId?: number | null;
}

/** Ends a job that is still open. False: it has ended already, and its end stands. */
export async function endJob(tx: Transaction, jobId: string, end: JobEnd): Promise<boolean> {
  const rows = await tx
    .update(jobs)
    .set({
      status: end.status,
      reason: end.reason,
      message: end.message,
      result: end.result ?? null,
      endedByPassId: end.endedByPassId ?? null,
      finishedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(jobs.id, jobId), isNull(jobs.finishedAt)))
    .returning({ id: jobs.id });
  return rows.length === 1;
}

export interface LostJob {
  readonly id: string;
  readonly kind: string;
  readonly clusterId: string | null;
}

/**
 * Fails the jobs in progress of every departed boot. Waits for no lock: a worker that was paused in the middle of a write still holds
 * its rows, and must not hold up the recovery of everybody else's.
 */
export async function failJobsOfDeparted(tx: Transaction, passId: number): Promise<readonly LostJob[]> {
  return tx
    .update(jobs)
    .set({
      status: 'failed',
      reason: 'server-departed',
      message: sql`'Its server ' || (select servers.name from servers where servers.id = ${jobs.serverId}) || ' departed while it ran.'`,
      endedByPassId: passId,
      finishedAt: sql`clock_timestamp()`,
    })
    .where(
      sql`${jobs.id} in (select lost.id from jobs lost where lost.status = 'in_progress'
        and lost.server_id in (select servers.id from servers where servers.state = 'departed') for no key update skip locked)`,
    )
    .returning({ id: jobs.id, kind: jobs.kind, clusterId: jobs.clusterId });
}

/** Job ids in progress under a boot, with what is needed to end them (self-check). */
export async function runningJobsOf(queryable: Queryable, serverId: string) {
  return queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      clusterId: jobs.clusterId,
      token: jobs.token,
      failureEvent: jobs.failureEvent,
    })
    .from(jobs)
    .where(and(eq(jobs.serverId, serverId), sql`${jobs.status} = 'in_progress'`));
}

export interface LegacyJob {
  readonly id: string;
  readonly kind: string;
  readonly serverId: string | null;
  readonly acceptedAt: Date;
  readonly parameters: string | null;
}

/** Jobs in progress that record no cluster: of older servers (MIX-1, MIX-2). */
export async function legacyJobs(queryable: Queryable): Promise<readonly LegacyJob[]> {
  return queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      serverId: jobs.serverId,
      acceptedAt: jobs.acceptedAt,
      parameters: jobs.legacyParameters,
    })
    .from(jobs)
    .where(and(sql`${jobs.status} = 'in_progress'`, isNull(jobs.clusterId)));
}

/** The job that an idempotency key made, if it made one. */
export async function jobByIdempotencyKey(queryable: Queryable, key: string) {
  const [row] = await queryable
    .select({ id: jobs.id, clusterId: jobs.clusterId, status: jobs.status, kind: jobs.kind })
    .from(jobs)
    .where(eq(jobs.idempotencyKey, key));
  return row;
}

/** Notes that a worker which had lost its cluster came back with a result. */
export async function markLateResult(queryable: Queryable, jobId: string): Promise<void> {
  await queryable.update(jobs).set({ lateResultAt: sql`clock_timestamp()` }).where(eq(jobs.id, jobId));
}

/** What a worker needs to know of the job it runs. Undefined: the job is gone, or of a kind this server does not know. */
export async function jobForRun(queryable: Queryable, jobId: string) {
  const [row] = await queryable
    .select({
      kind: jobs.kind,
      status: jobs.status,
      reason: jobs.reason,
      actor: jobs.actor,
      input: jobs.input,
      fromState: jobs.fromState,
      heldState: jobs.heldState,
      failureEvent: jobs.failureEvent,
      /** Milliseconds left by PostgreSQL's clock. */
      remainingMs: sql<number>`coalesce(extract(epoch from ${jobs.deadlineAt} - clock_timestamp()) * 1000, 3600000)::float8`,
    })
    .from(jobs)
    .where(eq(jobs.id, jobId));
  const kind = operationKinds.find((each) => each === row?.kind);
  if (row === undefined || kind === undefined || row.fromState === null || row.heldState === null) return undefined;
  return { ...row, kind, fromState: row.fromState, heldState: row.heldState };
}

/** A job that an unanswered commit may have made, with its hold while it is in progress. Undefined: it was not made. */
export async function jobAsMade(
  queryable: Queryable,
  jobId: string,
): Promise<{ readonly status: JobStatus; readonly hold: Hold | null } | undefined> {
  const [row] = await queryable
    .select({ status: jobs.status, clusterId: jobs.clusterId, token: jobs.token, serverId: jobs.serverId })
    .from(jobs)
    .where(eq(jobs.id, jobId));
  if (row === undefined) return undefined;
  const { status, clusterId, token, serverId } = row;
  const isHeld = status === 'in_progress' && clusterId !== null && token !== null && serverId !== null;
  return { status, hold: isHeld ? { clusterId, jobId, token, serverId } : null };
}
