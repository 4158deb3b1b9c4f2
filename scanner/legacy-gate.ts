import type { Queryable } from '@/db/client';
import { type LegacyJob, legacyJobs } from '@/db/jobs';
import { knownClusterIds } from '@/db/scan';

/** What jobs of older servers hold back (MIX-1, MIX-2). */
export interface LegacyGate {
  /** Why no cluster is recovered; null when every legacy job names one. */
  readonly holdsAll: string | null;
  /** The legacy job that names this cluster, if one does. */
  naming(clusterId: string): LegacyJob | undefined;
}

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * MIX-1: a legacy job that names a cluster by its UUID holds that one. MIX-2: one without parameters, or whose parameters name no
 * cluster of ours (a numeric id), holds all. `departed`: in a preview, boots whose jobs an apply would have failed by now.
 */
export async function legacyGate(queryable: Queryable, departed: ReadonlySet<string>): Promise<LegacyGate> {
  const open = (await legacyJobs(queryable)).filter(({ serverId }) => serverId === null || !departed.has(serverId));
  const named = new Map(open.map((job) => [job.id, uuidsIn(job.parameters)]));
  const known = await knownClusterIds(queryable, [...new Set([...named.values()].flat())]);
  const byCluster = new Map<string, LegacyJob>();
  let holdsAll: string | null = null;
  for (const job of open) {
    const ids = (named.get(job.id) ?? []).filter((id) => known.has(id));
    for (const id of ids) byCluster.set(id, job);
    if (ids.length === 0) holdsAll ??= `Job ${job.id} (${job.kind}) of an older server names no cluster.`;
  }
  return { holdsAll, naming: (clusterId) => byCluster.get(clusterId) };
}

function uuidsIn(parameters: string | null): readonly string[] {
  return parameters?.toLowerCase().match(uuidPattern) ?? [];
}
