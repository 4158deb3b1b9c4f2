import { z } from 'zod';
import { versionById } from '@/db/catalogue';
import type { ClusterFacts } from '@/db/clusters';
import { readSecret } from '@/db/facts';
import type { PlanFacts, WantedChange } from '@/domain/plan-steps';
import type { ClusterState } from '@/domain/states';
import type { WorkerContext } from './context';

/** The parts of any operation's stored input that decide its plan. */
const plannedInput = z.object({
  workerCount: z.number().int().optional(),
  nodeIds: z.array(z.string()).optional(),
  controlOfferingId: z.string().optional(),
  workerOfferingId: z.string().optional(),
  etcdOfferingId: z.string().nullish(),
  kubernetesVersionId: z.uuid().optional(),
  enabled: z.boolean().optional(),
  machineIds: z.array(z.string()).optional(),
});

/** What the pure planner needs, out of what is recorded and what was asked. */
export async function planFacts(
  worker: Pick<WorkerContext, 'db'>,
  facts: ClusterFacts,
  job: { readonly fromState: ClusterState; readonly input: Readonly<Record<string, unknown>> },
): Promise<PlanFacts> {
  const { cluster } = facts;
  const access = await readSecret(worker.db, cluster.id, 'admin-access');
  return {
    state: cluster.state,
    fromState: job.fromState,
    counts: { control: cluster.controlCount, worker: cluster.workerCount, etcd: cluster.etcdCount },
    nodes: facts.nodes,
    components: facts.components,
    network: {
      networkId: cluster.networkId,
      networkOwned: cluster.networkOwned,
      addressId: cluster.addressId,
      loadBalancerRuleId: cluster.loadBalancerRuleId,
      endpoint: cluster.endpoint,
    },
    hasAccess: access !== null,
    wanted: await wantedChange(worker, job.input),
  };
}

async function wantedChange(
  worker: Pick<WorkerContext, 'db'>,
  input: Readonly<Record<string, unknown>>,
): Promise<WantedChange> {
  const asked = plannedInput.parse(input);
  const version =
    asked.kubernetesVersionId === undefined ? undefined : await versionById(worker.db, asked.kubernetesVersionId);
  const offerings = {
    ...(asked.controlOfferingId === undefined ? {} : { control: asked.controlOfferingId }),
    ...(asked.workerOfferingId === undefined ? {} : { worker: asked.workerOfferingId }),
    ...(asked.etcdOfferingId ? { etcd: asked.etcdOfferingId } : {}),
  };
  return {
    offerings,
    ...(asked.workerCount === undefined ? {} : { workerCount: asked.workerCount }),
    ...(asked.nodeIds === undefined ? {} : { nodeIds: asked.nodeIds }),
    ...(version === undefined ? {} : { version: version.version }),
    ...(asked.enabled === undefined ? {} : { autoscale: asked.enabled }),
    ...(asked.machineIds === undefined ? {} : { machineIds: asked.machineIds }),
  };
}
