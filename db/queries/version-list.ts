/** The Kubernetes versions with what the cloud says of their ISOs, and who uses them. */
import { eq, sql } from 'drizzle-orm';
import { readCatalogue } from '@/db/catalogue';
import type { Queryable } from '@/db/client';
import { clusters, kubernetesVersions } from '@/db/schema/clusters';
import type { Iso, Zone } from '@/domain/cloud-catalogue';
import { versionNamedIn } from '@/domain/version-rules';
import { compareVersions } from '@/domain/versions';
import { iso as isoTime, type Reader } from './reader';

/** `gone`: the cloud does not list it any more. `unknown`: the cloud was never read. */
export type IsoState = 'ready' | 'not-ready' | 'gone' | 'unknown';

export interface VersionListItem {
  readonly id: string;
  readonly version: string;
  readonly isoId: string;
  readonly isoName: string;
  readonly isoState: IsoState;
  /** Null: every zone. */
  readonly zoneId: string | null;
  /** Null for every zone, and for one that the cloud does not list any more. */
  readonly zoneName: string | null;
  readonly minCpuCount: number;
  readonly minMemoryMb: number;
  readonly enabled: boolean;
  readonly clusterCount: number;
  /** Deleted clusters whose history names it. */
  readonly deletedClusterCount: number;
  readonly createdAt: string;
}

export interface IsoChoice {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly zoneId: string | null;
}

export interface VersionList {
  /** Newest first. */
  readonly versions: readonly VersionListItem[];
  /** Ready ISOs that name a version which is not listed yet, newest first. */
  readonly choices: readonly IsoChoice[];
  readonly zones: readonly Zone[];
  /** How old the list of ISOs is; null: the cloud was never read. */
  readonly isosAgeMs: number | null;
}

export async function versionList(db: Queryable, _reader: Reader): Promise<VersionList> {
  const [rows, kept] = await Promise.all([rowsWithUse(db), readCatalogue(db)]);
  // The rows hold what the reader of the catalogue stored: this product's own types, as JSON.
  const isos = kept.get('isos')?.data as readonly Iso[] | undefined;
  const zones = (kept.get('zones')?.data ?? []) as readonly Zone[];
  const versions = rows.map((row) => ({
    ...row,
    isoState: stateOf(isos, row.isoId),
    zoneName: zones.find((zone) => zone.id === row.zoneId)?.name ?? null,
    createdAt: isoTime(row.createdAt),
  }));
  const choices = (isos ?? []).flatMap(({ id, name, ready, zoneId }) => {
    const version = versionNamedIn(name);
    const isListed = rows.some((row) => row.isoId === id || row.version === version);
    return version === null || !ready || isListed ? [] : [{ id, name, version, zoneId }];
  });
  return {
    versions: versions.sort((a, b) => compareVersions(b.version, a.version)),
    choices: choices.sort((a, b) => compareVersions(b.version, a.version)),
    zones,
    isosAgeMs: kept.get('isos')?.ageMs ?? null,
  };
}

async function rowsWithUse(db: Queryable) {
  return db
    .select({
      id: kubernetesVersions.id,
      version: kubernetesVersions.version,
      isoId: kubernetesVersions.isoId,
      isoName: kubernetesVersions.isoName,
      zoneId: kubernetesVersions.zoneId,
      minCpuCount: kubernetesVersions.minCpuCount,
      minMemoryMb: kubernetesVersions.minMemoryMb,
      enabled: kubernetesVersions.enabled,
      createdAt: kubernetesVersions.createdAt,
      clusterCount: sql<number>`count(${clusters.id}) filter (where ${clusters.removedAt} is null)::int`,
      deletedClusterCount: sql<number>`count(${clusters.id}) filter (where ${clusters.removedAt} is not null)::int`,
    })
    .from(kubernetesVersions)
    .leftJoin(clusters, eq(clusters.kubernetesVersionId, kubernetesVersions.id))
    .groupBy(kubernetesVersions.id);
}

function stateOf(isos: readonly Iso[] | undefined, isoId: string): IsoState {
  if (isos === undefined) return 'unknown';
  const iso = isos.find((each) => each.id === isoId);
  if (iso === undefined) return 'gone';
  return iso.ready ? 'ready' : 'not-ready';
}
