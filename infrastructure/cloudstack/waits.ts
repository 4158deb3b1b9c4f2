import { setTimeout as timer } from 'node:timers/promises';

const firstWaitMs = 100;
const growth = 1.6;

/** Waits between looks: short at first, then longer, up to `longestMs`. */
export function* waits(longestMs: number): Generator<number, never> {
  for (let next = firstWaitMs; ; next *= growth) yield Math.min(next, longestMs);
}

/** Ends early, without an error, when the signal aborts: the caller looks at the signal next. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal }).catch(() => undefined);
}
