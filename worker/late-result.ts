import { clusterName } from '@/db/clusters';
import { recordEvent } from '@/db/events';
import type { Hold } from '@/db/holds';
import { jobForRun, markLateResult } from '@/db/jobs';
import type { WorkerContext } from './context';
import { patiently } from './patience';

/**
 * A worker that was thought dead came back: what it says is shown on job and cluster and changes nothing (HOLD-2, interface B6).
 * `what` continues "<server>'s worker of job …".
 */
export async function recordLateResult(worker: WorkerContext, hold: Hold, what: string): Promise<void> {
  const forever = new AbortController().signal;
  await patiently(worker.clock, forever, async () => {
    const [job, name] = await Promise.all([jobForRun(worker.db, hold.jobId), clusterName(worker.db, hold.clusterId)]);
    if (job === undefined) return;
    await worker.db.transaction(async (tx) => {
      await markLateResult(tx, hold.jobId);
      await recordEvent(tx, {
        type: 'operation.late-result',
        result: 'ignored',
        actor: job.actor,
        clusterId: hold.clusterId,
        clusterName: name,
        jobId: hold.jobId,
        serverId: hold.serverId,
        summary: `A late result of ${worker.lease.serverName} for ${name ?? 'a deleted cluster'} was ignored. ${what}`,
        detail: { token: hold.token },
      });
    });
  });
}
