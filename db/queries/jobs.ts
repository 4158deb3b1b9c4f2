/** Reads of the list of jobs: open ones first, then the newest, page by page by key. */
import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { servers } from '@/db/schema/servers';
import { countRefusals } from './events';
import { type JobRow, type SelectedJob, selectJobs, toJobRow } from './job-rows';
import type { Reader } from './reader';

/** `recovered` are the failed ones that a pass ended, `failed` the others. */
export const jobTabs = ['all', 'in-progress', 'waiting', 'succeeded', 'failed', 'recovered', 'cancelled'] as const;
export type JobTab = (typeof jobTabs)[number];

export interface JobFilter {
  readonly kind?: string | undefined;
  readonly clusterId?: string | undefined;
  readonly serverId?: string | undefined;
  /** The whole name of who asked. */
  readonly by?: string | undefined;
  /** Part of the cluster's name, or the beginning of a job's or cluster's id. */
  readonly text?: string | undefined;
}

export interface JobPage {
  readonly rows: readonly JobRow[];
  /** Key of the next page; null on the last. */
  readonly next: string | null;
}

const pageSize = 50;
/** Ended by a pass: `recovered`, or its server departed and a pass said so. */
export const endedByPass = sql`(${jobs.status} = 'failed' and (${jobs.endedByPassId} is not null or ${jobs.reason} in ('recovered', 'server-departed')))`;

function inTab(tab: JobTab): SQL | undefined {
  switch (tab) {
    case 'all':
      return undefined;
    case 'in-progress':
      return sql`${jobs.status} = 'in_progress'`;
    case 'recovered':
      return endedByPass;
    case 'failed':
      return sql`${jobs.status} = 'failed' and not ${endedByPass}`;
    case 'waiting':
    case 'succeeded':
    case 'cancelled':
      return sql`${jobs.status} = ${tab}`;
  }
}

function matches(filter: JobFilter): SQL | undefined {
  const { kind, clusterId, serverId, by, text } = filter;
  return and(
    kind === undefined ? undefined : eq(jobs.kind, kind),
    clusterId === undefined ? undefined : eq(jobs.clusterId, clusterId),
    serverId === undefined ? undefined : eq(jobs.serverId, serverId),
    by === undefined ? undefined : sql`${jobs.actor}->>'name' = ${by}`,
    text === undefined ? undefined : textMatches(text),
  );
}

function textMatches(text: string): SQL | undefined {
  const escaped = text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  return or(
    sql`${clusters.name} ilike ${`%${escaped}%`}`,
    sql`${jobs.id}::text like ${`${escaped.toLowerCase()}%`}`,
    sql`${jobs.clusterId}::text like ${`${escaped.toLowerCase()}%`}`,
    sql`${jobs.legacyParameters} ilike ${`%${escaped}%`}`,
  );
}

/** Where a page begins: in the open jobs or in the ended ones, after this key. */
interface Key {
  readonly part: 'open' | 'ended';
  readonly at: string;
  readonly id: string;
}

const keyPattern = /^(open|ended)~([0-9 :+.-]{10,40})~([0-9a-f-]{36})$/;

export function parseJobKey(text: string | null): Key | null | undefined {
  if (text === null) return null;
  const found = keyPattern.exec(text);
  const [, part, at, id] = found ?? [];
  return (part === 'open' || part === 'ended') && at !== undefined && id !== undefined ? { part, at, id } : undefined;
}

/** Two ordered reads, each on its own index: the few open jobs, then ended ones until the page is full. */
export async function listJobs(
  queryable: Queryable,
  reader: Reader,
  { tab, filter, after }: { tab: JobTab; filter: JobFilter; after: Key | null },
): Promise<JobPage> {
  const read = (part: Key['part'], limit: number) => {
    const isAfter =
      after?.part === part
        ? sql`(${jobs.acceptedAt}, ${jobs.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`
        : undefined;
    return selectJobs(queryable, reader.beatMs)
      .where(
        and(
          part === 'open' ? isNull(jobs.finishedAt) : isNotNull(jobs.finishedAt),
          inTab(tab),
          matches(filter),
          isAfter,
        ),
      )
      .orderBy(desc(jobs.acceptedAt), desc(jobs.id))
      .limit(limit);
  };
  const open = after?.part === 'ended' ? [] : await read('open', pageSize + 1);
  const ended = open.length > pageSize ? [] : await read('ended', pageSize + 1 - open.length);
  const rows = [...open, ...ended];
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return { rows: shown.map(toJobRow), next: rows.length > pageSize && last !== undefined ? keyOf(last) : null };
}

function keyOf(row: SelectedJob): string {
  return `${row.finishedAt === null ? 'open' : 'ended'}~${row.acceptedKey}~${row.id}`;
}

export type JobCounts = Readonly<Record<JobTab | 'refused', number>>;

/** What each tab holds under the same filter. */
export async function countJobs(queryable: Queryable, reader: Reader, filter: JobFilter): Promise<JobCounts> {
  const [rows, refused] = await Promise.all([
    queryable
      .select({ status: jobs.status, isByPass: sql<boolean>`${endedByPass}`, count: sql<number>`count(*)::int` })
      .from(jobs)
      .leftJoin(clusters, eq(clusters.id, jobs.clusterId))
      .where(matches(filter))
      .groupBy(sql`1, 2`),
    countRefusals(queryable, reader, filter),
  ]);
  const of = (test: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(test).reduce((sum, row) => sum + row.count, 0);
  return {
    all: of(() => true),
    'in-progress': of((row) => row.status === 'in_progress'),
    waiting: of((row) => row.status === 'waiting'),
    succeeded: of((row) => row.status === 'succeeded'),
    failed: of((row) => row.status === 'failed' && !row.isByPass),
    recovered: of((row) => row.isByPass),
    cancelled: of((row) => row.status === 'cancelled'),
    refused,
  };
}

export interface JobFacets {
  readonly servers: readonly {
    readonly id: string;
    readonly name: string;
    readonly startedAt: string;
    readonly isDeparted: boolean;
  }[];
  readonly people: readonly string[];
}

/** What the filters offer: boots that ran a job, and who asked lately. */
export async function jobFacets(queryable: Queryable, _reader: Reader): Promise<JobFacets> {
  const [boots, people] = await Promise.all([
    queryable
      .select({ id: servers.id, name: servers.name, startedAt: servers.startedAt, state: servers.state })
      .from(servers)
      .where(sql`exists (select 1 from jobs where jobs.server_id = servers.id)`)
      .orderBy(sql`${servers.state} = 'departed', ${servers.startedAt} desc`)
      .limit(50),
    queryable.execute<{ name: string }>(
      sql`select actor->>'name' as name from (select actor from jobs order by accepted_at desc limit 5000) recent group by 1 order by count(*) desc limit 50`,
    ),
  ]);
  return {
    servers: boots.map((row) => ({
      id: row.id,
      name: row.name,
      startedAt: row.startedAt.toISOString(),
      isDeparted: row.state === 'departed',
    })),
    people: people.map((row) => row.name),
  };
}
