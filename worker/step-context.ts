import type { Transaction } from '@/db/client';
import { clusterFacts } from '@/db/clusters';
import { type Hold, whileHeld } from '@/db/holds';
import { logLine, reportStep } from '@/db/steps';
import type { PlannedStep } from '@/domain/plan-steps';
import type { KubernetesApi } from '@/infrastructure/kubernetes';
import { clusterAccess } from './access';
import type { WorkerContext } from './context';
import { patiently } from './patience';
import { Stopped, type StopSignals } from './running-jobs';
import { HoldLost, type StepContext, StepFailed } from './step';

/** How long a failed step may take to put back what it had begun. */
const afterwardsMs = 60_000;

export interface StepScope {
  readonly worker: WorkerContext;
  readonly hold: Hold;
  readonly signals: StopSignals;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Builds what one attempt of a step gets. `close` ends its Kubernetes connections. */
export function openStep(
  scope: StepScope,
  planned: PlannedStep,
  { attemptsLeft }: { attemptsLeft: number },
): { context: StepContext; close: () => void } {
  const { worker, hold, signals } = scope;
  const { clock } = worker;
  const endsAt = clock.now() + planned.timeoutSeconds * 1000;
  const timeUp = new AbortController();
  const timer = new AbortController();
  clock.sleep(planned.timeoutSeconds * 1000, AbortSignal.any([timer.signal, signals.hard])).then(
    () => timeUp.abort(new StepFailed(`${planned.label}: no answer within ${planned.timeoutSeconds} s.`)),
    () => undefined,
  );
  const callSignal = AbortSignal.any([signals.hard, timeUp.signal]);
  const waitSignal = AbortSignal.any([callSignal, signals.soft]);
  const operation = `${hold.jobId}/${hold.token}/${planned.key}`;
  let api: KubernetesApi | undefined;
  let lastReport = '';

  async function write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    const outcome = await patiently(clock, signals.hard, () => whileHeld(worker.db, hold, work));
    if (!outcome.held) throw new HoldLost();
  }

  /** Before each change outside: the lease by the own clock, then ownership in the database. */
  async function authorize(signal: AbortSignal): Promise<void> {
    await worker.lease.whenTrusted(signal);
    const { held, stopWaits } = await patiently(clock, signal, () => worker.holdCheck(hold));
    if (!held) throw new HoldLost();
    if (stopWaits) worker.running.abort(hold.jobId, 'stop-waits');
  }

  async function waitFor<T>(look: () => Promise<T | undefined>, late: () => string): Promise<T> {
    for (;;) {
      await authorize(callSignal);
      throwIfAborted(waitSignal);
      const found = await look();
      if (found !== undefined) return found;
      if (clock.now() >= endsAt) throw new StepFailed(late());
      await clock.sleep(worker.settings.pollMs, waitSignal);
    }
  }

  const context: StepContext = {
    worker,
    hold,
    planned,
    input: scope.input,
    call: { signal: callSignal, operation, authorize: () => authorize(callSignal) },
    attemptsLeft,
    afterwards: async (work) => {
      const lateness = new AbortController();
      const signal = AbortSignal.any([signals.hard, lateness.signal]);
      const end = new AbortController();
      const sleeping = clock.sleep(afterwardsMs, AbortSignal.any([end.signal, signals.hard])).then(
        () => lateness.abort(new StepFailed('the clean-up took too long.')),
        () => undefined,
      );
      try {
        return await work({ signal, operation, authorize: () => authorize(signal) });
      } finally {
        end.abort(new Stopped('timed-out'));
        await sleeping;
      }
    },
    facts: async () => {
      const facts = await patiently(clock, callSignal, () => clusterFacts(worker.db, hold.clusterId));
      if (facts === undefined) throw new HoldLost();
      return facts;
    },
    write,
    report: async (message) => {
      if (message === lastReport) return;
      lastReport = message;
      await write((tx) => reportStep(tx, hold.jobId, planned.key, message));
    },
    note: (level, text) => write((tx) => logLine(tx, hold.jobId, { step: planned.key, level, text })),
    waitFor: (look, late) =>
      waitFor(look, late).catch((error: unknown) => Promise.reject(lateWords(error, timeUp.signal, late))),
    kubernetes: async () => {
      api ??= worker.connectKubernetes(await clusterAccess(worker, hold.clusterId));
      return api;
    },
  };
  return {
    context,
    close: () => {
      timer.abort(new Stopped('timed-out'));
      api?.close();
    },
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason;
}

/** A wait whose time ran out says what it waited for, not only that it was late; also when a look was under way just then. */
function lateWords(error: unknown, timeUp: AbortSignal, late: () => string): unknown {
  if (!timeUp.aborted || error instanceof HoldLost || error instanceof Stopped) return error;
  const hasWords = error instanceof StepFailed && error !== timeUp.reason;
  return hasWords ? error : new StepFailed(late());
}
