/** What the overview shows beside the numbers of the fleet: the clusters that matter now, and what was refused or failed last. */
import { and, asc, desc, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { events } from '@/db/schema/records';
import { presetCondition, sortBy } from './cluster-conditions';
import type { ClusterRow, EventLine } from './cluster-dto';
import { readRows } from './cluster-rows';
import { iso, type Reader } from './reader';

export interface Overview {
  /** The worst first, then the longest. */
  readonly attention: readonly ClusterRow[];
  readonly operating: readonly ClusterRow[];
  readonly troubles: readonly (EventLine & {
    readonly clusterId: string | null;
    readonly clusterName: string | null;
  })[];
  /** Whether there ever was one; without, the page shows how to begin. */
  readonly hasCluster: boolean;
}

const rowCount = 10;
const eventCount = 8;

export async function readOverview(db: Queryable, reader: Reader): Promise<Overview> {
  const severity = sortBy('state', reader).by;
  const rows = async (where: SQL, order: SQL[]) => {
    const found = await readRows(db, reader, {
      where: and(isNull(clusters.removedAt), where),
      order,
      limit: rowCount,
      sortText: severity,
    });
    return found.map((each) => each.row);
  };
  const [attention, operating, troubles, any] = await Promise.all([
    rows(presetCondition('attention', reader), [asc(severity)]),
    rows(presetCondition('operating', reader), [asc(clusters.stateSince)]),
    readTroubles(db),
    db.select({ id: clusters.id }).from(clusters).limit(1),
  ]);
  return { attention, operating, troubles, hasCluster: any.length > 0 };
}

async function readTroubles(db: Queryable): Promise<Overview['troubles']> {
  const { id, at, type, result, actorName, actorKind, summary, jobId, clusterId, clusterName } = events;
  const rows = await db
    .select({ id, at, type, result, actorName, actorKind, summary, jobId, clusterId, clusterName })
    .from(events)
    .where(inArray(result, ['refused', 'failed', 'ignored']))
    .orderBy(desc(id))
    .limit(eventCount);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}
