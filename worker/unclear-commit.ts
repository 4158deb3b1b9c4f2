import { databaseIsAway } from '@/db/errors';
import { jobAsMade, type NewJob } from '@/db/jobs';
import type { Accepted } from './accept';
import type { WorkerContext } from './context';
import { patiently } from './patience';
import { dispatch } from './run-operation';

/** How long an acceptance waits for the database to say whether its commit went through. */
const unclearCommitMs = 10_000;

/**
 * The connection broke while an acceptance was being committed: the table says whether it was. A job in progress under this id was
 * entered and has no worker, because nobody else can start it; so its hold is read back and it runs. A job that was only stored (a
 * waiting stop, settings) was not claimed, and whoever promotes it runs it. Throws `error` where nothing was made.
 */
export async function afterUnclearCommit(
  worker: WorkerContext,
  error: unknown,
  job: NewJob,
  entry: 'claimed' | 'stored',
): Promise<Accepted> {
  const isClaimed = entry === 'claimed';
  try {
    if (!databaseIsAway(error)) throw error;
    const made = await patiently(worker.clock, AbortSignal.timeout(unclearCommitMs), () =>
      jobAsMade(worker.db, job.id),
    );
    if (made === undefined) throw error;
    if (isClaimed && made.hold !== null) dispatch(worker, made.hold);
    else if (isClaimed) worker.running.release(job.id);
    return { jobId: job.id, clusterId: job.clusterId, waiting: made.status === 'waiting', repeated: false };
  } catch (thrown) {
    if (isClaimed) worker.running.release(job.id);
    throw thrown;
  }
}
