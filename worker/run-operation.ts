import { randomUUID } from 'node:crypto';
import { clusterFacts } from '@/db/clusters';
import { endOperation } from '@/db/ending';
import { type Hold, whileHeld } from '@/db/holds';
import { type JobEnd, jobAsMade, jobForRun } from '@/db/jobs';
import { recordPlan } from '@/db/steps';
import type { Attention } from '@/domain/attention';
import { type OperationKind, operations } from '@/domain/operations';
import { planOperation } from '@/domain/plan';
import type { PlannedStep } from '@/domain/plan-steps';
import type { ClusterEvent } from '@/domain/states';
import type { WorkerContext } from './context';
import { recordLateResult } from './late-result';
import { patiently } from './patience';
import { planFacts } from './plan-facts';
import { runStep, StepEnded } from './run-step';
import { Stopped, type StopSignals } from './running-jobs';
import { HoldLost, StepFailed } from './step';

/**
 * Starts the worker of a job that this server has claimed and entered; answers at once. The job ends in the database whatever happens
 * in here; if even that fails, the self-check or a pass ends it.
 */
export function dispatch(worker: WorkerContext, hold: Hold): void {
  worker.running.start(
    hold.jobId,
    (signals) => runOperation(worker, hold, signals),
    (error) => worker.log('error', 'a worker crashed', { jobId: hold.jobId, error: String(error) }),
  );
}

interface Run {
  readonly worker: WorkerContext;
  readonly hold: Hold;
  readonly signals: StopSignals;
  readonly job: NonNullable<Awaited<ReturnType<typeof jobForRun>>>;
  readonly kind: OperationKind;
  /** By the worker's own monotonic clock. */
  readonly endsAt: number;
}

async function runOperation(worker: WorkerContext, hold: Hold, signals: StopSignals): Promise<void> {
  const job = await patiently(worker.clock, signals.hard, () => jobForRun(worker.db, hold.jobId));
  if (job === undefined) return;
  const run: Run = { worker, hold, signals, job, kind: job.kind, endsAt: worker.clock.now() + job.remainingMs };
  const ending = await attempt(run);
  await finish(run, ending);
}

/** How a job is to end; `lost` ends nothing. */
type Ending =
  | { readonly kind: 'lost'; readonly had: string }
  | { readonly kind: 'end'; readonly end: JobEnd; readonly event: ClusterEvent | null };

async function attempt(run: Run): Promise<Ending> {
  const { worker, hold, signals, job } = run;
  try {
    const steps = await plan(run);
    for (const group of inGroups(steps)) {
      atBoundary(run);
      const outcomes = await Promise.allSettled(
        group.map((planned) =>
          runStep({ worker, hold, signals, input: job.input }, planned, { ordinal: steps.indexOf(planned) }),
        ),
      );
      const failure = worst(outcomes);
      if (failure !== undefined) throw failure;
    }
    const event = job.heldState === job.fromState && run.kind !== 'delete' ? null : ('OperationSucceeded' as const);
    return { kind: 'end', event, end: { status: 'succeeded', reason: null, message: null } };
  } catch (error) {
    return endingOf(run, error);
  }
}

async function plan(run: Run): Promise<readonly PlannedStep[]> {
  const { worker, hold, signals, job } = run;
  const facts = await patiently(worker.clock, signals.hard, () => clusterFacts(worker.db, hold.clusterId));
  if (facts === undefined) throw new HoldLost();
  const asked = { fromState: job.fromState, input: job.input };
  const steps = planOperation(
    run.kind,
    await patiently(worker.clock, signals.hard, () => planFacts(worker, facts, asked)),
  );
  const outcome = await patiently(worker.clock, signals.hard, () =>
    whileHeld(worker.db, hold, (tx) => recordPlan(tx, hold.jobId, steps.length)),
  );
  if (!outcome.held) throw new HoldLost();
  return steps;
}

/** Neighbouring steps of one group run together; every other step is a group of its own. */
export function inGroups(steps: readonly PlannedStep[]): readonly (readonly PlannedStep[])[] {
  const groups: PlannedStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last !== undefined && step.group !== undefined && last[0]?.group === step.group) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Between steps a job gives way: to a stop of its server, to a stop that waits, to its own deadline. */
function atBoundary(run: Run): void {
  const { hard, soft } = run.signals;
  if (hard.aborted) throw hard.reason;
  if (soft.aborted) throw soft.reason;
  if (run.worker.clock.now() > run.endsAt) throw new Stopped('timed-out');
}

/** Of several failures the one that decides: a lost hold before a stop, a stop before a failed step. */
function worst(outcomes: readonly PromiseSettledResult<void>[]): unknown {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  return (
    reasons.find((reason) => reason instanceof HoldLost) ??
    reasons.find((reason) => reason instanceof Stopped) ??
    reasons[0]
  );
}

