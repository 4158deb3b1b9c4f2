/** As the worker's clock: tests bring one that does not wait. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Time that passes only by being slept through, at once. */
export function createInstantClock(startMs = 0): Clock {
  let now = startMs;
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      // One turn of the event loop, so that a loop of sleeps lets others in.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) throw signal.reason;
      now += ms;
    },
  };
}
