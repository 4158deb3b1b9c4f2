/** Why a worker is told to stop; the reason of its abort signal. */
export type StopReason = 'lost' | 'server-stopping' | 'stop-waits' | 'timed-out' | 'departed';

export class Stopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`worker stopped: ${reason}`);
    this.name = 'Stopped';
    this.reason = reason;
  }
}

/** `hard` ends everything, calls under way included. `soft` ends waits at once and the job at its next step boundary. */
export interface StopSignals {
  readonly hard: AbortSignal;
  readonly soft: AbortSignal;
}

interface Entry {
  readonly hard: AbortController;
  readonly soft: AbortController;
  /** Settles when the job has left. */
  readonly left: Promise<void>;
  readonly leave: () => void;
}

/**
 * The jobs this process runs, by id. A job's id enters before the transaction that makes it this server's and leaves after its end has
 * committed; so a job in progress under this boot that is not in here has no worker, and the self-check may fail it.
 */
export class RunningJobs {
  readonly #entries = new Map<string, Entry>();
  #stopping = false;

  get stopping(): boolean {
    return this.#stopping;
  }

  has(jobId: string): boolean {
    return this.#entries.has(jobId);
  }

  ids(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Enters a job before it is written. Repeatable. On a server that stops, the job is told so from the beginning. */
  claim(jobId: string): void {
    if (this.#entries.has(jobId)) return;
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const entry: Entry = { hard: new AbortController(), soft: new AbortController(), left, leave };
    this.#entries.set(jobId, entry);
    if (this.#stopping) stop(entry, 'server-stopping');
  }

  /** Takes a claim back after the transaction did not make the job ours. */
  release(jobId: string): void {
    this.#entries.get(jobId)?.leave();
    this.#entries.delete(jobId);
  }

  /** Runs a claimed job in the background; it leaves when `work` has settled. `work` never rejects by contract; if it does, `crashed` hears of it. */
  start(jobId: string, work: (signals: StopSignals) => Promise<void>, crashed: (error: unknown) => void): void {
    const entry = this.#entries.get(jobId);
    if (entry === undefined) throw new Error(`job ${jobId} was not claimed`);
    void work({ hard: entry.hard.signal, soft: entry.soft.signal })
      .catch(crashed)
      .finally(() => this.release(jobId));
  }

  abort(jobId: string, reason: StopReason): void {
    const entry = this.#entries.get(jobId);
    if (entry !== undefined) stop(entry, reason);
  }

  abortAll(reason: StopReason): void {
    for (const entry of this.#entries.values()) stop(entry, reason);
  }

  /**
   * Accepts nothing more; every job is told, and ends at its next step boundary; so does a stop that is handed a cluster meanwhile.
   * Resolves when all have ended, or after `limitMs`.
   */
  async stopAll(limitMs: number): Promise<{ left: readonly string[] }> {
    this.#stopping = true;
    this.abortAll('server-stopping');
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#untilEmpty(), limit]);
    clearTimeout(timer);
    return { left: this.ids() };
  }

  async #untilEmpty(): Promise<void> {
    while (this.#entries.size > 0) await Promise.all([...this.#entries.values()].map((entry) => entry.left));
  }
}

function stop(entry: Entry, reason: StopReason): void {
  entry.soft.abort(new Stopped(reason));
  if (reason !== 'server-stopping' && reason !== 'stop-waits') entry.hard.abort(new Stopped(reason));
}
