/** Reads of the audit trail: newest first, page by page by id. */
import { and, desc, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { events } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import type { EventResult, EventType } from '@/domain/events';
import type { Reader } from './reader';
import { withoutSecrets } from './without-secrets';

export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly result?: EventResult | undefined;
  readonly clusterId?: string | undefined;
  /** Everything of one operation: its events carry its job's id. */
  readonly jobId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly actorKind?: string | undefined;
  /** The whole name of who acted. */
  readonly by?: string | undefined;
  /** Part of the summary, of the cluster's name or of who acted. */
  readonly text?: string | undefined;
  /** Of a refusal: the operation that was asked. */
  readonly kind?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface EventRow {
  readonly id: number;
  readonly at: string;
  readonly type: EventType;
  readonly result: EventResult;
  readonly clusterId: string | null;
  readonly clusterName: string | null;
  readonly jobId: string | null;
  readonly serverId: string | null;
  readonly serverName: string | null;
  readonly actorKind: string;
  readonly actorName: string;
  readonly summary: string;
  /** Masked where it could hold a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface EventPage {
  readonly rows: readonly EventRow[];
  /** Id after which the next page begins; null on the last. */
  readonly next: number | null;
}

const pageSize = 50;
/** More than this is shown as "99+": nobody counts further, and the database need not. */
const mostNewer = 100;

const columns = {
  id: events.id,
  at: events.at,
  type: events.type,
  result: events.result,
  clusterId: events.clusterId,
  clusterName: events.clusterName,
  jobId: events.jobId,
  serverId: events.serverId,
  serverName: servers.name,
  actorKind: events.actorKind,
  actorName: events.actorName,
  summary: events.summary,
  detail: events.detail,
};

function matches(filter: EventFilter): SQL | undefined {
  const { type, result, clusterId, jobId, serverId, actorKind, by, text, kind, since, until } = filter;
  return and(
    type === undefined ? undefined : eq(events.type, type),
    result === undefined ? undefined : eq(events.result, result),
    clusterId === undefined ? undefined : eq(events.clusterId, clusterId),
    jobId === undefined ? undefined : eq(events.jobId, jobId),
    serverId === undefined ? undefined : eq(events.serverId, serverId),
    actorKind === undefined ? undefined : eq(events.actorKind, actorKind),
    by === undefined ? undefined : eq(events.actorName, by),
    text === undefined ? undefined : textMatches(text),
    kind === undefined ? undefined : sql`${events.detail}->>'kind' = ${kind}`,
    since === undefined ? undefined : gte(events.at, since),
    until === undefined ? undefined : lt(events.at, until),
  );
}

function textMatches(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return or(
    sql`${events.summary} ilike ${pattern}`,
    sql`${events.clusterName} ilike ${pattern}`,
    sql`${events.actorName} ilike ${pattern}`,
    sql`${events.clusterId}::text like ${pattern.slice(1)}`,
    sql`${events.jobId}::text like ${pattern.slice(1)}`,
  );
}

function select(queryable: Queryable) {
  return queryable.select(columns).from(events).leftJoin(servers, eq(servers.id, events.serverId)).$dynamic();
}

function toRow(row: Awaited<ReturnType<typeof select>>[number]): EventRow {
  return { ...row, at: row.at.toISOString(), detail: withoutSecrets(row.detail) };
}

export async function listEvents(
  queryable: Queryable,
  _reader: Reader,
  { filter, before, limit = pageSize }: { filter: EventFilter; before: number | null; limit?: number },
): Promise<EventPage> {
  const rows = await select(queryable)
    .where(and(matches(filter), before === null ? undefined : lt(events.id, before)))
    .orderBy(desc(events.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  return { rows: shown.map(toRow), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** How many events that match came after this one, up to a hundred: for the pill above a list that stands still. */
export async function countNewerEvents(
  queryable: Queryable,
  _reader: Reader,
  filter: EventFilter,
  after: number,
): Promise<number> {
  const rows = await queryable
    .select({ id: events.id })
    .from(events)
    .where(and(matches(filter), gt(events.id, after)))
    .limit(mostNewer);
  return rows.length;
}

export async function eventById(queryable: Queryable, _reader: Reader, id: number): Promise<EventRow | undefined> {
  const [row] = await select(queryable).where(eq(events.id, id));
  return row === undefined ? undefined : toRow(row);
}

/** Refused requests under the filter of a list of jobs. */
export async function countRefusals(queryable: Queryable, _reader: Reader, filter: EventFilter): Promise<number> {
  const [row] = await queryable
    .select({ count: sql<number>`count(*)::int` })
    .from(events)
    .where(and(eq(events.type, 'operation.refused'), matches(filter)));
  return row?.count ?? 0;
}

/** Events of one job of the given types, oldest first: a late result, an end by an admin. */
export async function eventsOfJob(
  queryable: Queryable,
  _reader: Reader,
  jobId: string,
  types: readonly EventType[],
): Promise<readonly EventRow[]> {
  const rows = await select(queryable)
    .where(and(eq(events.jobId, jobId), inArray(events.type, [...types])))
    .orderBy(events.id)
    .limit(pageSize);
  return rows.map(toRow);
}

/** Names of who acted lately, the busiest first. */
export async function eventPeople(queryable: Queryable, _reader: Reader): Promise<readonly string[]> {
  const rows = await queryable.execute<{ name: string }>(
    sql`select actor_name as name from (select actor_name from events order by id desc limit 5000) recent group by 1 order by count(*) desc limit 50`,
  );
  return rows.map((row) => row.name);
}
