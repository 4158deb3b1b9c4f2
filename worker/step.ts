import type { Transaction } from '@/db/client';
import type { ClusterFacts } from '@/db/clusters';
import type { Hold } from '@/db/holds';
import type { PlannedStep } from '@/domain/plan-steps';
import type { CallContext } from '@/infrastructure/cloud';
import type { KubernetesApi } from '@/infrastructure/kubernetes';
import type { WorkerContext } from './context';

/**
 * A step failed in a way that people should read: what happened, and what to do. `retry` false: trying again would not help.
 * Anything else that a step throws is retried when it is transient and otherwise fails the job with its message.
 */
export class StepFailed extends Error {
  readonly retry: boolean;
  constructor(message: string, options: { retry?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StepFailed';
    this.retry = options.retry ?? false;
  }
}

/** The worker has lost its cluster: it stops, and cleans up nothing that a newer owner may need. */
export class HoldLost extends Error {
  constructor() {
    super('the cluster is held by another operation, or was recovered');
    this.name = 'HoldLost';
  }
}

/** What a step gets. Everything it does outside goes through `call`, everything it writes through `write`. */
export interface StepContext {
  readonly worker: WorkerContext;
  readonly hold: Hold;
  readonly planned: PlannedStep;
  /** What was asked, as stored with the job. */
  readonly input: Readonly<Record<string, unknown>>;
  /** For cloud and Kubernetes calls: asks the database whether the hold stands before each change. */
  readonly call: CallContext;
  /** How often it is tried again if it fails in a way that may get better. */
  readonly attemptsLeft: number;
  /** For putting back what a failed step had begun: calls of their own, bounded, that go out although the step's time is over. */
  afterwards<T>(work: (call: CallContext) => Promise<T>): Promise<T>;
  /** The cluster as recorded now, read again each time. */
  facts(): Promise<ClusterFacts>;
  /** Writes under the hold, or throws `HoldLost` with nothing written. */
  write(work: (tx: Transaction) => Promise<void>): Promise<void>;
  /** A line of progress: on the job page and in its log. Equal lines in a row are written once. */
  report(message: string): Promise<void>;
  /** A line of the log that is not progress. */
  note(level: 'info' | 'warning' | 'error', text: string): Promise<void>;
  /**
   * Looks again every poll until `look` answers other than undefined. Ends at once when the job is told to stop, and with
   * `StepFailed(late)` when the step's time is over.
   */
  waitFor<T>(look: () => Promise<T | undefined>, late: () => string): Promise<T>;
  /** The cluster's Kubernetes API with the product's own certificate; closed when the step ends. */
  kubernetes(): Promise<KubernetesApi>;
}

/** A named, repeatable part of a job. What it returns is kept as its checkpoint. */
export type Step = (context: StepContext) => Promise<Record<string, unknown> | undefined>;
