import type { Clock } from '@/worker/context';

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** Real time that a test may make jump: whoever sleeps past the jump wakes at once, so time-outs of an hour pass in a moment. */
export class JumpClock implements Clock {
  #aheadMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return performance.now() + this.#aheadMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const leave = () => {
        clearTimeout(timer);
        this.#sleepers.delete(sleeper);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const sleeper: Sleeper = {
        dueAt: this.now() + ms,
        wake: () => {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(sleeper.wake, ms);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  jump(ms: number): void {
    this.#aheadMs += ms;
    const now = this.now();
    for (const sleeper of [...this.#sleepers]) if (sleeper.dueAt <= now) sleeper.wake();
  }
}
