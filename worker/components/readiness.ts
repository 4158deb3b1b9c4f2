import { z } from 'zod';
import type { KubernetesObject } from '@/infrastructure/kubernetes';

const count = z.number().int().default(0);
const deployment = z.object({
  metadata: z.object({ generation: count }),
  spec: z.object({ replicas: z.number().int().default(1) }).default({ replicas: 1 }),
  status: z
    .object({
      observedGeneration: count,
      replicas: count,
      updatedReplicas: count,
      availableReplicas: count,
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
    })
    .optional(),
});
const daemonSet = z.object({
  metadata: z.object({ generation: count }),
  status: z
    .object({
      observedGeneration: count,
      updatedNumberScheduled: count,
      desiredNumberScheduled: count,
      numberReady: count,
    })
    .optional(),
});

/** cloud.md D.4: the whole of what was last asked for is out and available, and progress was not given up. */
export function deploymentIsReady(object: KubernetesObject): boolean {
  const parsed = deployment.safeParse(object).data;
  const status = parsed?.status;
  if (parsed === undefined || status === undefined) return false;
  const { replicas } = parsed.spec;
  const gaveUp = status.conditions.some(
    (condition) => condition.type === 'Progressing' && condition.status === 'False',
  );
  return (
    !gaveUp &&
    status.observedGeneration >= parsed.metadata.generation &&
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas
  );
}

export function daemonSetIsReady(object: KubernetesObject): boolean {
  const parsed = daemonSet.safeParse(object).data;
  const status = parsed?.status;
  if (parsed === undefined || status === undefined) return false;
  const { desiredNumberScheduled: desired } = status;
  return (
    status.observedGeneration >= parsed.metadata.generation &&
    status.updatedNumberScheduled === desired &&
    status.numberReady === desired
  );
}
