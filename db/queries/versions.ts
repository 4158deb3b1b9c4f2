/** Which Kubernetes versions a cluster can go to. */
import { eq } from 'drizzle-orm';
import { compare, diff, major, minor } from 'semver';
import type { Queryable } from '@/db/client';
import { kubernetesVersions } from '@/db/schema/clusters';

export interface OfferedVersion {
  readonly id: string;
  readonly version: string;
  readonly zoneId: string | null;
  readonly minCpuCount: number;
  readonly minMemoryMb: number;
}

export async function offeredVersions(db: Queryable): Promise<readonly OfferedVersion[]> {
  const rows = await db
    .select({
      id: kubernetesVersions.id,
      version: kubernetesVersions.version,
      zoneId: kubernetesVersions.zoneId,
      minCpuCount: kubernetesVersions.minCpuCount,
      minMemoryMb: kubernetesVersions.minMemoryMb,
    })
    .from(kubernetesVersions)
    .where(eq(kubernetesVersions.enabled, true));
  return rows.sort((a, b) => compare(b.version, a.version));
}

/** Newer, of the same major and at most one minor on (cluster-semantics 2.6). */
export function mayUpgradeTo(from: string, to: string): boolean {
  return compare(to, from) > 0 && diff(from, to) !== null && major(to) === major(from) && minor(to) - minor(from) <= 1;
}

export function isUpgradeOffered(
  cluster: { version: string; zoneId: string },
  versions: readonly OfferedVersion[],
): boolean {
  return versions.some(
    (each) => (each.zoneId === null || each.zoneId === cluster.zoneId) && mayUpgradeTo(cluster.version, each.version),
  );
}
