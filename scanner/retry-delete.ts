import type { ScannedCluster } from '@/db/cloud-scan';
import type { Checked, CloudCheck } from './cloud-check';
import type { MachineIndex } from './machines';
import { startJob } from './start-job';

/** Destroying that nobody owns (design 7.8, ENT-9): the same retried delete as an admin's, by the same door (OUT-2 closed). */
export function retryDelete(check: CloudCheck, cluster: ScannedCluster, index: MachineIndex): Promise<Checked> {
  // Ids only: what is left to destroy. An attempt that got rid of a machine may go on at once; states change with every attempt.
  const left = cluster.nodes.flatMap(({ machineId }) =>
    machineId !== null && index.has(machineId) ? [machineId] : [],
  );
  return startJob(check, cluster, {
    kind: 'delete',
    code: 'DESTROY_RETRY',
    reason: 'Its delete did not get to the end; it is tried again.',
    becomes: null,
    facts: left.sort().join(' '),
    isDue: false,
    verdict: 'not-yet',
  });
}
