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
  done: Promise<void>;
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

  /** Enters a job before it is written. Repeatable. */
  claim(jobId: string): void {
    if (this.#entries.has(jobId)) return;
    this.#entries.set(jobId, { hard: new AbortController(), soft: new AbortController(), done: Promise.resolve() });
  }

  /** Takes a claim back after the transaction did not make the job ours. */
  release(jobId: string): void {
    this.#entries.delete(jobId);
  }

  /** Runs a claimed job in the background; it leaves when `work` has settled. `work` never rejects by contract; if it does, `crashed` hears of it. */
  start(jobId: string, work: (signals: StopSignals) => Promise<void>, crashed: (error: unknown) => void): void {
    const entry = this.#entries.get(jobId);
    if (entry === undefined) throw new Error(`job ${jobId} was not claimed`);
    entry.done = work({ hard: entry.hard.signal, soft: entry.soft.signal })
      .catch(crashed)
      .finally(() => this.#entries.delete(jobId));
  }

  abort(jobId: string, reason: StopReason): void {
    const entry = this.#entries.get(jobId);
    if (entry !== undefined) stop(entry, reason);
  }

  abortAll(reason: StopReason): void {
    for (const entry of this.#entries.values()) stop(entry, reason);
  }

  /** Accepts nothing more; every job is told, and ends at its next step boundary. Resolves when all have, or after `limitMs`. */
  async stopAll(limitMs: number): Promise<{ left: readonly string[] }> {
    this.#stopping = true;
    this.abortAll('server-stopping');
    const all = Promise.all([...this.#entries.values()].map((entry) => entry.done));
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([all, limit]);
    clearTimeout(timer);
    return { left: this.ids() };
  }
}

function stop(entry: Entry, reason: StopReason): void {
  entry.soft.abort(new Stopped(reason));
  if (reason !== 'server-stopping' && reason !== 'stop-waits') entry.hard.abort(new Stopped(reason));
}
