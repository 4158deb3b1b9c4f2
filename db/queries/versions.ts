/** Which Kubernetes versions a cluster can go to. */

import { listVersions } from '@/db/catalogue';
import type { Queryable } from '@/db/client';
import { canUpgrade, compareVersions } from '@/domain/versions';

export interface VersionOption {
  readonly id: string;
  readonly version: string;
  /** Null: every zone. */
  readonly zoneId: string | null;
  readonly enabled: boolean;
  readonly minCpuCount: number;
  readonly minMemoryMb: number;
}

/** Newest first, with those that are switched off. */
export async function versionOptions(db: Queryable): Promise<readonly VersionOption[]> {
  const rows = await listVersions(db);
  return rows
    .map(({ id, version, zoneId, enabled, minCpuCount, minMemoryMb }) => ({
      id,
      version,
      zoneId,
      enabled,
      minCpuCount,
      minMemoryMb,
    }))
    .sort((a, b) => compareVersions(b.version, a.version));
}

export function isUpgradeOffered(
  cluster: { version: string; zoneId: string },
  versions: readonly VersionOption[],
): boolean {
  return versions.some(
    (each) =>
      each.enabled &&
      (each.zoneId === null || each.zoneId === cluster.zoneId) &&
      compareVersions(each.version, cluster.version) > 0 &&
      canUpgrade(cluster.version, each.version) === 'fine',
  );
}
