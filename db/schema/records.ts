import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EventResult, EventType } from '@/domain/events';
import type { Decision, DecisionCode } from '@/domain/orphans';
import { at, clusterState } from './enums';
import { servers } from './servers';

/** The audit trail: insert only. */
export const events = pgTable(
  'events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    type: text().$type<EventType>().notNull(),
    result: text().$type<EventResult>().notNull(),
    clusterId: uuid('cluster_id'),
    clusterName: text('cluster_name'),
    jobId: uuid('job_id'),
    serverId: uuid('server_id'),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    summary: text().notNull(),
    detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('events_cluster').on(table.clusterId, table.id),
    index('events_job').on(table.jobId, table.id),
    index('events_type').on(table.type, table.id),
  ],
);

export const passes = pgTable(
  'passes',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    mode: text().$type<'preview' | 'apply'>().notNull(),
    trigger: text().$type<'cron' | 'hand' | 'test'>().notNull(),
    actorName: text('actor_name').notNull(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id),
    status: text().$type<'running' | 'done' | 'failed' | 'interrupted'>().notNull().default('running'),
    startedAt: at('started_at').notNull().default(sql`clock_timestamp()`),
    /** The database half is done; the cloud half may still run. */
    ownershipDoneAt: at('ownership_done_at'),
    finishedAt: at('finished_at'),
    lookedAt: integer('looked_at').notNull().default(0),
    recovered: integer().notNull().default(0),
    left: integer().notNull().default(0),
    missed: integer().notNull().default(0),
    errors: integer().notNull().default(0),
    departed: integer().notNull().default(0),
    /** The cloud half. `skipped`: that of an earlier pass was still under way. Null: it has not begun. */
    cloud: text().$type<'running' | 'done' | 'skipped' | 'failed'>(),
    cloudNote: text('cloud_note'),
    /** Clusters that drift took to Alert, jobs that the pass set going, nameless machines that it destroyed. */
    alerted: integer().notNull().default(0),
    jobsStarted: integer('jobs_started').notNull().default(0),
    swept: integer().notNull().default(0),
    /** Why nothing could be recovered, where the legacy gate held (MIX-2). */
    gate: text(),
    error: text(),
  },
  (table) => [
    // A pass never overlaps itself, whichever server is asked; but a slow cloud half must not hold back the next ownership half.
    uniqueIndex('passes_one_running')
      .on(sql`(mode)`)
      .where(sql`status = 'running' and mode = 'apply' and ownership_done_at is null`),
    uniqueIndex('passes_one_cloud_half')
      .on(sql`(mode)`)
      .where(sql`status = 'running' and mode = 'apply' and cloud = 'running'`),
    index('passes_open').on(table.id).where(sql`status = 'running'`),
  ],
);

export const passDecisions = pgTable(
  'pass_decisions',
  {
    passId: bigint('pass_id', { mode: 'number' })
      .notNull()
      .references(() => passes.id, { onDelete: 'cascade' }),
    ordinal: integer().notNull(),
    clusterId: uuid('cluster_id'),
    clusterName: text('cluster_name').notNull(),
    jobId: uuid('job_id'),
    state: clusterState(),
    /** The cluster's token as the pass read it: what a selection of a preview's rows is compared with. */
    seenSeq: bigint('seen_seq', { mode: 'number' }),
    decision: text().$type<Decision>().notNull(),
    code: text().$type<DecisionCode>().notNull(),
    reason: text().notNull(),
    becomes: clusterState(),
    /** Null in a preview. */
    result: text().$type<'done' | 'missed' | 'failed' | 'none'>(),
  },
  (table) => [
    primaryKey({ columns: [table.passId, table.ordinal] }),
    index('pass_decisions_cluster').on(table.clusterId, table.passId),
  ],
);

/** Machines with our tag that no node row names; destroyed when found twice (design 7.9). */
export const strayMachines = pgTable('stray_machines', {
  machineId: text('machine_id').primaryKey(),
  name: text().notNull(),
  clusterId: uuid('cluster_id'),
  firstSeenAt: at('first_seen_at').notNull().default(sql`clock_timestamp()`),
  seenCount: integer('seen_count').notNull().default(1),
});

/** What the cloud offers, as last read; checks before acceptance use it. */
export const cloudCatalogue = pgTable('cloud_catalogue', {
  kind: text().primaryKey(),
  data: jsonb().$type<readonly unknown[]>().notNull(),
  fetchedAt: at('fetched_at').notNull().default(sql`clock_timestamp()`),
});

/** One row: this installation's id and a proof that HOLDFAST_SECRET_KEY is the one its secrets were sealed with. */
export const installation = pgTable('installation', {
  only: boolean().primaryKey().default(true),
  id: uuid().notNull().defaultRandom(),
  keyCheck: text('key_check'),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  updatedBy: text('updated_by').notNull(),
});
