import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { Database } from './client';
import { recordEvent } from './events';
import { clusters } from './schema/clusters';

/** Switches the deletion protection and bumps `edit_version`, so that a form opened before is refused. Repeatable. */
export async function changeProtection(
  db: Database,
  actor: Actor,
  wanted: { clusterId: string; protected: boolean },
): Promise<Result<true, Refusal>> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(clusters)
      .set({ protected: wanted.protected, editVersion: sql`${clusters.editVersion} + 1` })
      .where(and(eq(clusters.id, wanted.clusterId), isNull(clusters.removedAt)))
      .returning({ name: clusters.name });
    if (row === undefined) return refused<Refusal>({ code: 'not-found', message: 'There is no such cluster.' });
    await recordEvent(tx, {
      type: 'cluster.protection',
      result: 'ok',
      actor,
      clusterId: wanted.clusterId,
      clusterName: row.name,
      summary: `${actor.name} ${wanted.protected ? 'protected' : 'lifted the protection of'} ${row.name}`,
    });
    return accepted<true>(true);
  });
}
