import { clusterFacts } from '@/db/clusters';
import { readSecret } from '@/db/facts';
import type { ClusterAccess } from '@/infrastructure/kubernetes';
import type { WorkerContext } from './context';
import { storedAccess } from './prepare-access';
import { StepFailed } from './step';

/** How to reach a cluster's API: the recorded address with the stored certificate. Throws `StepFailed` when either is missing. */
export async function clusterAccess(
  worker: Pick<WorkerContext, 'db' | 'sealer'>,
  clusterId: string,
): Promise<ClusterAccess> {
  const [facts, sealed] = await Promise.all([
    clusterFacts(worker.db, clusterId),
    readSecret(worker.db, clusterId, 'admin-access'),
  ]);
  if (facts === undefined || sealed === null) throw new StepFailed('Access to the cluster has not been prepared yet.');
  const { publicIp, publicPort } = facts.cluster;
  if (publicIp === null || publicPort === null) throw new StepFailed('The cluster has no public address yet.');
  const access = storedAccess.parse(JSON.parse(worker.sealer.open(sealed)));
  return { ...access, endpoint: `https://${publicIp}:${publicPort}` };
}
