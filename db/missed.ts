import { violatesUnique } from './errors';

/** Thrown in a transaction of ownership to roll it back after a conditional write met no row; `rolledBackWhenMissed` takes it. */
export class Missed extends Error {}

/** Undefined when a conditional write met no row, or when the schema's unique index spoke first (I2). */
export async function rolledBackWhenMissed<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof Missed ||
      violatesUnique(error, 'jobs_one_in_progress') ||
      violatesUnique(error, 'jobs_one_waiting')
    ) {
      return undefined;
    }
    throw error;
  }
}
