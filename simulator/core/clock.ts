/**
 * Simulated time. One factor scales every wait; a step lets time pass at once. Nothing else in this room may wait on the
 * wall clock, so that a test's factor of 0.01 makes everything a hundred times as fast.
 */
interface Timer {
  remainingMs: number;
  armedAt: number;
  handle: NodeJS.Timeout | undefined;
  fire: () => void;
}

export type Cancel = () => void;

export class Clock {
  #factor: number;
  #offsetMs = 0;
  readonly #timers = new Set<Timer>();
  readonly #onError: (error: unknown) => void;

  constructor(factor: number, onError: (error: unknown) => void) {
    this.#factor = factor;
    this.#onError = onError;
  }

  get factor(): number {
    return this.#factor;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Wall clock plus all steps so far, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** The time in the form Kubernetes writes it. */
  iso(): string {
    return `${new Date(this.now()).toISOString().slice(0, 19)}Z`;
  }

  /** Calls back after `ms` of simulated time, unless cancelled. */
  after(ms: number, action: () => void): Cancel {
    const timer: Timer = { remainingMs: ms, armedAt: 0, handle: undefined, fire: action };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => this.#drop(timer);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Changes the factor; running waits keep the share of them that is over. */
  setFactor(factor: number): void {
    for (const timer of this.#timers) this.#pause(timer);
    this.#factor = factor;
    for (const timer of this.#timers) this.#arm(timer);
  }

  /** Lets `ms` of simulated time pass at once. */
  step(ms: number): void {
    this.#offsetMs += ms;
    for (const timer of [...this.#timers]) {
      this.#pause(timer);
      timer.remainingMs = Math.max(0, timer.remainingMs - ms);
      this.#arm(timer);
    }
  }

  restoreOffset(ms: number): void {
    this.#offsetMs = ms;
  }

  stop(): void {
    for (const timer of [...this.#timers]) this.#drop(timer);
  }

  #arm(timer: Timer): void {
    timer.armedAt = performance.now();
    timer.handle = setTimeout(() => {
      this.#timers.delete(timer);
      try {
        timer.fire();
      } catch (error) {
        this.#onError(error);
      }
    }, timer.remainingMs * this.#factor);
  }

  #pause(timer: Timer): void {
    clearTimeout(timer.handle);
    const passed = this.#factor > 0 ? (performance.now() - timer.armedAt) / this.#factor : timer.remainingMs;
    timer.remainingMs = Math.max(0, timer.remainingMs - passed);
  }

  #drop(timer: Timer): void {
    clearTimeout(timer.handle);
    this.#timers.delete(timer);
  }
}
