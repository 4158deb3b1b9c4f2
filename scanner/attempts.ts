import type { Attempt } from '@/db/cloud-findings';
import { backOffAfter } from '@/domain/drift';
import type { JobReason } from '@/domain/jobs';
import type { OperationKind } from '@/domain/operations';

/** Ends that say nothing about the cluster: its server went, so the next server may try at once. */
const notItsFault: ReadonlySet<JobReason> = new Set([
  'server-departed',
  'server-stopping',
  'not-in-memory',
  'recovered',
]);

export interface Failures {
  /** In a row, up to the newest job. */
  readonly count: number;
  /** Milliseconds until the next attempt is due; zero or less: now. */
  readonly leftMs: number;
}

/**
 * How often this kind of job failed in a row and how long to wait: kept in the jobs themselves, because each entry clears what the
 * cluster's row says. Another operation, a success, other facts than now, or somebody's "check now" begin the count anew.
 */
export function failuresInARow(
  newestFirst: readonly Attempt[],
  kind: OperationKind,
  facts: string,
  firstMs: number,
): Failures {
  let count = 0;
  let endedAgoMs = 0;
  for (const job of newestFirst) {
    if (job.kind !== kind || job.status === 'succeeded' || job.endedAgoMs === null) break;
    if (job.reason !== null && notItsFault.has(job.reason)) continue;
    const { facts: then, forced } = job.input;
    if (typeof then === 'string' && then !== facts) break;
    if (count === 0) endedAgoMs = job.endedAgoMs;
    count += 1;
    if (forced === true) break;
  }
  return { count, leftMs: backOffAfter(count, firstMs) - endedAgoMs };
}

/** "2 minutes", "40 s". */
export function waitWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}
