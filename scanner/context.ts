/*
 * scanner/ — what runs unasked: a pass over servers, orphans, drift, Alert, failed deletes and left-over machines. It decides with
 * `domain/`, writes through `db/` and lets `worker/` do whatever takes longer than a statement. It knows no driver.
 */
import type { WorkerContext } from '@/worker/context';

export interface ScannerSettings {
  /** As the heartbeat is set; two late beats make a server silent. */
  readonly beatMs: number;
  /** Who has not renewed for this long has departed. */
  readonly leaseMs: number;
  /** How long finished jobs are kept. */
  readonly retentionHours: number;
  /** How long the cloud half of a pass may take; what it has not looked at by then waits for the next one. */
  readonly cloudBudgetMs: number;
  /** How long one cluster's Kubernetes API may take to answer a check. */
  readonly kubernetesCheckMs: number;
  /** Clusters that are checked at the same time. */
  readonly concurrency: number;
  /** First wait after a failed recovery or delete; doubles up to thirty times itself. */
  readonly backOffMs: number;
  /** A nameless machine is destroyed when it has been known for longer than any call that may still make it somebody's. */
  readonly strayAfterMs: number;
  /** Pause between two prunings by one server. */
  readonly pruneEveryMs: number;
}

/** Longest call of a driver (a deploy's create phase and its job), with room for a proxy that held the request back. */
export const longestCloudCallMs = 10 * 60_000;

export const defaultScannerSettings: Omit<ScannerSettings, 'beatMs' | 'leaseMs' | 'retentionHours'> = {
  cloudBudgetMs: 30_000,
  kubernetesCheckMs: 5_000,
  concurrency: 8,
  backOffMs: 60_000,
  strayAfterMs: longestCloudCallMs,
  pruneEveryMs: 10 * 60_000,
};

export interface ScannerContext extends ScannerSettings {
  readonly worker: WorkerContext;
  /** Passes that this process runs now: a row of this boot that is not in here was left behind by an error. */
  readonly runningPasses: Set<number>;
  /** By the worker's monotonic clock; when this process last pruned. */
  readonly pruning: { lastAt: number | null };
}

/** One a process, kept by the runtime: its memory of running passes must not be doubled. */
export function createScanner(
  worker: WorkerContext,
  settings: Pick<ScannerSettings, 'beatMs' | 'leaseMs' | 'retentionHours'> & Partial<ScannerSettings>,
): ScannerContext {
  return { ...defaultScannerSettings, ...settings, worker, runningPasses: new Set(), pruning: { lastAt: null } };
}
