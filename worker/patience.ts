import { databaseIsAway, mayRunAgain } from '@/db/errors';
import type { Clock } from './context';

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Runs database work until the database answers: a restart of PostgreSQL loses nothing, workers wait and then go on if they still hold
 * their cluster. `work` must be repeatable. Rejects with the signal's reason when it aborts, and at once on any other error.
 */
export async function patiently<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!databaseIsAway(error) && !mayRunAgain(error)) throw error;
      await clock.sleep(waitMs, signal);
    }
  }
}

/** The clock of real servers. */
export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal.addEventListener('abort', onAbort, { once: true });
    }),
};
