/** Machines that carry our tag and that no node row names: remembered from pass to pass, destroyed when found again (design 7.9). */
import { and, eq, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm';
import { scannerActor } from '@/domain/actor';
import type { Database, Queryable } from './client';
import { recordEvent } from './events';
import { clusters, nodes } from './schema/clusters';
import { strayMachines } from './schema/records';

export interface Stray {
  readonly id: string;
  readonly name: string;
  /** What its tag says; of a cluster that may be gone. */
  readonly clusterId: string | null;
}

const machinesAStatement = 1_000;

/** Which of these machines no node row names, by id or by name: a planned node finds by its name what an earlier attempt made. */
export async function unnamedMachines(queryable: Queryable, machines: readonly Stray[]): Promise<readonly Stray[]> {
  const unnamed: Stray[] = [];
  for (let from = 0; from < machines.length; from += machinesAStatement) {
    const part = machines.slice(from, from + machinesAStatement);
    const rows = await queryable
      .select({ machineId: nodes.machineId, name: nodes.name })
      .from(nodes)
      .where(
        or(
          inArray(
            nodes.machineId,
            part.map(({ id }) => id),
          ),
          inArray(
            nodes.name,
            part.map(({ name }) => name),
          ),
        ),
      );
    const named = new Set(rows.flatMap((row) => [row.machineId, row.name]));
    unnamed.push(...part.filter((machine) => !named.has(machine.id) && !named.has(machine.name)));
  }
  return unnamed;
}

/** Clusters of these that an operation holds now: their machines are not judged. */
export async function heldClusters(queryable: Queryable, clusterIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (clusterIds.length === 0) return new Set();
  const rows = await queryable
    .select({ id: clusters.id })
    .from(clusters)
    .where(and(inArray(clusters.id, [...clusterIds]), isNotNull(clusters.operationId)));
  return new Set(rows.map((row) => row.id));
}

/**
 * Counts this sight of each stray and forgets those that were not seen. Answers the ones that have been seen at least twice and
 * known for `afterMs`, by PostgreSQL's clock: the cloud's clock decides nothing.
 */
export async function countStrays(db: Database, seen: readonly Stray[], afterMs: number): Promise<readonly Stray[]> {
  return db.transaction(async (tx) => {
    const ids = seen.map((stray) => stray.id);
    await tx.delete(strayMachines).where(ids.length === 0 ? sql`true` : notInArray(strayMachines.machineId, ids));
    if (seen.length === 0) return [];
    await tx
      .insert(strayMachines)
      .values(seen.map(({ id, name, clusterId }) => ({ machineId: id, name, clusterId })))
      .onConflictDoUpdate({ target: strayMachines.machineId, set: { seenCount: sql`${strayMachines.seenCount} + 1` } });
    const rows = await tx
      .select({ id: strayMachines.machineId, name: strayMachines.name, clusterId: strayMachines.clusterId })
      .from(strayMachines)
      .where(
        and(
          sql`${strayMachines.seenCount} >= 2`,
          sql`${strayMachines.firstSeenAt} <= clock_timestamp() - ${afterMs} * interval '1 millisecond'`,
        ),
      );
    return rows;
  });
}

/** What `countStrays` would answer if it counted this sight; writes nothing. */
export async function ripeStrays(
  queryable: Queryable,
  seen: readonly Stray[],
  afterMs: number,
): Promise<readonly Stray[]> {
  if (seen.length === 0) return [];
  const rows = await queryable
    .select({ id: strayMachines.machineId })
    .from(strayMachines)
    .where(
      and(
        inArray(
          strayMachines.machineId,
          seen.map((stray) => stray.id),
        ),
        sql`${strayMachines.firstSeenAt} <= clock_timestamp() - ${afterMs} * interval '1 millisecond'`,
      ),
    );
  const ripe = new Set(rows.map((row) => row.id));
  return seen.filter((stray) => ripe.has(stray.id));
}

/** Right before it is destroyed: nobody names it, and nobody owns its cluster, who might be about to. */
export async function isStillStray(queryable: Queryable, stray: Stray): Promise<boolean> {
  const named = queryable
    .select({ id: nodes.id })
    .from(nodes)
    .where(or(eq(nodes.machineId, stray.id), eq(nodes.name, stray.name)));
  const owned = queryable
    .select({ id: clusters.id })
    .from(clusters)
    .where(
      and(
        sql`${clusters.id} is not distinct from ${stray.clusterId}`,
        isNotNull(clusters.operationId),
        isNull(clusters.removedAt),
      ),
    );
  const [byNode, byOwner] = await Promise.all([named.limit(1), owned.limit(1)]);
  return byNode.length === 0 && byOwner.length === 0;
}

/** Tells in the audit trail that it was destroyed, and forgets it. */
export async function recordSwept(
  db: Database,
  stray: Stray,
  about: { passId: number; serverId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [cluster] =
      stray.clusterId === null
        ? []
        : await tx.select({ name: clusters.name }).from(clusters).where(eq(clusters.id, stray.clusterId));
    await recordEvent(tx, {
      type: 'machine.swept',
      result: 'ok',
      actor: scannerActor,
      clusterId: cluster === undefined ? null : stray.clusterId,
      clusterName: cluster?.name ?? null,
      serverId: about.serverId,
      summary: `Machine ${stray.name} was destroyed: it carries our tag and belongs to no node`,
      detail: { machineId: stray.id, passId: about.passId, clusterId: stray.clusterId },
    });
    await tx.delete(strayMachines).where(eq(strayMachines.machineId, stray.id));
  });
}
