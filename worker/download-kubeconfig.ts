import { clusterFacts } from '@/db/clusters';
import { recordEvent } from '@/db/events';
import { readSecret } from '@/db/facts';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { renderKubeconfig } from '@/infrastructure/bootstrap/kubeconfig';
import { clusterPkiSchema, signClientCertificate } from '@/infrastructure/bootstrap/pki';
import type { WorkerContext } from './context';

/** People get a certificate of their own, shorter-lived than the product's, with their name in it. */
const downloadDays = 30;

/**
 * A kubeconfig for one person, signed anew each time, and an event that tells of it. Refuses while the cluster was never reached
 * (`endpoint` unset), as CKS does while setup is in progress.
 */
export async function downloadKubeconfig(
  worker: Pick<WorkerContext, 'db' | 'sealer'>,
  actor: Actor,
  clusterId: string,
): Promise<Result<{ fileName: string; text: string }, Refusal>> {
  const facts = await clusterFacts(worker.db, clusterId);
  if (facts === undefined) return refused({ code: 'not-found', message: 'There is no such cluster.' });
  const { cluster } = facts;
  const sealed = await readSecret(worker.db, clusterId, 'pki');
  if (sealed === null || cluster.endpoint === null) {
    return refused({
      code: 'refused',
      reason: 'needs-running',
      message: 'There is no kubeconfig yet: the cluster has not been reached since it was created.',
      also: [],
      holder: null,
    });
  }
  const pki = clusterPkiSchema.parse(JSON.parse(worker.sealer.open(sealed)));
  const signed = await signClientCertificate(pki, {
    commonName: `holdfast:${actor.name}`,
    organizations: ['system:masters'],
    days: downloadDays,
  });
  await recordEvent(worker.db, {
    type: 'cluster.kubeconfig',
    result: 'ok',
    actor,
    clusterId,
    clusterName: cluster.name,
    summary: `${actor.name} downloaded the kubeconfig of ${cluster.name} (valid ${downloadDays} days)`,
  });
  const text = renderKubeconfig({
    clusterName: cluster.name,
    endpoint: cluster.endpoint.replace(/\/$/, ''),
    caPem: pki.cluster.certificatePem,
    userName: actor.name,
    ...signed,
  });
  return accepted({ fileName: `${cluster.name}.kubeconfig`, text });
}
