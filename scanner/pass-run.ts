import { lastDecisions, storeDecisions } from '@/db/pass-decisions';
import type { Actor } from '@/domain/actor';
import type { DecisionCode } from '@/domain/orphans';
import type { PassCounts, PassDecision, PassMode, PassReport, PassTrigger } from '@/domain/passes';
import type { ScannerContext } from './context';

/** One row of a preview, as it was ticked. */
export interface Selected {
  readonly clusterId: string;
  readonly seenSeq: number;
}

export interface PassRequest {
  readonly mode: PassMode;
  readonly trigger: PassTrigger;
  readonly actor: Actor;
  /** Only these, and only if they are as the preview saw them. Absent: everything. */
  readonly only?: readonly Selected[];
}

type Tally = 'recovered' | 'alerted' | 'jobsStarted' | 'swept';

/** Codes whose words change from pass to pass although nothing happened: ages, seconds. */
const wordsVary: ReadonlySet<DecisionCode> = new Set([
  'JOB_IN_PROGRESS',
  'WITHIN_GRACE',
  'GAINED_JOB',
  'WAITING_BACK_OFF',
]);

/** A pass under way: what it decided so far, counted and stored. */
export class PassRun {
  readonly id: number;
  readonly request: PassRequest;
  /** The boot that runs it; a boot that comes back as another one does not carry its passes along. */
  readonly serverId: string;
  /** In a preview: boots that an apply would have marked departed by now. */
  wouldDepart: ReadonlySet<string> = new Set();
  readonly #scanner: ScannerContext;
  readonly #decisions: PassDecision[] = [];
  readonly #counts: { -readonly [Key in keyof PassCounts]: number };
  #gate: string | null = null;
  #seen = 0;
  #stored = 0;

  constructor(scanner: ScannerContext, id: number, request: PassRequest, serverId: string, departed: number) {
    this.#scanner = scanner;
    this.id = id;
    this.request = request;
    this.serverId = serverId;
    this.#counts = {
      lookedAt: 0,
      recovered: 0,
      left: 0,
      missed: 0,
      errors: 0,
      departed,
      alerted: 0,
      jobsStarted: 0,
      swept: 0,
    };
  }

  get isPreview(): boolean {
    return this.request.mode === 'preview';
  }

  get counts(): PassCounts {
    return { ...this.#counts };
  }

  get gate(): string | null {
    return this.#gate;
  }

  /** The legacy gate holds all recovery. */
  holdAll(why: string): void {
    this.#gate = why;
  }

  /** `tally` counts what was done, or in a preview what would be. */
  add(decision: PassDecision, tally?: Tally): void {
    this.#decisions.push(decision);
    this.#counts.lookedAt += 1;
    if (decision.result === 'missed') this.#counts.missed += 1;
    else if (decision.result === 'failed') this.#counts.errors += 1;
    else if (decision.decision !== 'recover') this.#counts.left += 1;
    else if (tally !== undefined) this.#counts[tally] += 1;
  }

  /**
   * Stores what was decided since the last call. A pass by cron leaves out a cluster that it left alone for the reason that is
   * already on record: a row every five seconds would bury what matters.
   */
  async store(): Promise<void> {
    const fresh = this.#decisions.slice(this.#seen);
    this.#seen = this.#decisions.length;
    const kept = this.request.trigger === 'cron' ? await this.#withoutRepeats(fresh) : fresh;
    await storeDecisions(this.#scanner.worker.db, this.id, this.#stored + 1, kept);
    this.#stored += kept.length;
  }

  async #withoutRepeats(fresh: readonly PassDecision[]): Promise<readonly PassDecision[]> {
    const left = fresh.flatMap(({ clusterId, decision }) =>
      clusterId !== null && decision !== 'recover' ? [clusterId] : [],
    );
    if (left.length === 0) return fresh;
    const last = await lastDecisions(this.#scanner.worker.db, left);
    return fresh.filter((decision) => {
      if (decision.decision === 'recover' || decision.clusterId === null || decision.result === 'missed') return true;
      const before = last.get(decision.clusterId);
      const same = before?.code === decision.code && before.jobId === decision.jobId;
      return !(same && (wordsVary.has(decision.code) || before.reason === decision.reason));
    });
  }

  report(cloud: PassReport['cloud'], cloudNote: string | null): PassReport {
    const { mode } = this.request;
    return {
      id: this.id,
      mode,
      gate: this.#gate,
      cloud,
      cloudNote,
      counts: this.counts,
      decisions: [...this.#decisions],
    };
  }
}
