/** Size and offerings as wanted; written under the owner's hold, or for a Created cluster in one conditional statement. */
import { eq, sql } from 'drizzle-orm';
import type { NodeRole } from '@/domain/nodes';
import type { Transaction } from './client';
import { clusterComponents, clusters } from './schema/clusters';

/** Sets the number of workers, or changes it by some. The form that was opened before is refused from here on. */
export async function changeSize(
  tx: Transaction,
  clusterId: string,
  change: { to: number } | { by: number },
): Promise<void> {
  const workerCount = 'to' in change ? change.to : sql`${clusters.workerCount} + ${change.by}`;
  await tx
    .update(clusters)
    .set({ workerCount, editVersion: sql`${clusters.editVersion} + 1` })
    .where(eq(clusters.id, clusterId));
}

export async function changeOfferings(
  tx: Transaction,
  clusterId: string,
  offerings: Partial<Record<NodeRole, string>>,
): Promise<void> {
  await tx
    .update(clusters)
    .set({
      ...(offerings.control === undefined ? {} : { controlOfferingId: offerings.control }),
      ...(offerings.worker === undefined ? {} : { workerOfferingId: offerings.worker }),
      ...(offerings.etcd === undefined ? {} : { etcdOfferingId: offerings.etcd }),
      editVersion: sql`${clusters.editVersion} + 1`,
    })
    .where(eq(clusters.id, clusterId));
}

/** The version every node now has. */
export async function changeVersion(tx: Transaction, clusterId: string, kubernetesVersionId: string): Promise<void> {
  await tx
    .update(clusters)
    .set({ kubernetesVersionId, editVersion: sql`${clusters.editVersion} + 1` })
    .where(eq(clusters.id, clusterId));
}

export interface AutoscaleSettings {
  readonly enabled: boolean;
  readonly minSize: number | null;
  readonly maxSize: number | null;
}

/** Bounds, and whether the autoscaler belongs to what the cluster must have (I17). */
export async function changeAutoscale(tx: Transaction, clusterId: string, settings: AutoscaleSettings): Promise<void> {
  await tx
    .update(clusters)
    .set({
      autoscaleEnabled: settings.enabled,
      minSize: settings.enabled ? settings.minSize : null,
      maxSize: settings.enabled ? settings.maxSize : null,
      editVersion: sql`${clusters.editVersion} + 1`,
    })
    .where(eq(clusters.id, clusterId));
  const installedAt = settings.enabled ? sql`clock_timestamp()` : null;
  await tx
    .insert(clusterComponents)
    .values({ clusterId, component: 'autoscaler', wanted: settings.enabled, installedAt })
    .onConflictDoUpdate({
      target: [clusterComponents.clusterId, clusterComponents.component],
      set: { wanted: settings.enabled, installedAt },
    });
}
