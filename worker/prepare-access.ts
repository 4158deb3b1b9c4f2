import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { keepSecret, readSecret } from '@/db/facts';
import { createBootstrapToken } from '@/infrastructure/bootstrap/bootstrap-token';
import {
  type ClusterPki,
  clusterPkiSchema,
  createClusterPki,
  signClientCertificate,
} from '@/infrastructure/bootstrap/pki';
import type { WorkerContext } from './context';
import type { Step } from './step';
import { StepFailed } from './step';

const productIdentity = { commonName: 'holdfast', organizations: ['system:masters'] } as const;
const productDays = 365;
const renewDaysBefore = 30;
const dayMs = 86_400_000;

/** The product's own client certificate, as `prepare-access` stored it. */
export const storedAccess = z.object({ caPem: z.string(), certificatePem: z.string(), keyPem: z.string() });

/**
 * Everything both sides must know before the first machine runs (cloud.md C.3). The first attempt's authorities are kept, so that a
 * repeat after a lost answer agrees with machines that were built from them.
 */
export const prepareAccess: Step = async (step) => {
  const { cluster } = await step.facts();
  const { sealer } = step.worker;
  const fresh = await createClusterPki({ clusterName: cluster.name });
  const token = createBootstrapToken();
  await step.write(async (tx) => {
    await keepSecret(tx, cluster.id, 'pki', sealer.seal(JSON.stringify(fresh)));
  });
  const access = await signProductAccess(await clusterPki(step.worker, cluster.id));
  await step.write(async (tx) => {
    await keepSecret(tx, cluster.id, 'bootstrap-token', sealer.seal(token));
    await keepSecret(tx, cluster.id, 'admin-access', sealer.seal(JSON.stringify(access)));
  });
  return undefined;
};

async function signProductAccess(pki: ClusterPki): Promise<z.infer<typeof storedAccess>> {
  const signed = await signClientCertificate(pki, { ...productIdentity, days: productDays });
  return { caPem: pki.cluster.certificatePem, ...signed };
}

/** The authorities of a cluster; throws `StepFailed` when `prepare-access` has not been done. */
export async function clusterPki(worker: Pick<WorkerContext, 'db' | 'sealer'>, clusterId: string): Promise<ClusterPki> {
  const sealed = await readSecret(worker.db, clusterId, 'pki');
  if (sealed === null) throw new StepFailed('Certificates have not been prepared yet.');
  return clusterPkiSchema.parse(JSON.parse(worker.sealer.open(sealed)));
}

/** A new product certificate, sealed, when the stored one runs out within a month; null when it is good. */
export async function renewAccess(
  worker: Pick<WorkerContext, 'db' | 'sealer'>,
  clusterId: string,
): Promise<Buffer | null> {
  const sealed = await readSecret(worker.db, clusterId, 'admin-access');
  if (sealed === null) throw new StepFailed('Access to the cluster has not been prepared yet.');
  const access = storedAccess.parse(JSON.parse(worker.sealer.open(sealed)));
  const endsAt = Date.parse(new X509Certificate(access.certificatePem).validTo);
  if (endsAt - Date.now() > renewDaysBefore * dayMs) return null;
  return worker.sealer.seal(JSON.stringify(await signProductAccess(await clusterPki(worker, clusterId))));
}
