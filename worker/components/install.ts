import type { ClusterFacts } from '@/db/clusters';
import type { ComponentName } from '@/domain/components';
import type { KubernetesApi, KubernetesObject } from '@/infrastructure/kubernetes';
import { type StepContext, StepFailed } from '../step';
import { applyAll, objectsIn, publishedManifests } from './manifests';
import { daemonSetIsReady, deploymentIsReady } from './readiness';

/** Files that a component is made of, as CloudStack's ISO script names them; the first that is there counts. */
const files: Readonly<Record<Exclude<ComponentName, 'autoscaler'>, readonly (readonly string[])[]>> = {
  dashboard: [['dashboard.yaml', 'headlamp.yaml']],
  'cloud-provider': [['provider.yaml']],
  'csi-driver': [['snapshot-crds.yaml'], ['manifest.yaml']],
};

/**
 * Applies a component from the ISO's manifests and waits until it is ready (cloud.md D.4). Repeatable. Throws `StepFailed` when the ISO
 * has no such component, or when it does not get ready in time.
 */
export async function installComponent(
  step: StepContext,
  facts: ClusterFacts,
  component: ComponentName,
): Promise<void> {
  if (component === 'autoscaler') throw new StepFailed('the autoscaler is installed by its own operation.');
  const api = await step.kubernetes();
  const objects = await componentObjects(step, api, facts, component);
  if (component !== 'dashboard') await api.apply(step.call, cloudSecret(step, facts));
  await applyAll(step, api, objects);
  const workloads = objects.filter((object) => object.kind === 'Deployment' || object.kind === 'DaemonSet');
  let waitingFor: readonly string[] = workloads.map(({ kind, metadata }) => `${kind.toLowerCase()} ${metadata.name}`);
  await step.waitFor(
    async () => {
      waitingFor = await notReady(step, api, workloads);
      if (waitingFor.length === 0) return true;
      await step.report(`Waiting for ${waitingFor.join(', ')}`);
      return undefined;
    },
    () => `not ready in time: ${waitingFor.join(', ')}.`,
  );
}

async function componentObjects(
  step: StepContext,
  api: KubernetesApi,
  facts: ClusterFacts,
  component: Exclude<ComponentName, 'autoscaler'>,
): Promise<readonly KubernetesObject[]> {
  const published = await publishedManifests(step, api);
  return files[component].flatMap((choices) => {
    const file = choices.find((name) => published[name] !== undefined);
    const text = file === undefined ? undefined : published[file];
    if (file === undefined || text === undefined) {
      throw new StepFailed(`the binaries ISO of ${facts.version} brings no ${choices.join(' or ')}.`);
    }
    return objectsIn(file, text);
  });
}

/** The keys with which cloud provider and CSI driver call the cloud; read by both under this name. */
function cloudSecret(step: StepContext, facts: ClusterFacts): KubernetesObject {
  const { apiUrl, apiKey, secretKey } = step.worker.settings.cloudAccess;
  const config = [
    '[Global]',
    `api-url = ${apiUrl}`,
    `api-key = ${apiKey}`,
    `secret-key = ${secretKey}`,
    `zone = ${facts.cluster.zoneName}`,
    'ssl-no-verify = false',
    '',
  ];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudstack-secret', namespace: 'kube-system' },
    type: 'Opaque',
    stringData: { 'cloud-config': config.join('\n') },
  };
}

/** A pod of the dashboard that runs is enough (CKS looks at nothing else either); other workloads must be complete. */
async function notReady(
  step: StepContext,
  api: KubernetesApi,
  workloads: readonly KubernetesObject[],
): Promise<readonly string[]> {
  const waiting: string[] = [];
  for (const { apiVersion, kind, metadata } of workloads) {
    const { name } = metadata;
    const namespace = metadata.namespace ?? 'default';
    const now = await api.get(step.call, { apiVersion, kind, name, namespace });
    const ready = now !== null && (kind === 'Deployment' ? deploymentIsReady(now) : daemonSetIsReady(now));
    if (!ready) waiting.push(`${kind.toLowerCase()} ${name}`);
  }
  return waiting;
}
