import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from './client';
import type { DecisionFacts } from './clusters';
import { recordEvent } from './events';
import { insertFinishedJob, type NewJob } from './jobs';
import { clusterComponents, clusters } from './schema/clusters';

const settings = z.object({
  workerCount: z.number().int().optional(),
  controlOfferingId: z.string().optional(),
  workerOfferingId: z.string().optional(),
  etcdOfferingId: z.string().optional(),
  enabled: z.boolean().optional(),
  minSize: z.number().int().optional(),
  maxSize: z.number().int().optional(),
});

/**
 * SCL-2, OUT-6 closed: a scale or autoscale of a Created cluster changes stored settings in one conditional statement (still Created,
 * unowned, as read) with a job that has already succeeded. False: a start took it, or somebody edited it first (SCL-3).
 */
export async function changeCreatedSettings(db: Database, facts: DecisionFacts, job: NewJob): Promise<boolean> {
  const asked = settings.parse(job.input);
  const { enabled, minSize, maxSize, ...columns } = asked;
  const wanted = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  const autoscale =
    enabled === undefined
      ? {}
      : {
          autoscaleEnabled: enabled,
          minSize: enabled ? (minSize ?? null) : null,
          maxSize: enabled ? (maxSize ?? null) : null,
        };
  return db.transaction(async (tx) => {
    const rows = await tx
      .update(clusters)
      .set({ ...wanted, ...autoscale, editVersion: sql`${clusters.editVersion} + 1` })
      .where(
        and(
          eq(clusters.id, facts.asRead.clusterId),
          eq(clusters.state, 'Created'),
          isNull(clusters.operationId),
          eq(clusters.operationSeq, facts.asRead.operationSeq),
          eq(clusters.editVersion, facts.editVersion),
        ),
      )
      .returning({ id: clusters.id });
    if (rows.length === 0) return false;
    if (enabled !== undefined) {
      await tx
        .update(clusterComponents)
        .set({ wanted: enabled })
        .where(
          and(eq(clusterComponents.clusterId, facts.asRead.clusterId), eq(clusterComponents.component, 'autoscaler')),
        );
    }
    await insertFinishedJob(tx, job, 'Stored; it counts when the cluster is started.');
    await recordEvent(tx, {
      type: 'cluster.settings',
      result: 'ok',
      actor: job.actor,
      clusterId: facts.asRead.clusterId,
      clusterName: facts.name,
      jobId: job.id,
      summary: `${job.actor.name} changed the settings of ${facts.name}; it has not been built yet`,
      detail: { ...asked },
    });
    return true;
  });
}
