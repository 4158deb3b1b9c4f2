/** Changes of the Kubernetes versions that clusters are offered. Each is one transaction with its event. */
import { and, eq, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { NewVersion } from '@/domain/version-rules';
import type { Database, Transaction } from './client';
import { violatesForeignKey } from './errors';
import { recordEvent } from './events';
import { kubernetesVersions } from './schema/clusters';

type Change = Promise<Result<{ version: string }, Refusal>>;

/** Refuses as invalid where this version is listed already; the unique index decides between two admins. */
export async function addVersion(
  db: Database,
  { actor, ...wanted }: NewVersion & { actor: Actor; isoName: string },
): Change {
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(kubernetesVersions)
      .values(wanted)
      .onConflictDoNothing({ target: kubernetesVersions.version })
      .returning({ id: kubernetesVersions.id });
    if (made === undefined) {
      const message = `Version ${wanted.version} is listed already.`;
      return refused({ code: 'invalid', message, issues: [{ field: 'version', message }] });
    }
    const { version, isoName, minCpuCount, minMemoryMb } = wanted;
    const summary = `${actor.name} added Kubernetes ${version} from ${isoName}, at least ${minCpuCount} CPUs and ${minMemoryMb} MB.`;
    return recorded(tx, { actor, versionId: made.id, version, summary });
  });
}

/** Enabled: offered for new clusters and upgrades. Clusters that have it are left alone. Refuses: not-found, and nothing-to-do. */
export async function setVersionEnabled(
  db: Database,
  { actor, versionId, enabled }: { actor: Actor; versionId: string; enabled: boolean },
): Change {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(kubernetesVersions)
      .set({ enabled })
      .where(and(eq(kubernetesVersions.id, versionId), eq(kubernetesVersions.enabled, !enabled)))
      .returning({ version: kubernetesVersions.version });
    const word = enabled ? 'enabled' : 'disabled';
    if (changed === undefined) return unchanged(tx, versionId, (version) => `Version ${version} is ${word} already.`);
    const { version } = changed;
    return recorded(tx, { actor, versionId, version, summary: `${actor.name} ${word} Kubernetes ${version}.` });
  });
}

interface Minimums {
  readonly minCpuCount: number;
  readonly minMemoryMb: number;
}

/** Changes them as they were read: refuses as moved-on where another admin was first. Counts for offerings that are chosen from now on. */
export async function changeMinimums(
  db: Database,
  { actor, versionId, asRead, wanted }: { actor: Actor; versionId: string; asRead: Minimums; wanted: Minimums },
): Change {
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(kubernetesVersions)
      .set({ minCpuCount: wanted.minCpuCount, minMemoryMb: wanted.minMemoryMb })
      .where(
        and(
          eq(kubernetesVersions.id, versionId),
          eq(kubernetesVersions.minCpuCount, asRead.minCpuCount),
          eq(kubernetesVersions.minMemoryMb, asRead.minMemoryMb),
        ),
      )
      .returning({ version: kubernetesVersions.version });
    if (changed === undefined) {
      return unchanged(
        tx,
        versionId,
        () => 'Somebody else changed it meanwhile. Look again, then change it.',
        'moved-on',
      );
    }
    const { version } = changed;
    const summary = `${actor.name} set what Kubernetes ${version} needs to ${wanted.minCpuCount} CPUs and ${wanted.minMemoryMb} MB.`;
    return recorded(tx, { actor, versionId, version, summary });
  });
}

/**
 * Refuses while a cluster names it, a deleted one included: its history would not know any more what it ran. The foreign key decides
 * against a create that is quicker than the look.
 */
export async function deleteVersion(db: Database, { actor, versionId }: { actor: Actor; versionId: string }): Change {
  try {
    return await db.transaction(async (tx) => {
      const [gone] = await tx
        .delete(kubernetesVersions)
        .where(eq(kubernetesVersions.id, versionId))
        .returning({ version: kubernetesVersions.version });
      if (gone === undefined) return unchanged(tx, versionId, () => '');
      const { version } = gone;
      return recorded(tx, { actor, versionId, version, summary: `${actor.name} deleted Kubernetes ${version}.` });
    });
  } catch (error) {
    if (!violatesForeignKey(error)) throw error;
    return inUse(db, versionId);
  }
}

async function inUse(db: Database, versionId: string): Change {
  const rows = await db.execute<{ version: string; live: number; gone: number; names: string | null }>(sql`
    select versions.version, count(*) filter (where clusters.removed_at is null)::int as live,
      count(*) filter (where clusters.removed_at is not null)::int as gone,
      string_agg(clusters.name, ', ' order by clusters.name) filter (where clusters.removed_at is null) as names
    from kubernetes_versions versions join clusters on clusters.kubernetes_version_id = versions.id
    where versions.id = ${versionId} group by versions.version`);
  const [row] = rows;
  const { version = 'It', live = 0, gone = 0, names = null } = row ?? {};
  const message =
    live > 0
      ? `Version ${version} is in use by ${live === 1 ? 'cluster' : `${live} clusters:`} ${shortened(names ?? '')}. Upgrade or delete ${live === 1 ? 'it' : 'them'} first, or disable the version.`
      : `${gone === 1 ? 'A deleted cluster names' : `${gone} deleted clusters name`} version ${version} in the history. Disable it instead.`;
  return refused({ code: 'invalid', message, issues: [] });
}

/** A list of names that fits a sentence. */
function shortened(names: string): string {
  const all = names.split(', ');
  const shown = 5;
  return all.length <= shown ? names : `${all.slice(0, shown).join(', ')} and ${all.length - shown} more`;
}

async function unchanged(
  tx: Transaction,
  versionId: string,
  words: (version: string) => string,
  reason: 'nothing-to-do' | 'moved-on' = 'nothing-to-do',
): Change {
  const [row] = await tx
    .select({ version: kubernetesVersions.version })
    .from(kubernetesVersions)
    .where(eq(kubernetesVersions.id, versionId));
  if (row === undefined) return refused({ code: 'not-found', message: 'There is no such version any more.' });
  return refused({ code: 'refused', reason, message: words(row.version), also: [], holder: null });
}

async function recorded(
  tx: Transaction,
  { actor, versionId, version, summary }: { actor: Actor; versionId: string; version: string; summary: string },
): Change {
  await recordEvent(tx, { type: 'version.changed', result: 'ok', actor, summary, detail: { versionId, version } });
  return accepted({ version });
}
