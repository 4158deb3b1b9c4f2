import type { ClusterFacts } from '@/db/clusters';
import { readSecret } from '@/db/facts';
import type { PlanFacts } from '@/domain/plan';
import type { ClusterState } from '@/domain/states';
import type { WorkerContext } from './context';

/** What the pure planner needs, out of what is recorded. */
export async function planFacts(
  worker: Pick<WorkerContext, 'db'>,
  facts: ClusterFacts,
  fromState: ClusterState,
): Promise<PlanFacts> {
  const { cluster } = facts;
  const access = await readSecret(worker.db, cluster.id, 'admin-access');
  return {
    state: cluster.state,
    fromState,
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
  };
}
