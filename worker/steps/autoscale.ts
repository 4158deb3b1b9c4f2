import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ClusterFacts } from '@/db/clusters';
import { keepSecret, readSecret, recordInstalled } from '@/db/facts';
import { changeAutoscale } from '@/db/size';
import { autoscalerApiKey, autoscalerKeyPair } from '@/domain/autoscaler';
import type { KubernetesObject } from '@/infrastructure/kubernetes';
import { fillAutoscaler } from '../components/autoscaler';
import { applyAll, objectsIn, publishedManifests } from '../components/manifests';
import { deploymentIsReady } from '../components/readiness';
import { type Step, type StepContext, StepFailed } from '../step';
import { required } from './nodes-of';

const input = z.object({
  enabled: z.boolean(),
  minSize: z.number().int().optional(),
  maxSize: z.number().int().optional(),
});
/** A start or recovery asks for nothing of its own: then the recorded bounds count. */
const maybeInput = input.partial({ enabled: true });
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'kube-system',
  name: 'cluster-autoscaler',
} as const;
const secretName = 'holdfast-autoscaler';

/** On: the ISO's autoscaler with its own keys to Holdfast's facade, which may see and scale this cluster only. Off: its Deployment goes. */
export const deployAutoscaler: Step = async (step) => {
  const facts = await step.facts();
  const { enabled, minSize, maxSize } = wantedBounds(maybeInput.parse(step.input), facts.cluster);
  const api = await step.kubernetes();
  if (!enabled) {
    await api.delete(step.call, deployment);
    await api.delete(step.call, { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name: secretName });
    return { enabled };
  }
  const text = (await publishedManifests(step, api))['autoscaler.yaml'];
  if (text === undefined) throw new StepFailed(`the binaries ISO of ${facts.version} brings no autoscaler.yaml.`);
  const fill = {
    clusterId: facts.cluster.id,
    minSize: required(minSize, 'The minimum of the autoscaler'),
    maxSize: required(maxSize, 'The maximum of the autoscaler'),
    secretName,
  };
  const objects = fillAutoscaler(objectsIn('autoscaler.yaml', text), fill);
  await api.apply(step.call, await accessSecret(step, facts.cluster.zoneName));
  await applyAll(step, api, objects);
  await step.waitFor(
    async () => {
      const now = await api.get(step.call, deployment);
      return now !== null && deploymentIsReady(now) ? true : undefined;
    },
    () => 'the autoscaler did not get ready in time.',
  );
  await step.write((tx) => recordInstalled(tx, facts.cluster.id, 'autoscaler', true));
  return { enabled, minSize, maxSize };
};

function wantedBounds(asked: z.infer<typeof maybeInput>, cluster: ClusterFacts['cluster']) {
  if (asked.enabled !== undefined)
    return { enabled: asked.enabled, minSize: asked.minSize ?? null, maxSize: asked.maxSize ?? null };
  return { enabled: cluster.autoscaleEnabled, minSize: cluster.minSize, maxSize: cluster.maxSize };
}

/** A key pair of the cluster's own; kept, so that a repeat and a change of bounds use the same. */
async function accessSecret(step: StepContext, zoneName: string): Promise<KubernetesObject> {
  const { clusterId } = step.hold;
  const { sealer } = step.worker;
  const fresh = { apiKey: autoscalerApiKey(clusterId), secretKey: randomBytes(32).toString('base64url') };
  await step.write(async (tx) => {
    await keepSecret(tx, clusterId, 'autoscaler-key', sealer.seal(JSON.stringify(fresh)));
  });
  const sealed = await readSecret(step.worker.db, clusterId, 'autoscaler-key');
  if (sealed === null) throw new StepFailed('the key of the autoscaler vanished.');
  const { apiKey, secretKey } = autoscalerKeyPair.parse(JSON.parse(sealer.open(sealed)));
  const config = [
    '[Global]',
    `api-url = ${step.worker.settings.autoscalerApiUrl}`,
    `api-key = ${apiKey}`,
    `secret-key = ${secretKey}`,
    `zone = ${zoneName}`,
    '',
  ];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName, namespace: 'kube-system' },
    type: 'Opaque',
    stringData: { 'cloud-config': config.join('\n') },
  };
}

export const recordAutoscale: Step = async (step) => {
  const { enabled, minSize, maxSize } = input.parse(step.input);
  await step.write((tx) =>
    changeAutoscale(tx, step.hold.clusterId, { enabled, minSize: minSize ?? null, maxSize: maxSize ?? null }),
  );
  return undefined;
};
