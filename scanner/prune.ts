import { pruneJobs, prunePasses } from '@/db/pruning';
import type { ScannerContext } from './context';

const rowsABatch = 500;
/** A backlog is worked off over several prunings, so that none takes long. */
const batchesAtOnce = 10;
const keepPassesDays = 7;

/** Removes what is past its retention, in bounded batches. */
export async function prune(scanner: ScannerContext): Promise<{ jobs: number; passes: number }> {
  const { db } = scanner.worker;
  return {
    jobs: await inBatches(() => pruneJobs(db, scanner.retentionHours, rowsABatch)),
    passes: await inBatches(() => prunePasses(db, keepPassesDays, rowsABatch)),
  };
}

/** With the first pass of a process, then every `pruneEveryMs`: passes come every few seconds, retention is counted in days. */
export async function pruneNowAndThen(scanner: ScannerContext): Promise<void> {
  const now = scanner.worker.clock.now();
  const { lastAt } = scanner.pruning;
  if (lastAt !== null && now - lastAt < scanner.pruneEveryMs) return;
  scanner.pruning.lastAt = now;
  await prune(scanner);
}

async function inBatches(work: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    const rows = await work();
    removed += rows;
    if (rows < rowsABatch) break;
  }
  return removed;
}
