import { endOperation } from '@/db/ending';
import { runningJobsOf } from '@/db/jobs';
import { scannerActor } from '@/domain/actor';
import { operationKinds } from '@/domain/operations';
import type { WorkerContext } from './context';
import { dispatch } from './run-operation';

/**
 * Fails jobs that are in progress under this boot and that nobody here runs (design section 6): a worker that crashed, or a claim that
 * was lost. Harmless when a job ends meanwhile: its end is conditional, like every other.
 */
export async function failJobsNobodyRuns(worker: WorkerContext): Promise<void> {
  const serverId = worker.lease.serverId;
  for (const job of await runningJobsOf(worker.db, serverId)) {
    const kind = operationKinds.find((each) => each === job.kind);
    if (worker.running.has(job.id) || kind === undefined || job.clusterId === null || job.token === null) continue;
    const message = `${worker.lease.serverName} found no worker for it.`;
    const ended = await endOperation(
      worker.db,
      { clusterId: job.clusterId, jobId: job.id, token: job.token, serverId },
      {
        kind,
        actor: scannerActor,
        status: 'failed',
        reason: 'not-in-memory',
        message,
        event: job.failureEvent,
        attention: { code: 'operation-failed', text: message, jobId: job.id, at: new Date().toISOString() },
      },
      (jobId) => worker.running.claim(jobId),
    );
    if (ended.kind === 'handed-over') dispatch(worker, ended.next);
    if (ended.kind !== 'lost') worker.log('error', 'a job in progress had no worker and was failed', { jobId: job.id });
  }
}
