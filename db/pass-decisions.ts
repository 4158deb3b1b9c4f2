/** What passes decided, a row a cluster and pass; kept as it was decided. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { PassDecision } from '@/domain/passes';
import type { Queryable } from './client';
import { passDecisions, passes } from './schema/records';

const rowsAStatement = 500;

/** Stores decisions under ordinals from `first`; each decision has one row a pass. */
export async function storeDecisions(
  queryable: Queryable,
  passId: number,
  first: number,
  decisions: readonly PassDecision[],
): Promise<void> {
  for (let from = 0; from < decisions.length; from += rowsAStatement) {
    const rows = decisions.slice(from, from + rowsAStatement);
    await queryable
      .insert(passDecisions)
      .values(rows.map((row, index) => ({ ...row, passId, ordinal: first + from + index })));
  }
}

export interface LastDecision {
  readonly code: string;
  readonly jobId: string | null;
  readonly reason: string;
}

/** What the newest apply pass that wrote about each cluster said: so that a pass every five seconds repeats nothing. */
export async function lastDecisions(
  queryable: Queryable,
  clusterIds: readonly string[],
): Promise<ReadonlyMap<string, LastDecision>> {
  const found = new Map<string, LastDecision>();
  for (let from = 0; from < clusterIds.length; from += rowsAStatement) {
    const ids = clusterIds.slice(from, from + rowsAStatement);
    const rows = await queryable
      .selectDistinctOn([passDecisions.clusterId], {
        clusterId: passDecisions.clusterId,
        code: passDecisions.code,
        jobId: passDecisions.jobId,
        reason: passDecisions.reason,
      })
      .from(passDecisions)
      .innerJoin(passes, and(eq(passes.id, passDecisions.passId), eq(passes.mode, 'apply')))
      .where(inArray(passDecisions.clusterId, [...ids]))
      .orderBy(asc(passDecisions.clusterId), sql`${passDecisions.passId} desc, ${passDecisions.ordinal} desc`);
    for (const row of rows) if (row.clusterId !== null) found.set(row.clusterId, row);
  }
  return found;
}
