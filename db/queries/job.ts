/** Reads of one job's page: its steps, the band of its cluster's states, its transitions, its relatives, its log. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobLogs, jobSteps, jobs } from '@/db/schema/jobs';
import { passes } from '@/db/schema/records';
import type { StepStatus } from '@/domain/jobs';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import { type EventRow, eventsOfJob } from './events';
import { continuedBy, type RelatedJob, relatedById, relativesOf } from './job-relatives';
import { type JobRow, selectJobs, toJobRow } from './job-rows';
import { type BandPart, bandOf, type JobTransition, transitionsOfJob } from './job-transitions';
import { iso, isoOrNull, type Reader } from './reader';
import { withoutSecrets } from './without-secrets';

export interface JobStep {
  readonly name: string;
  readonly label: string;
  readonly status: StepStatus;
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly message: string | null;
  readonly error: string | null;
  /** When an attempt failed and the step was tried again. */
  readonly retriedAt: readonly string[];
}

export interface JobDetail extends JobRow {
  readonly token: number | null;
  readonly note: string | null;
  readonly deadlineAt: string | null;
  readonly fromState: ClusterState | null;
  readonly heldState: ClusterState | null;
  readonly failureEvent: ClusterEvent | null;
  /** Masked where it could hold a secret. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly steps: readonly JobStep[];
  readonly transitions: readonly JobTransition[];
  /** The cluster's states while it ran. */
  readonly band: readonly BandPart[];
  readonly previous: RelatedJob | null;
  readonly next: RelatedJob | null;
  readonly continues: RelatedJob | null;
  readonly continuedBy: readonly RelatedJob[];
  readonly endedBy: {
    readonly passId: number;
    readonly trigger: string;
    readonly actorName: string;
    readonly startedAt: string;
  } | null;
  /** What a worker reported after it had lost its cluster (interface B6). */
  readonly lateResults: readonly EventRow[];
  /** The cluster as it is now; `seq` is what *end this operation* compares. */
  readonly cluster: {
    readonly id: string;
    readonly name: string;
    readonly state: ClusterState;
    readonly seq: number;
    readonly isRemoved: boolean;
    readonly ownerId: string | null;
  } | null;
}

/** Undefined: there is no such job, or it has been pruned. */
export async function jobDetail(queryable: Queryable, reader: Reader, id: string): Promise<JobDetail | undefined> {
  const [row] = await selectJobs(queryable, reader.beatMs).where(eq(jobs.id, id));
  if (row === undefined) return undefined;
  const { clusterId } = row;
  const [more, steps, retries, transitions, band, relatives, endedBy, lateResults, cluster] = await Promise.all([
    moreOf(queryable, id),
    queryable
      .select()
      .from(jobSteps)
      .where(eq(jobSteps.jobId, id))
      .orderBy(asc(jobSteps.startedAt), asc(jobSteps.ordinal)),
    queryable
      .select({ step: jobLogs.step, at: jobLogs.at })
      .from(jobLogs)
      .where(and(eq(jobLogs.jobId, id), sql`${jobLogs.level} = 'warning' and ${jobLogs.text} like 'Attempt %'`))
      .orderBy(asc(jobLogs.id)),
    transitionsOfJob(queryable, id),
    clusterId === null
      ? []
      : bandOf(queryable, clusterId, { from: row.startedAt ?? row.acceptedAt, to: row.finishedAt }),
    clusterId === null ? [] : relativesOf(queryable, { id, clusterId, acceptedKey: row.acceptedKey }),
    row.endedByPassId === null ? null : passOf(queryable, row.endedByPassId),
    row.lateResultAt === null ? [] : eventsOfJob(queryable, reader, id, ['operation.late-result']),
    clusterId === null ? null : clusterOf(queryable, clusterId),
  ]);
  return {
    ...toJobRow(row),
    ...more,
    steps: steps.map((step) => ({
      name: step.name,
      label: step.label,
      status: step.status,
      attempt: step.attempt,
      startedAt: iso(step.startedAt),
      endedAt: isoOrNull(step.endedAt),
      message: step.message,
      error: step.error,
      retriedAt: retries.filter((retry) => retry.step === step.name).map((retry) => iso(retry.at)),
    })),
    transitions,
    band,
    previous: relatives.find((each) => each.place === 'previous')?.job ?? null,
    next: relatives.find((each) => each.place === 'next')?.job ?? null,
    continues:
      relatives.find((each) => each.job.id === row.continuesJobId)?.job ??
      (await relatedById(queryable, row.continuesJobId)),
    continuedBy: await continuedBy(queryable, id),
    endedBy,
    lateResults,
    cluster,
  };
}

async function moreOf(queryable: Queryable, id: string) {
  const [row] = await queryable
    .select({
      token: jobs.token,
      note: jobs.note,
      deadlineAt: jobs.deadlineAt,
      fromState: jobs.fromState,
      heldState: jobs.heldState,
      failureEvent: jobs.failureEvent,
      input: jobs.input,
      result: jobs.result,
    })
    .from(jobs)
    .where(eq(jobs.id, id));
  if (row === undefined) throw new Error(`job ${id} went while its page was read`);
  return {
    ...row,
    deadlineAt: isoOrNull(row.deadlineAt),
    input: withoutSecrets(row.input),
    result: row.result === null ? null : withoutSecrets(row.result),
  };
}

async function passOf(queryable: Queryable, passId: number): Promise<JobDetail['endedBy']> {
  const [row] = await queryable
    .select({ passId: passes.id, trigger: passes.trigger, actorName: passes.actorName, startedAt: passes.startedAt })
    .from(passes)
    .where(eq(passes.id, passId));
  return row === undefined ? null : { ...row, startedAt: iso(row.startedAt) };
}

async function clusterOf(queryable: Queryable, clusterId: string): Promise<JobDetail['cluster']> {
  const [row] = await queryable
    .select({
      id: clusters.id,
      name: clusters.name,
      state: clusters.state,
      seq: clusters.operationSeq,
      removedAt: clusters.removedAt,
      ownerId: clusters.operationId,
    })
    .from(clusters)
    .where(eq(clusters.id, clusterId));
  if (row === undefined) return null;
  const { removedAt, ...rest } = row;
  return { ...rest, isRemoved: removedAt !== null };
}

/** The kind of a job; undefined where there is no such job. */
export async function jobKind(queryable: Queryable, _reader: Reader, id: string): Promise<string | undefined> {
  const [row] = await queryable.select({ kind: jobs.kind }).from(jobs).where(eq(jobs.id, id));
  return row?.kind;
}
