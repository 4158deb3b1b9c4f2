import type { ScannedCluster } from '@/db/cloud-scan';
import { nodeFaults } from '@/domain/drift';
import type { FaultKind } from '@/domain/health-advice';
import type { ClusterAccess } from '@/infrastructure/kubernetes';
import { KubernetesError } from '@/infrastructure/kubernetes';
import { clusterAccess } from '@/worker/access';
import { looseCall } from '@/worker/catalogue';
import { StepFailed } from '@/worker/step';
import { bounded } from './bounded';
import type { CloudCheck } from './cloud-check';

export interface Fault {
  readonly fault: FaultKind;
  readonly missing: readonly string[];
}

/** Asks the cluster's own API, bounded: does it answer, is every node Ready and of the cluster's version? Null: yes. Changes nothing. */
export async function kubernetesFault(check: CloudCheck, cluster: ScannedCluster): Promise<Fault | null> {
  const access = await accessOrFault(check, cluster);
  if ('fault' in access) return access;
  const { kubernetesCheckMs, worker } = check.scanner;
  const signal = AbortSignal.any([check.signal, AbortSignal.timeout(kubernetesCheckMs)]);
  const call = looseCall(signal, 'health-check');
  const api = worker.connectKubernetes(access);
  try {
    if (!(await bounded(api.isReady(call), signal)))
      return { fault: 'api', missing: ['The Kubernetes API does not say that it is ready'] };
    const missing = nodeFaults(cluster, await bounded(api.listNodes(call), signal));
    if (missing.length === 0) return null;
    return { fault: missing.every((line) => line.includes(': version ')) ? 'versions' : 'nodes', missing };
  } catch (error) {
    if (!signal.aborted && !(error instanceof KubernetesError)) throw error;
    const why = error instanceof KubernetesError ? error.message : `no answer within ${kubernetesCheckMs / 1000} s`;
    return { fault: 'api', missing: [`The Kubernetes API does not answer: ${why}`] };
  } finally {
    api.close();
  }
}

async function accessOrFault(check: CloudCheck, cluster: ScannedCluster): Promise<ClusterAccess | Fault> {
  try {
    return await clusterAccess(check.scanner.worker, cluster.id);
  } catch (error) {
    if (error instanceof StepFailed) return { fault: 'no-access', missing: [error.message] };
    throw error;
  }
}