function endingOf(run: Run, error: unknown): Ending {
  if (error instanceof HoldLost) return { kind: 'lost', had: 'found its cluster taken or recovered' };
  if (error instanceof Stopped) return endingOfStop(run, error);
  const failed = error instanceof StepEnded ? error : undefined;
  const cause = failed?.cause ?? error;
  const words = cause instanceof StepFailed ? cause.message : unexpectedWords(run, cause);
  return {
    kind: 'end',
    event: failed === undefined ? failureEvent(run) : failed.planned.failure,
    end: {
      status: 'failed',
      reason: 'step-failed',
      message: failed === undefined ? words : `${failed.planned.label}: ${stripLabel(words, failed.planned.label)}`,
    },
  };
}

/** The cause goes to the log under a reference; people see no SQL and no stack. */
function unexpectedWords(run: Run, cause: unknown): string {
  const reference = randomUUID().slice(0, 8);
  run.worker.log('error', 'a step failed unexpectedly', { reference, jobId: run.hold.jobId, error: stack(cause) });
  return `an unexpected error; the server log has it under ${reference}.`;
}

function stripLabel(words: string, label: string): string {
  return words.startsWith(`${label}: `) ? words.slice(label.length + 2) : words;
}

function stack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function endingOfStop(run: Run, stopped: Stopped): Ending {
  switch (stopped.reason) {
    case 'lost':
    case 'departed':
      return { kind: 'lost', had: 'was told that it lost its cluster' };
    case 'server-stopping':
      return {
        kind: 'end',
        event: failureEvent(run),
        end: {
          status: 'failed',
          reason: 'server-stopping',
          message: `${run.worker.lease.serverName} was asked to stop; the job ended at a step boundary and can be run again.`,
        },
      };
    case 'stop-waits':
      return {
        kind: 'end',
        event: failureEvent(run),
        end: { status: 'cancelled', reason: 'handed-over', message: 'It gave way to a stop that waited for it.' },
      };
    case 'timed-out':
      return {
        kind: 'end',
        event: failureEvent(run),
        end: {
          status: 'failed',
          reason: 'timed-out',
          message: `It took longer than the ${operations[run.kind].timeoutSeconds / 60} minutes allowed.`,
        },
      };
  }
}

/** The event the job stored for its failure; none where it holds no state of its own. */
function failureEvent(run: Run): ClusterEvent | null {
  return run.job.failureEvent;
}

async function finish(run: Run, ending: Ending): Promise<void> {
  const { worker, hold, job, signals } = run;
  if (ending.kind === 'lost') {
    await recordLateResult(worker, hold, `It ${ending.had}; its work is ignored.`);
    return;
  }
  await worker.atMoment?.('finish', hold.jobId);
  const forever = new AbortController().signal;
  const signal = signals.hard.aborted ? forever : signals.hard;
  let promised: string | undefined;
  const ended = await patiently(worker.clock, signal, () =>
    endOperation(
      worker.db,
      hold,
      { ...ending.end, event: ending.event, kind: run.kind, actor: job.actor, ...attentionOf(run, ending) },
      (jobId) => {
        promised = jobId;
        worker.running.claim(jobId);
      },
    ),
  ).catch(async (error: unknown) => {
    if (error instanceof Stopped) return { kind: 'lost' as const };
    throw error;
  });
  if (ended.kind === 'handed-over') dispatch(worker, ended.next);
  else if (promised !== undefined && (await handedOverUnanswered(worker, promised))) return;
  if (ended.kind === 'lost') {
    const after = await patiently(worker.clock, forever, () => jobForRun(worker.db, hold.jobId));
    const endedAsWished = after?.status === ending.end.status && after.reason === ending.end.reason;
    if (!endedAsWished) {
      const result =
        ending.end.status === 'succeeded' ? 'reported success' : `reported: ${ending.end.message ?? ending.end.status}`;
      await recordLateResult(worker, hold, `It ${result}; ignored.`);
    }
  }
}

/**
 * A commit that went unanswered may have handed the cluster to the stop that was promised to it; asked again, the end finds its hold
 * gone. If the stop is ours it has no worker yet, so it gets one; else the promise is taken back.
 */
async function handedOverUnanswered(worker: WorkerContext, stopJobId: string): Promise<boolean> {
  const forever = new AbortController().signal;
  const made = await patiently(worker.clock, forever, () => jobAsMade(worker.db, stopJobId));
  if (made?.hold?.serverId === worker.lease.serverId) {
    dispatch(worker, made.hold);
    return true;
  }
  worker.running.release(stopJobId);
  return false;
}

/** What the cluster's page says after a failure; cleared by a success. */
function attentionOf(run: Run, ending: Extract<Ending, { kind: 'end' }>): { attention?: Attention | null } {
  if (ending.end.status === 'succeeded') return run.job.heldState === run.job.fromState ? {} : { attention: null };
  if (ending.end.status === 'cancelled') return {};
  const code =
    ending.event === 'CreateFailed' ? 'create-failed' : run.kind === 'delete' ? 'delete-failed' : 'operation-failed';
  const text = `${operations[run.kind].label} failed. ${ending.end.message ?? ''}`.trim();
  return { attention: { code, text, jobId: run.hold.jobId, at: new Date().toISOString() } };
}
