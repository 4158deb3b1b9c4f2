import { z } from 'zod';
import { versionById } from '@/db/catalogue';
import { recordNode } from '@/db/facts';
import { changeVersion } from '@/db/size';
import { isJoining, placeName } from '@/domain/plan-steps';
import { upgradeJob } from '@/infrastructure/bootstrap/upgrade-job';
import type { KubernetesApi } from '@/infrastructure/kubernetes';
import { isFirstControl } from '../node-user-data';
import { type Step, type StepContext, StepFailed } from '../step';
import { existingMachine, nodesSeen, plannedNode } from './nodes-of';

const input = z.object({ kubernetesVersionId: z.uuid() });
const kubeProxy = z.object({
  spec: z.object({
    template: z.object({ spec: z.object({ containers: z.array(z.object({ image: z.string() })).min(1) }) }),
  }),
});

async function target(step: StepContext) {
  const { kubernetesVersionId } = input.parse(step.input);
  const version = await versionById(step.worker.db, kubernetesVersionId);
  if (version === undefined) throw new StepFailed('the version it was to get is not recorded any more.');
  return version;
}

export const attachTargetIso: Step = async (step) => {
  const facts = await step.facts();
  const machine = await existingMachine(step, facts, plannedNode(step, facts));
  await step.worker.cloud.ensureIso(step.call, { machineId: machine.id, isoId: (await target(step)).isoId });
  return undefined;
};

/** The job on the node is a hint; the node itself is the truth (cloud.md D.6): its kubelet has the version, and it is Ready. */
export const upgradeNode: Step = async (step) => {
  const facts = await step.facts();
  const node = plannedNode(step, facts);
  const { version } = await target(step);
  const api = await step.kubernetes();
  if (!(await hasVersion(step, api, node.name, version))) {
    const { configMap, job } = upgradeJob({
      nodeName: node.name,
      targetVersion: version,
      first: isFirstControl(facts, node),
      serverVersion: await api.serverVersion(step.call),
      image: await imageOnEveryNode(step, api),
    });
    await api.apply(step.call, configMap);
    await api.apply(step.call, job);
    await step.report(`${placeName(node)}: upgrade to ${version} runs on the node`);
    await step.waitFor(
      async () => ((await hasVersion(step, api, node.name, version)) ? true : undefined),
      () => `its kubelet does not report ${version}.`,
    );
  }
  await step.write((tx) => recordNode(tx, node.id, { version }));
  return { version };
};

/** The API may be away for a while in the middle of it: then the answer is "not yet". */
async function hasVersion(step: StepContext, api: KubernetesApi, nodeName: string, version: string): Promise<boolean> {
  if (!(await api.isReady(step.call))) return false;
  const seen = (await nodesSeen(step, api)).find((each) => each.name === nodeName);
  return seen?.kubeletVersion === version && seen.ready;
}

async function imageOnEveryNode(step: StepContext, api: KubernetesApi): Promise<string> {
  const found = await api.get(step.call, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    namespace: 'kube-system',
    name: 'kube-proxy',
  });
  const image = kubeProxy.safeParse(found).data?.spec.template.spec.containers[0]?.image;
  if (image === undefined)
    throw new StepFailed('the DaemonSet kube-proxy, whose image the upgrade borrows, is not there.');
  return image;
}

export const uncordonNode: Step = async (step) => {
  const facts = await step.facts();
  const node = plannedNode(step, facts);
  await (await step.kubernetes()).setUnschedulable(step.call, node.name, false);
  return undefined;
};

/** Only when every node has it; nodes that people upgrade by hand are theirs to bring along. */
export const recordVersion: Step = async (step) => {
  const { cluster, nodes } = await step.facts();
  const { id, version } = await target(step);
  const behind = nodes.filter(
    (node) => node.role !== 'etcd' && !node.manualUpgrade && !isJoining(node) && node.version !== version,
  );
  if (behind.length > 0)
    throw new StepFailed(
      `not at ${version} yet: ${behind.map((node) => `${placeName(node)} (${node.version})`).join(', ')}.`,
    );
  await step.write((tx) => changeVersion(tx, cluster.id, id));
  return { version };
};
