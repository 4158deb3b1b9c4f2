import { type OrphanRecovery, recoverOrphan } from '@/db/orphan-recovery';
import { dispatch } from '@/worker/run-operation';
import type { ScannerContext } from './context';

/**
 * The one conditional write on state, owner and token as read. `missed`: it moved on, and its new state is kept (REC-7 to REC-9).
 * A stop that waited takes the cluster and runs on this server from here.
 */
export async function recoverAndDispatch(
  scanner: ScannerContext,
  recovery: OrphanRecovery,
): Promise<'recovered' | 'stop-took-over' | 'missed'> {
  const { worker } = scanner;
  const claimed: string[] = [];
  const release = () => {
    for (const jobId of claimed) worker.running.release(jobId);
  };
  try {
    const outcome = await recoverOrphan(worker.db, recovery, (jobId) => {
      claimed.push(jobId);
      worker.running.claim(jobId);
    });
    if (outcome.kind === 'stop-took-over') dispatch(worker, outcome.next);
    else release();
    return outcome.kind;
  } catch (error) {
    // If the commit went through unanswered, the self-check finds the stop without a worker and ends it.
    release();
    throw error;
  }
}
