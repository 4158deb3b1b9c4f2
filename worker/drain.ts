import { z } from 'zod';
import type { KubernetesApi, KubernetesObject } from '@/infrastructure/kubernetes';
import { type StepContext, StepFailed } from './step';

const podFacts = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string().default('default'),
    uid: z.string().default(''),
    annotations: z.record(z.string(), z.string()).default({}),
    ownerReferences: z
      .array(z.object({ kind: z.string(), name: z.string(), controller: z.boolean().default(false) }))
      .default([]),
  }),
  status: z.object({ phase: z.string().default('') }).default({ phase: '' }),
});
type Pod = z.infer<typeof podFacts>;

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/**
 * Cordons a node and evicts its pods, respecting disruption budgets (cloud.md D.3): pods of DaemonSets and static pods stay, emptyDir
 * data is lost knowingly. A pod that nobody would start again is refused rather than lost. Throws `StepFailed` with the pods that are
 * left and the budget that blocks; the node stays cordoned then.
 */
export async function drainNode(step: StepContext, api: KubernetesApi, nodeName: string): Promise<{ evicted: number }> {
  await api.setUnschedulable(step.call, nodeName, true);
  const leaving = await podsToEvict(step, api, nodeName);
  const lone = leaving.filter((pod) => controllerOf(pod) === undefined && !isFinished(pod));
  if (lone.length > 0) {
    throw new StepFailed(`pods without a controller would be lost: ${names(lone)}. Delete them, then try again.`);
  }
  let blocked: readonly string[] = [];
  let left: readonly Pod[] = leaving;
  await step.waitFor(
    async () => {
      blocked = await evictAll(step, api, left);
      left = await podsToEvict(step, api, nodeName);
      if (left.length === 0) return true;
      await step.report(
        `${left.length} pods left on ${nodeName}${blocked.length > 0 ? `; ${blocked.join('; ')}` : ''}`,
      );
      return undefined;
    },
    () => `pods are left: ${names(left)}${blocked.length > 0 ? ` (${blocked.join('; ')})` : ''}.`,
  );
  return { evicted: leaving.length };
}

async function evictAll(step: StepContext, api: KubernetesApi, pods: readonly Pod[]): Promise<readonly string[]> {
  const blocked: string[] = [];
  for (const pod of pods) {
    const { namespace, name, uid } = pod.metadata;
    const answer = await api.evictPod(step.call, { namespace, name, uid });
    if (answer.kind === 'blocked') blocked.push(`${namespace}/${name}: ${answer.message}`);
  }
  return blocked;
}

async function podsToEvict(step: StepContext, api: KubernetesApi, nodeName: string): Promise<readonly Pod[]> {
  const pods = await api.list(step.call, { apiVersion: 'v1', kind: 'Pod', fieldSelector: `spec.nodeName=${nodeName}` });
  const parsed = pods.map((pod: KubernetesObject) => podFacts.parse(pod));
  const leaving: Pod[] = [];
  for (const pod of parsed) if (!(await stays(step, api, pod))) leaving.push(pod);
  return leaving;
}

/** Static pods and those of a DaemonSet that exists; a DaemonSet's pod whose set is gone must leave. */
async function stays(step: StepContext, api: KubernetesApi, pod: Pod): Promise<boolean> {
  if (pod.metadata.annotations[mirrorAnnotation] !== undefined) return true;
  const controller = controllerOf(pod);
  if (controller?.kind !== 'DaemonSet') return false;
  const { namespace } = pod.metadata;
  return (
    (await api.get(step.call, { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name: controller.name })) !== null
  );
}

function controllerOf(pod: Pod) {
  return pod.metadata.ownerReferences.find((owner) => owner.controller);
}

function isFinished(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}

function names(pods: readonly Pod[]): string {
  return pods.map((pod) => `${pod.metadata.namespace}/${pod.metadata.name}`).join(', ');
}
