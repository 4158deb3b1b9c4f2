import { forgetCluster, recordInstalled } from '@/db/facts';
import { KubernetesError } from '@/infrastructure/kubernetes';
import { installComponent } from '../components/install';
import { type ReleasedVolumes, releaseVolumes } from '../components/volumes';
import { type Step, type StepContext, StepFailed } from '../step';
import { inWords } from '../step-failure';

/** The ISO is only in the way once nodes are Ready; the next operation's attach would replace it anyhow (REC-12). */
export const detachIso: Step = async (step) => {
  const { nodes } = await step.facts();
  for (const node of nodes) if (node.machineId !== null) await step.worker.cloud.ensureNoIso(step.call, node.machineId);
  return undefined;
};

export const installComponentStep: Step = async (step) => {
  const { component } = step.planned;
  if (component === undefined) throw new Error('install-component was planned without a component');
  const facts = await step.facts();
  await installComponent(step, facts, component);
  await step.write((tx) => recordInstalled(tx, facts.cluster.id, component, true));
  return { component };
};

/** While the CSI driver still runs. Best effort, like CKS: what is left is named, because it goes on costing money. */
export const deleteVolumes: Step = async (step) => {
  const { left, skipped } = await releaseVolumes(step).catch((error: unknown) => passOver(step, error));
  if (skipped !== null) await step.note('warning', `Volumes were not looked at: ${skipped}`);
  if (left.length > 0) await step.note('warning', `Volumes left over: ${left.join(', ')}`);
  return { left, skipped };
};

/** A cluster whose API refuses or hangs can be deleted all the same (B028); a worker that is told to stop stops. */
function passOver(step: StepContext, error: unknown): ReleasedVolumes {
  const timeIsUp = step.call.signal.aborted && step.call.signal.reason instanceof StepFailed;
  if (timeIsUp) return { left: [], skipped: 'the Kubernetes API did not answer in time.' };
  if (error instanceof KubernetesError || error instanceof StepFailed)
    return { left: [], skipped: inWords(error).message };
  throw error;
}

export const forgetSecrets: Step = async (step) => {
  const { cluster } = await step.facts();
  await step.write((tx) => forgetCluster(tx, cluster.id));
  return undefined;
};
