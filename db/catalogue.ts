/** What the cloud offers, as last read: kept so that forms and checks need not ask the cloud for each click. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from './client';
import { clusters, kubernetesVersions } from './schema/clusters';
import { cloudCatalogue, events } from './schema/records';

export const catalogueKinds = [
  'zones',
  'offerings',
  'templates',
  'isos',
  'networkOfferings',
  'networks',
  'sshKeyPairs',
] as const;
export type CatalogueKind = (typeof catalogueKinds)[number];

export async function storeCatalogue(
  queryable: Queryable,
  kind: CatalogueKind,
  data: readonly unknown[],
): Promise<void> {
  await queryable
    .insert(cloudCatalogue)
    .values({ kind, data })
    .onConflictDoUpdate({ target: cloudCatalogue.kind, set: { data, fetchedAt: sql`clock_timestamp()` } });
}

/** All kinds that were ever read, with the age of each in milliseconds by PostgreSQL's clock. */
export async function readCatalogue(queryable: Queryable) {
  const rows = await queryable
    .select({
      kind: cloudCatalogue.kind,
      data: cloudCatalogue.data,
      ageMs: sql<number>`(extract(epoch from clock_timestamp() - ${cloudCatalogue.fetchedAt}) * 1000)::float8`,
    })
    .from(cloudCatalogue);
  return new Map(rows.map((row) => [row.kind, row]));
}

export async function versionById(queryable: Queryable, id: string) {
  const [row] = await queryable.select().from(kubernetesVersions).where(eq(kubernetesVersions.id, id));
  return row;
}

export async function listVersions(queryable: Queryable) {
  return queryable.select().from(kubernetesVersions).orderBy(asc(kubernetesVersions.version));
}

/**
 * Offers the versions of these ISOs when no version was ever recorded, so that a first start can create a cluster. An admin who deletes
 * every version means it: once one was changed by hand, nothing is offered unasked.
 */
export async function seedVersions(
  queryable: Queryable,
  found: readonly { version: string; isoId: string; isoName: string; zoneId: string | null }[],
): Promise<void> {
  if (found.length === 0) return;
  const [any] = await queryable.select({ id: kubernetesVersions.id }).from(kubernetesVersions).limit(1);
  if (any !== undefined) return;
  const [byHand] = await queryable
    .select({ id: events.id })
    .from(events)
    .where(eq(events.type, 'version.changed'))
    .limit(1);
  if (byHand !== undefined) return;
  await queryable
    .insert(kubernetesVersions)
    .values([...found])
    .onConflictDoNothing();
}

/** The live cluster that uses a network, if one does. */
export async function clusterInNetwork(queryable: Queryable, networkId: string) {
  const [row] = await queryable
    .select({ name: clusters.name })
    .from(clusters)
    .where(and(eq(clusters.networkId, networkId), sql`${clusters.removedAt} is null`));
  return row;
}
