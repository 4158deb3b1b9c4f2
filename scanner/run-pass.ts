import { finishPass, openPass, ownershipDone, type PassEnd, PassLost, takeCloudHalf } from '@/db/passes';
import type { PassOutcome, PassReport } from '@/domain/passes';
import { patiently } from '@/worker/patience';
import { cloudPass } from './cloud-pass';
import type { ScannerContext } from './context';
import { ownershipPass } from './ownership-pass';
import { type PassRequest, PassRun } from './pass-run';
import { pruneNowAndThen } from './prune';

/** A pass whose ownership half is committed. `whole` settles when the cloud half is over; it never rejects. */
type Started =
  | Exclude<PassOutcome, { kind: 'done' }>
  | { readonly kind: 'started'; readonly report: PassReport; readonly whole: Promise<PassReport> };

/** How long the database may be away before a pass gives up closing its row; the next pass of this boot closes it then. */
const closeWithinMs = 10_000;

/**
 * One run of the scanner, both halves (design section 7). `preview` is the same code without the writes; its own rows in `passes` and
 * `pass_decisions` are its record. Safe to call at any time from any server: one applies at a time, the others are told its id.
 */
export async function runPass(scanner: ScannerContext, request: PassRequest): Promise<PassOutcome> {
  const started = await startPass(scanner, request);
  return started.kind === 'started' ? { kind: 'done', report: await started.whole } : started;
}

/**
 * As `runPass`, but answers after `waitMs` at the latest once the ownership half is committed; the cloud half then goes on in this
 * process, and `report.cloud` says `running`. For callers that must not wait for a slow cloud.
 */
export async function runPassWithin(
  scanner: ScannerContext,
  request: PassRequest,
  waitMs: number,
): Promise<PassOutcome> {
  const started = await startPass(scanner, request);
  if (started.kind !== 'started') return started;
  const timer = new AbortController();
  const late = scanner.worker.clock.sleep(waitMs, timer.signal).then(
    () => started.report,
    () => started.report,
  );
  const report = await Promise.race([started.whole, late]);
  timer.abort();
  return { kind: 'done', report };
}

async function startPass(scanner: ScannerContext, request: PassRequest): Promise<Started> {
  const { worker, leaseMs, beatMs } = scanner;
  if (worker.running.stopping)
    return { kind: 'unavailable', message: `${worker.lease.serverName} is stopping and runs no pass.` };
  const { serverId } = worker.lease;
  const { mode, trigger, actor } = request;
  const memory = remembering(scanner.runningPasses);
  const opened = await openPass(
    worker.db,
    { serverId, leaseMs, beatMs },
    { mode, trigger, actorName: actor.name, memory },
  ).catch((error: unknown) => {
    memory.forget();
    throw error;
  });
  if (opened.kind === 'not-live')
    return { kind: 'unavailable', message: `The lease of ${worker.lease.serverName} is over; it runs no pass.` };
  if (opened.kind === 'already-running') return opened;
  const run = new PassRun(scanner, opened.passId, request, serverId, opened.departed.length);
  try {
    await ownershipPass(scanner, run);
    await run.store();
    await ownershipDone(worker.db, run.id, run.counts, run.gate);
  } catch (error) {
    await close(scanner, run, {
      status: 'failed',
      counts: run.counts,
      cloud: null,
      cloudNote: null,
      error: wordsOf(error),
    });
    throw error;
  }
  const report = run.report('running', null);
  return { kind: 'started', report, whole: restOfPass(scanner, run) };
}

/** If the opening fails after it was told of a pass, nobody runs that one; should its commit have gone through, the next pass closes it. */
function remembering(passes: Set<number>) {
  const added: number[] = [];
  return {
    has: (passId: number) => passes.has(passId),
    add: (passId: number) => {
      added.push(passId);
      passes.add(passId);
    },
    forget: () => {
      for (const passId of added) passes.delete(passId);
    },
  };
}

/** Pruning and the cloud half: whatever they meet, the pass is closed and what was decided is on record. */
async function restOfPass(scanner: ScannerContext, run: PassRun): Promise<PassReport> {
  const { worker } = scanner;
  let cloud: PassEnd['cloud'] = 'failed';
  let note: string | null = null;
  let error: string | null = null;
  try {
    if (!run.isPreview) await pruneNowAndThen(scanner);
    const mayRun = run.isPreview || (await takeCloudHalf(worker.db, run.id));
    note = mayRun ? await cloudPass(scanner, run) : 'The cloud half of an earlier pass is still under way.';
    cloud = mayRun ? (note === null ? 'done' : 'failed') : 'skipped';
    await run.store();
  } catch (thrown) {
    error = wordsOf(thrown);
    note = 'It was broken off by an unexpected error; the server log has it.';
    worker.log('error', 'the second half of a pass broke off', { passId: run.id, error });
  }
  await close(scanner, run, {
    status: error === null ? 'done' : 'failed',
    counts: run.counts,
    cloud,
    cloudNote: note,
    error,
  });
  return run.report(cloud ?? 'failed', note);
}

async function close(scanner: ScannerContext, run: PassRun, end: PassEnd): Promise<void> {
  const { worker } = scanner;
  try {
    await patiently(worker.clock, AbortSignal.timeout(closeWithinMs), () => finishPass(worker.db, run.id, end));
  } catch (error) {
    worker.log('warning', 'a pass could not be closed; the next one closes it', {
      passId: run.id,
      error: String(error),
    });
  } finally {
    scanner.runningPasses.delete(run.id);
  }
}

/** For the pass's row, which every viewer may read: no SQL, no stack. */
function wordsOf(error: unknown): string {
  if (error instanceof PassLost) return error.message;
  return 'An unexpected error; the server log has it.';
}
