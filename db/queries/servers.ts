/** Reads of the Servers pages. Ages and states are by PostgreSQL's clock, so every server shows the same. */
import { asc, desc, ne, or, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { servers } from '@/db/schema/servers';
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

/** Also for the detail of one. */
export function selectServers(queryable: Queryable, reader: Reader) {
  const seconds = (from: typeof servers.lastBeatAt) =>
    sql<number>`extract(epoch from clock_timestamp() - ${from})::float8`;
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

export function toServerRow(row: Selected, reader: Reader): ServerRow {
  return {
    ...row,
    startedAt: iso(row.startedAt),
    departedAt: isoOrNull(row.departedAt),
    isThisOne: row.id === reader.serverId,
  };
}

/** Those that have not departed first, by name; then departed ones of the last day, the latest first. */
export async function listServers(queryable: Queryable, reader: Reader): Promise<ServerList> {
  const recently = sql`${servers.departedAt} > clock_timestamp() - ${departedShownHours} * interval '1 hour'`;
  const rows = await selectServers(queryable, reader)
    .where(or(ne(servers.state, 'departed'), recently, sql`exists (select 1 from jobs where ${isHeld})`))
    .orderBy(
      sql`${servers.state} = 'departed'`,
      sql`${servers.departedAt} desc nulls first`,
      asc(servers.name),
      desc(servers.startedAt),
    )
    .limit(mostRows);
  const alive = rows.filter((row) => row.state !== 'departed');
  return {
    servers: rows.map((row) => toServerRow(row, reader)),
    up: rows.filter((row) => row.state === 'up').length,
    isMixed: new Set(alive.map((row) => `${row.version} ${row.protocol}`)).size > 1,
    beatMs: reader.beatMs,
  };
}
