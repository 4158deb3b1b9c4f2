import { databaseIsAway, mayRunAgain } from '@/db/errors';
import { whileHeld } from '@/db/holds';
import { beginStep, endStep } from '@/db/steps';
import type { PlannedStep } from '@/domain/plan-steps';
import { patiently } from './patience';
import { Stopped, type StopSignals } from './running-jobs';
import { HoldLost, StepFailed } from './step';
import { openStep, type StepScope } from './step-context';
import { inWords, mayHelp } from './step-failure';
import { steps } from './steps/registry';

/** A step's final failure, with the step whose failure event decides. */
export class StepEnded extends Error {
  readonly planned: PlannedStep;
  constructor(planned: PlannedStep, cause: unknown) {
    super(`${planned.key} failed`, { cause });
    this.name = 'StepEnded';
    this.planned = planned;
  }
}

const longestRetryFactor = 30;

/**
 * Runs one step to its end, with its row in the database, and again with back-off on transient errors. Throws `HoldLost`, `Stopped`
 * or `StepEnded`.
 */
export async function runStep(scope: StepScope, planned: PlannedStep, place: { ordinal: number }): Promise<void> {
  const { worker, signals } = scope;
  const row = { name: planned.key, ordinal: place.ordinal, label: planned.label };
  for (let attempt = 1; ; attempt += 1) {
    await record(scope, (tx) => beginStep(tx, scope.hold.jobId, row, attempt));
    const { context, close } = openStep(scope, planned, { attemptsLeft: worker.settings.stepAttempts - attempt });
    try {
      await worker.atMoment?.(`begin ${planned.key}`, scope.hold.jobId);
      const checkpoint = await steps[planned.step](context);
      await worker.atMoment?.(`end ${planned.key}`, scope.hold.jobId);
      await record(scope, (tx) =>
        endStep(tx, scope.hold.jobId, planned.key, { status: 'done', checkpoint: checkpoint ?? null }),
      );
      return;
    } catch (error) {
      const failure = inWords(unwrapAbort(error, { ...signals, call: context.call.signal }));
      const next = await afterFailure(scope, planned, { error, failure, attempt });
      if (next === 'same-attempt') attempt -= 1;
      else await context.note('warning', `Attempt ${attempt} failed: ${failure.message} Trying again.`);
    } finally {
      close();
    }
    await backOff(scope, planned, Math.max(1, attempt));
  }
}

/** Whether the step is tried again; else its row is ended and what ends the job is thrown. */
async function afterFailure(
  scope: StepScope,
  planned: PlannedStep,
  { error, failure, attempt }: { error: unknown; failure: Error; attempt: number },
): Promise<'same-attempt' | 'next-attempt'> {
  if (failure instanceof HoldLost) throw failure;
  if (failure instanceof Stopped) {
    if (!scope.signals.hard.aborted) await endQuietly(scope, planned, 'stopped', failure.message);
    throw failure;
  }
  const hasWords = failure instanceof StepFailed;
  // No fault of the step's: it waits for the database like every write, and its attempts are not used up. A cloud that is away is told
  // apart by its words; beneath them may be the same broken connection.
  if (!hasWords && (databaseIsAway(error) || mayRunAgain(error))) return 'same-attempt';
  if (mayHelp(failure) && attempt < scope.worker.settings.stepAttempts) return 'next-attempt';
  await endQuietly(scope, planned, 'failed', hasWords ? failure.message : 'An unexpected error; see the job.');
  throw new StepEnded(planned, failure);
}

/** Waits before the next attempt; a stop ends the wait, and the step with it. */
async function backOff(scope: StepScope, planned: PlannedStep, attempt: number): Promise<void> {
  const { worker, signals } = scope;
  const waitMs = worker.settings.retryMs * Math.min(2 ** (attempt - 1), longestRetryFactor);
  try {
    await worker.clock.sleep(waitMs, AbortSignal.any([signals.hard, signals.soft]));
  } catch (error) {
    if (error instanceof Stopped && !signals.hard.aborted) await endQuietly(scope, planned, 'stopped', error.message);
    throw error;
  }
}

async function record(scope: StepScope, work: Parameters<typeof whileHeld<void>>[2]): Promise<void> {
  const outcome = await patiently(scope.worker.clock, scope.signals.hard, () =>
    whileHeld(scope.worker.db, scope.hold, work),
  );
  if (!outcome.held) throw new HoldLost();
}

/** Ends the step's row; a hold lost meanwhile is told by the caller's own next write. */
async function endQuietly(
  scope: StepScope,
  planned: PlannedStep,
  status: 'failed' | 'stopped',
  error: string,
): Promise<void> {
  await record(scope, (tx) => endStep(tx, scope.hold.jobId, planned.key, { status, error }));
}

/** An abort surfaces as whatever the aborted call made of it; the signal knows why. */
function unwrapAbort(error: unknown, signals: StopSignals & { readonly call: AbortSignal }): unknown {
  if (error instanceof HoldLost || error instanceof Stopped) return error;
  if (signals.hard.aborted) return signals.hard.reason;
  // It has words already: what was waited for, or what was put back.
  if (error instanceof StepFailed) return error;
  if (signals.call.aborted) return signals.call.reason;
  return error;
}
