/** Reads of the rolling-upgrade gate (interface B14): which servers are old, and what their jobs hold back. */
import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { servers } from '@/db/schema/servers';
import { iso, type Reader, type ServerHealth, serverHealth } from './reader';

export interface LegacyJobRow {
  readonly id: string;
  readonly kind: string;
  readonly serverName: string | null;
  /** Null: its server is unknown. */
  readonly serverHealth: ServerHealth | null;
  readonly acceptedAt: string;
  readonly ageSeconds: number;
  /** Clusters that its parameters name; empty: it holds back all recovery. */
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly holdsAll: boolean;
  /** Whether an admin may end it: its server is unknown, silent or gone. */
  readonly mayBeEnded: boolean;
}

export interface LegacyGateCard {
  readonly jobs: readonly LegacyJobRow[];
  /** Why recovery leaves everything alone; null: it does not. */
  readonly holdsAll: string | null;
  /** Versions of servers that have not departed. */
  readonly versions: readonly {
    readonly version: string;
    readonly protocol: number;
    readonly servers: readonly string[];
  }[];
  readonly isMixed: boolean;
}

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export async function legacyGateCard(queryable: Queryable, reader: Reader): Promise<LegacyGateCard> {
  const [open, fleet] = await Promise.all([openLegacyJobs(queryable, reader), liveVersions(queryable)]);
  const named = open.map((job) => job.parameters?.toLowerCase().match(uuidPattern) ?? []);
  const known = await namesOf(queryable, named.flat());
  const rows = open.map(({ parameters: _, acceptedAt, ...job }, index): LegacyJobRow => {
    const names = [...new Set(named[index])].flatMap((id) => {
      const name = known.get(id);
      return name === undefined ? [] : [{ id, name }];
    });
    const mayBeEnded = job.serverHealth !== 'live';
    return { ...job, acceptedAt: iso(acceptedAt), names, holdsAll: names.length === 0, mayBeEnded };
  });
  const holder = rows.find((row) => row.holdsAll);
  return {
    jobs: rows,
    holdsAll: holder === undefined ? null : `Recovery leaves everything alone while job ${holder.id} names no cluster.`,
    versions: fleet,
    isMixed: fleet.length > 1,
  };
}

function openLegacyJobs(queryable: Queryable, reader: Reader) {
  return queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      serverName: servers.name,
      serverHealth: serverHealth(reader.beatMs),
      acceptedAt: jobs.acceptedAt,
      ageSeconds: sql<number>`extract(epoch from clock_timestamp() - ${jobs.acceptedAt})::float8`,
      parameters: jobs.legacyParameters,
    })
    .from(jobs)
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(and(sql`${jobs.status} = 'in_progress'`, isNull(jobs.clusterId)))
    .orderBy(asc(jobs.acceptedAt));
}

async function namesOf(queryable: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryable
    .select({ id: clusters.id, name: clusters.name })
    .from(clusters)
    .where(inArray(clusters.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row.name]));
}

async function liveVersions(queryable: Queryable) {
  return queryable
    .select({
      version: servers.version,
      protocol: servers.protocol,
      servers: sql<string[]>`array_agg(${servers.name} order by ${servers.name})`,
    })
    .from(servers)
    .where(ne(servers.state, 'departed'))
    .groupBy(servers.version, servers.protocol)
    .orderBy(asc(servers.protocol), asc(servers.version));
}
