/** Beside the rows of the clusters list: their nodes in numbers, and the last event of each. One statement a page, not a row. */
import { inArray, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { nodes } from '@/db/schema/clusters';
import type { NodeRole } from '@/domain/nodes';

export interface NodeNumbers {
  readonly ready: Record<NodeRole, number>;
  readonly recorded: Record<NodeRole, number>;
  readonly versions: readonly string[];
  readonly external: number;
}

export async function nodeNumbers(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, NodeNumbers>> {
  if (ids.length === 0) return new Map();
  const counted = await db
    .select({
      clusterId: nodes.clusterId,
      role: nodes.role,
      recorded: sql<number>`count(*)::int`,
      ready: sql<number>`(count(*) filter (where ${nodes.stage} = 'ready'))::int`,
      external: sql<number>`(count(*) filter (where ${nodes.external}))::int`,
      versions: sql<
        string[]
      >`coalesce(array_agg(distinct ${nodes.version}) filter (where ${nodes.version} is not null), '{}')`,
    })
    .from(nodes)
    .where(inArray(nodes.clusterId, [...ids]))
    .groupBy(nodes.clusterId, nodes.role);
  const found = new Map<string, NodeNumbers>();
  for (const row of counted) {
    const before = found.get(row.clusterId);
    found.set(row.clusterId, {
      ready: { control: 0, worker: 0, etcd: 0, ...before?.ready, [row.role]: row.ready },
      recorded: { control: 0, worker: 0, etcd: 0, ...before?.recorded, [row.role]: row.recorded },
      versions: [...new Set([...(before?.versions ?? []), ...row.versions])].sort(),
      external: (before?.external ?? 0) + row.external,
    });
  }
  return found;
}

/** One index lookup a cluster; a join over all events would read them all. */
export async function lastEventOf(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { at: string; summary: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.execute<{ cluster_id: string; at: string; summary: string }>(sql`
    select wanted.id as cluster_id, to_char(last.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, last.summary
    from unnest(${sql.param([...ids])}::uuid[]) as wanted(id)
    cross join lateral (select at, summary from events where events.cluster_id = wanted.id order by events.id desc limit 1) as last`);
  return new Map(rows.map((row) => [row.cluster_id, { at: row.at, summary: row.summary }]));
}
