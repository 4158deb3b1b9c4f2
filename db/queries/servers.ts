/** Reads of the Servers pages. Ages and states are by PostgreSQL's clock, so every server shows the same. */
import { and, asc, desc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { events } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import type { EventResult, EventType } from '@/domain/events';
import { failureTarget } from '@/domain/orphans';
import type { ClusterState } from '@/domain/states';
import { iso, isoOrNull, type Reader } from './reader';

/** `silent`: two beats are missing and no pass has marked it departed. */
export type ServerState = 'up' | 'silent' | 'draining' | 'departed';
export type Departure = 'crashed' | 'clean' | 'replaced';

export interface ServerRow {
  /** One boot; a restart is another server. */
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly version: string;
  readonly protocol: number;
  readonly pid: number | null;
  readonly state: ServerState;
  /** Drains, whether or not it is silent as well. */
  readonly isDraining: boolean;
  readonly departure: Departure | null;
  readonly startedAt: string;
  readonly departedAt: string | null;
  readonly beatAgeSeconds: number;
  /** Seconds until its lease is over; negative: it is over, and the next pass marks it departed. */
  readonly leaseLeftSeconds: number;
  readonly jobsHeld: number;
  readonly clustersHeld: number;
  readonly lastPass: { readonly id: number; readonly ageSeconds: number } | null;
  /** This answer came from it. */
  readonly isThisOne: boolean;
}

export interface ServerList {
  readonly servers: readonly ServerRow[];
  readonly up: number;
  /** More than one version among those that have not departed. */
  readonly isMixed: boolean;
  readonly beatMs: number;
}

/** Departed boots are shown for this long, or for as long as a job in progress is theirs. */
const departedShownHours = 24;
const mostRows = 200;

const isHeld = sql`(jobs.server_id = servers.id and jobs.status = 'in_progress')`;

function selectServers(queryable: Queryable, reader: Reader) {
  const seconds = (from: typeof servers.lastBeatAt) => sql<number>`extract(epoch from clock_timestamp() - ${from})::float8`;
  return queryable
    .select({
      id: servers.id,
      name: servers.name,
      url: servers.url,
      version: servers.version,
      protocol: servers.protocol,
      pid: servers.pid,
      isDraining: sql<boolean>`${servers.state} = 'draining'`,
      state: sql<ServerState>`case when ${servers.state} = 'departed' then 'departed'
        when ${servers.lastBeatAt} < clock_timestamp() - ${reader.beatMs * 2}::float8 * interval '1 millisecond' then 'silent'
        else ${servers.state}::text end`,
      departure: sql<Departure | null>`case ${servers.departure} when 'goodbye' then 'clean' else ${servers.departure} end`,
      startedAt: servers.startedAt,
      departedAt: servers.departedAt,
      beatAgeSeconds: seconds(servers.lastBeatAt),
      leaseLeftSeconds: sql<number>`extract(epoch from ${servers.leaseUntil} - clock_timestamp())::float8`,
      jobsHeld: sql<number>`(select count(*)::int from jobs where ${isHeld})`,
      clustersHeld: sql<number>`(select count(*)::int from clusters join jobs on jobs.id = clusters.operation_id where ${isHeld})`,
      lastPass: sql<{ id: number; ageSeconds: number } | null>`(select json_build_object('id', passes.id,
        'ageSeconds', extract(epoch from clock_timestamp() - passes.started_at)::float8)
        from passes where passes.server_id = servers.id and passes.mode = 'apply' order by passes.id desc limit 1)`,
    })
    .from(servers)
    .$dynamic();
}

type Selected = Awaited<ReturnType<typeof selectServers>>[number];

function toRow(row: Selected, reader: Reader): ServerRow {
  return { ...row, startedAt: iso(row.startedAt), departedAt: isoOrNull(row.departedAt), isThisOne: row.id === reader.serverId };
}

/** Those that have not departed first, by name; then departed ones of the last day, the latest first. */
export async function listServers(queryable: Queryable, reader: Reader): Promise<ServerList> {
  const recently = sql`${servers.departedAt} > clock_timestamp() - ${departedShownHours} * interval '1 hour'`;
  const rows = await selectServers(queryable, reader)
    .where(or(ne(servers.state, 'departed'), recently, sql`exists (select 1 from jobs where ${isHeld})`))
    .orderBy(sql`${servers.state} = 'departed'`, sql`${servers.departedAt} desc nulls first`, asc(servers.name), desc(servers.startedAt))
    .limit(mostRows);
  const alive = rows.filter((row) => row.state !== 'departed');
  return {
    servers: rows.map((row) => toRow(row, reader)),
    up: rows.filter((row) => row.state === 'up').length,
    isMixed: new Set(alive.map((row) => `${row.version} ${row.protocol}`)).size > 1,
    beatMs: reader.beatMs,
  };
}

/** A job in progress, and what would become of its cluster if this server died now (interface B10). */
export interface HeldWork {
  readonly jobId: string;
  readonly kind: string;
  readonly actorName: string;
  readonly currentStep: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly startedAt: string | null;
  /** Null: a job of an older server that names no cluster. */
  readonly cluster: { readonly id: string; readonly name: string; readonly state: ClusterState } | null;
  /** The state that recovery would give it; null: its state stays and it only loses its owner. */
  readonly wouldBecome: ClusterState | null;
  readonly stopWaits: boolean;
}

export interface ServerDetail extends ServerRow {
  readonly held: readonly HeldWork[];
  /** Other boots of the same name, newest first. */
  readonly boots: readonly ServerRow[];
  readonly events: readonly ServerEvent[];
}

export interface ServerEvent {
  readonly id: number;
  readonly at: string;
  readonly type: EventType;
  readonly result: EventResult;
  readonly actorName: string;
  readonly summary: string;
}

const bootsShown = 10;
const eventsShown = 50;

export async function serverDetail(queryable: Queryable, reader: Reader, serverId: string): Promise<ServerDetail | undefined> {
  const [row] = await selectServers(queryable, reader).where(eq(servers.id, serverId));
  if (row === undefined) return undefined;
  const [held, boots, seen] = await Promise.all([
    heldWork(queryable, serverId),
    selectServers(queryable, reader)
      .where(and(eq(servers.name, row.name), ne(servers.id, serverId)))
      .orderBy(desc(servers.startedAt))
      .limit(bootsShown),
    serverEvents(queryable, serverId),
  ]);
  return { ...toRow(row, reader), held, boots: boots.map((boot) => toRow(boot, reader)), events: seen };
}

async function heldWork(queryable: Queryable, serverId: string): Promise<readonly HeldWork[]> {
  const rows = await queryable
    .select({
      jobId: jobs.id,
      kind: jobs.kind,
      actorName: sql<string>`coalesce(${jobs.actor}->>'name', 'unknown')`,
      currentStep: jobs.currentStep,
      stepsDone: jobs.stepsDone,
      stepsTotal: jobs.stepsTotal,
      startedAt: jobs.startedAt,
      failureEvent: jobs.failureEvent,
      clusterId: clusters.id,
      clusterName: clusters.name,
      clusterState: clusters.state,
      stopWaits: sql<boolean>`${clusters.nextOperationId} is not null`,
    })
    .from(jobs)
    .leftJoin(clusters, eq(clusters.id, jobs.clusterId))
    .where(and(eq(jobs.serverId, serverId), sql`${jobs.status} = 'in_progress'`))
    .orderBy(asc(jobs.acceptedAt));
  return rows.map(({ clusterId, clusterName, clusterState, failureEvent, startedAt, ...job }) => {
    const cluster = clusterId === null || clusterName === null || clusterState === null ? null : { id: clusterId, name: clusterName, state: clusterState };
    const target = cluster === null ? null : failureTarget(cluster.state, failureEvent);
    return { ...job, startedAt: isoOrNull(startedAt), cluster, wouldBecome: job.stopWaits && cluster?.state === 'Starting' ? 'Stopping' : target };
  });
}

async function serverEvents(queryable: Queryable, serverId: string): Promise<readonly ServerEvent[]> {
  const rows = await queryable
    .select({ id: events.id, at: events.at, type: events.type, result: events.result, actorName: events.actorName, summary: events.summary })
    .from(events)
    .where(and(inArray(events.type, ['server.started', 'server.departed', 'server.drain']), eq(events.serverId, serverId)))
    .orderBy(desc(events.id))
    .limit(eventsShown);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}
