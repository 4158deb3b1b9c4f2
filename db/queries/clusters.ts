/** The clusters list: a page of rows and the counts beside it. */
import { asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters, kubernetesVersions } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { servers } from '@/db/schema/servers';
import {
  afterCursor,
  type ClusterSearch,
  cursorOf,
  presetCondition,
  searchCondition,
  sortBy,
} from './cluster-conditions';
import { type ClusterList, type ClusterPreset, clusterPresets, type Facet } from './cluster-dto';
import { readRows } from './cluster-rows';
import type { Reader } from './reader';

export async function listClusters(db: Queryable, reader: Reader, search: ClusterSearch): Promise<ClusterList> {
  const key = sortBy(search.sort, reader);
  const order = search.order === 'asc' ? asc : desc;
  const matching = searchCondition(search, reader);
  const after = afterCursor(search.cursor, search.order, key);
  const [found, counts, states, versions, zones] = await Promise.all([
    readRows(db, reader, {
      where: sql`${matching ?? sql`true`} and ${after ?? sql`true`}`,
      order: [order(key.by), order(clusters.id)],
      // One more than asked for tells whether there is a next page.
      limit: search.limit + 1,
      sortText: key.by,
    }),
    presetCounts(db, reader, matching),
    facet(db, clusters.state, searchCondition(search, reader, 'state')),
    facet(db, kubernetesVersions.version, searchCondition(search, reader, 'version')),
    facet(db, clusters.zoneName, searchCondition(search, reader, 'zone')),
  ]);
  const page = found.slice(0, search.limit);
  const last = page.at(-1);
  const { total, ...presets } = counts;
  return {
    rows: page.map((each) => each.row),
    nextCursor: found.length > search.limit && last !== undefined ? cursorOf(last.sortText, last.row.id) : null,
    total,
    presets,
    states,
    versions,
    zones,
  };
}

/** How many clusters each preset holds, and how many match the whole search; one scan. */
async function presetCounts(
  db: Queryable,
  reader: Reader,
  matching: SQL | undefined,
): Promise<Record<ClusterPreset | 'total', number>> {
  const count = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const ofPresets = Object.fromEntries(
    clusterPresets.map((preset) => [
      preset,
      count(sql`${clusters.removedAt} is null and ${presetCondition(preset, reader)}`),
    ]),
  ) as Record<ClusterPreset, SQL<number>>;
  const [row] = await db
    .select({ ...ofPresets, total: count(matching ?? sql`true`) })
    .from(clusters)
    .innerJoin(kubernetesVersions, eq(kubernetesVersions.id, clusters.kubernetesVersionId))
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .leftJoin(servers, eq(servers.id, jobs.serverId));
  return row ?? { all: 0, attention: 0, operating: 0, orphaned: 0, stopped: 0, mine: 0, total: 0 };
}

type FacetColumn = typeof clusters.state | typeof clusters.zoneName | typeof kubernetesVersions.version;

async function facet(db: Queryable, column: FacetColumn, where: SQL | undefined): Promise<readonly Facet[]> {
  return db
    .select({ value: sql<string>`${column}::text`, count: sql<number>`count(*)::int` })
    .from(clusters)
    .innerJoin(kubernetesVersions, eq(kubernetesVersions.id, clusters.kubernetesVersionId))
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(where)
    .groupBy(column)
    .orderBy(sql`2 desc`, sql`1`);
}
