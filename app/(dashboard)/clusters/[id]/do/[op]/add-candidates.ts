import 'server-only';
import type { Candidate } from '@/components/clusters/forms/operation-shell';
import { clusterOfMachine } from '@/db/clusters';
import { formOptions } from '@/db/queries/catalogue';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import { runtime } from '@/runtime';
import { looseCall } from '@/worker/catalogue';

const askMs = 4_000;

/** Machines in the cluster's network, each with the reason why it cannot be added. Null: the cloud did not answer in time. */
export async function addCandidates(cluster: ClusterDetail): Promise<readonly Candidate[] | null> {
  const { worker, db } = runtime();
  if (cluster.networkId === null) return [];
  try {
    const call = looseCall(AbortSignal.timeout(askMs), 'add-nodes candidates');
    const machines = await worker.cloud.listMachines(call, { networkId: cluster.networkId });
    const { templates } = await formOptions(db);
    return await Promise.all(
      machines.map(async (machine) => {
        const owner = await clusterOfMachine(db, machine.id);
        const template = templates.find((each) => each.id === machine.templateId);
        const isSuitable = template === undefined || template.off === null;
        const off =
          owner !== undefined && !owner.joining
            ? `a node of ${owner.name}`
            : isSuitable
              ? null
              : 'its template is not marked for Kubernetes';
        return { id: machine.id, name: machine.name, ip: machine.ip, off };
      }),
    );
  } catch (error) {
    console.warn('the machines of a network could not be listed', error instanceof Error ? error.message : error);
    return null;
  }
}
