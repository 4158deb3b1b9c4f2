import { z } from 'zod';
import type { KubernetesApi, KubernetesObject, ObjectReference } from '@/infrastructure/kubernetes';
import { type StepContext, StepFailed } from '../step';

const volume = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    persistentVolumeReclaimPolicy: z.string().optional(),
    claimRef: z.object({ namespace: z.string(), name: z.string() }).optional(),
  }),
});
const podTemplate = z.object({
  spec: z
    .object({
      volumes: z.array(z.object({ persistentVolumeClaim: z.object({ claimName: z.string() }).optional() })).default([]),
    })
    .default({ volumes: [] }),
});
const workload = z.object({
  spec: z
    .looseObject({
      template: podTemplate.optional(),
      jobTemplate: z.object({ spec: z.object({ template: podTemplate.optional() }) }).optional(),
      volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })).default([]),
    })
    .optional(),
});

/** Whatever may use a claim, in the order in which it must go: owners before what they own. */
const workloadKinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  { apiVersion: 'batch/v1', kind: 'CronJob' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'Pod' },
] as const;

export interface ReleasedVolumes {
  readonly left: readonly string[];
  /** Why nothing was looked at, in words; null when it was. */
  readonly skipped: string | null;
}

/**
 * Deletes the claims whose volumes go with them (reclaim policy Delete), and what uses them, and waits for the volumes (cloud.md D.5).
 * An API that does not answer is skipped with the reason: a delete never fails because of volumes.
 */
export async function releaseVolumes(step: StepContext): Promise<ReleasedVolumes> {
  let api: KubernetesApi;
  try {
    api = await step.kubernetes();
  } catch (error) {
    if (error instanceof StepFailed) return { left: [], skipped: error.message };
    throw error;
  }
  if (!(await api.isReady(step.call))) return { left: [], skipped: 'the Kubernetes API does not answer.' };
  const claims = (await api.list(step.call, { apiVersion: 'v1', kind: 'PersistentVolume' })).flatMap((object) => {
    const parsed = volume.safeParse(object).data;
    const claim = parsed?.spec.claimRef;
    return claim === undefined || parsed?.spec.persistentVolumeReclaimPolicy !== 'Delete'
      ? []
      : [{ name: parsed.metadata.name, claim }];
  });
  for (const { claim } of claims) await deleteClaim(step, api, claim);
  const names = claims.map((each) => each.name);
  let left: readonly string[] = names;
  try {
    await step.waitFor(
      async () => {
        const now = await api.list(step.call, { apiVersion: 'v1', kind: 'PersistentVolume' });
        left = now.map((object) => object.metadata.name).filter((name) => names.includes(name));
        return left.length === 0 ? true : undefined;
      },
      () => `volumes left over: ${left.join(', ')}.`,
    );
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  }
  return { left, skipped: null };
}

async function deleteClaim(
  step: StepContext,
  api: KubernetesApi,
  claim: { namespace: string; name: string },
): Promise<void> {
  for (const { apiVersion, kind } of workloadKinds) {
    const objects = await api.list(step.call, { apiVersion, kind, namespace: claim.namespace });
    for (const object of objects.filter((each) => uses(each, kind, claim.name))) {
      await api.delete(step.call, { apiVersion, kind, namespace: claim.namespace, name: object.metadata.name });
    }
  }
  const reference: ObjectReference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim };
  await api.delete(step.call, reference);
}

function uses(object: KubernetesObject, kind: string, claimName: string): boolean {
  if (kind === 'Pod') return claimsOf(podTemplate.safeParse(object).data).includes(claimName);
  const spec = workload.safeParse(object).data?.spec;
  if (spec === undefined) return false;
  const direct = [...claimsOf(spec.template), ...claimsOf(spec.jobTemplate?.spec.template)];
  const ofSet = spec.volumeClaimTemplates.some((each) =>
    claimName.startsWith(`${each.metadata.name}-${object.metadata.name}-`),
  );
  return direct.includes(claimName) || ofSet;
}

function claimsOf(template: z.infer<typeof podTemplate> | undefined): readonly string[] {
  return (template?.spec.volumes ?? []).flatMap((each) =>
    each.persistentVolumeClaim === undefined ? [] : [each.persistentVolumeClaim.claimName],
  );
}
