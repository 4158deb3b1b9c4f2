import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Actor } from '@/domain/actor';
import type { JobReason } from '@/domain/jobs';
import { clusters } from './clusters';
import { at, clusterEvent, clusterState, jobStatus, stepStatus } from './enums';
import { servers } from './servers';

export const jobs = pgTable(
  'jobs',
  {
    id: uuid().primaryKey(),
    /** JOB-1: null only in jobs of older servers. */
    clusterId: uuid('cluster_id').references(() => clusters.id, { onDelete: 'cascade' }),
    /** An operation of `domain/operations.ts`; text, so that a job of a kind this server does not know is left alone. */
    kind: text().notNull(),
    status: jobStatus().notNull(),
    token: bigint({ mode: 'number' }),
    serverId: uuid('server_id').references(() => servers.id),
    actor: jsonb().$type<Actor>().notNull(),
    /** What was asked, as parsed. */
    input: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Why the admin asks, in their words. */
    note: text(),
    /** The event that recovery fires; null for a go-ahead operation, which leaves the state alone. */
    failureEvent: clusterEvent('failure_event'),
    /** The state it took the cluster from and the one it holds. */
    fromState: clusterState('from_state'),
    heldState: clusterState('held_state'),
    continuesJobId: uuid('continues_job_id'),
    idempotencyKey: text('idempotency_key'),
    stepsTotal: integer('steps_total').notNull().default(0),
    stepsDone: integer('steps_done').notNull().default(0),
    currentStep: text('current_step'),
    progressAt: at('progress_at'),
    acceptedAt: at('accepted_at').notNull().default(sql`clock_timestamp()`),
    startedAt: at('started_at'),
    deadlineAt: at('deadline_at'),
    finishedAt: at('finished_at'),
    reason: text().$type<JobReason>(),
    /** The reason in plain words: which step, what happened, what to do. */
    message: text(),
    result: jsonb().$type<Record<string, unknown>>(),
    /** The pass or admin that ended it, where it did not end itself. */
    endedByPassId: bigint('ended_by_pass_id', { mode: 'number' }),
    lateResultAt: at('late_result_at'),
    /** A job of an older server: its parameters as it stored them. */
    legacyParameters: text('legacy_parameters'),
  },
  (table) => [
    // I2: one job in progress a cluster, whatever writes it.
    uniqueIndex('jobs_one_in_progress')
      .on(table.clusterId)
      .where(sql`status = 'in_progress' and cluster_id is not null`),
    uniqueIndex('jobs_one_waiting').on(table.clusterId).where(sql`status = 'waiting'`),
    uniqueIndex('jobs_token').on(table.clusterId, table.token).where(sql`token is not null`),
    uniqueIndex('jobs_idempotency').on(table.idempotencyKey).where(sql`idempotency_key is not null`),
    index('jobs_running_on').on(table.serverId).where(sql`status = 'in_progress'`),
    index('jobs_legacy').on(table.id).where(sql`status = 'in_progress' and cluster_id is null`),
    index('jobs_open').on(table.id).where(sql`status in ('in_progress','waiting')`),
    index('jobs_of_cluster').on(table.clusterId, table.acceptedAt, table.id),
    index('jobs_newest').on(table.acceptedAt, table.id),
    index('jobs_ended_by_pass').on(table.endedByPassId).where(sql`ended_by_pass_id is not null`),
    index('jobs_finished').on(table.finishedAt).where(sql`finished_at is not null`),
    check('open_xor_finished', sql`(status in ('in_progress','waiting')) = (finished_at is null)`),
    check('in_progress_has_token', sql`status <> 'in_progress' or cluster_id is null or token is not null`),
    check('waiting_belongs_to_no_server', sql`status <> 'waiting' or (server_id is null and token is null)`),
  ],
);

export const jobSteps = pgTable(
  'job_steps',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Unique in its job: the step's name and, where there are several, the node: `upgrade node-3`. */
    name: text().notNull(),
    ordinal: integer().notNull(),
    label: text().notNull(),
    status: stepStatus().notNull(),
    attempt: integer().notNull().default(1),
    startedAt: at('started_at').notNull().default(sql`clock_timestamp()`),
    endedAt: at('ended_at'),
    /** The last progress line. */
    message: text(),
    error: text(),
    checkpoint: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.name] })],
);

export const jobLogs = pgTable(
  'job_logs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    step: text(),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    level: text().$type<'info' | 'warning' | 'error'>().notNull().default('info'),
    text: text().notNull(),
  },
  (table) => [index('job_logs_job').on(table.jobId, table.id)],
);
