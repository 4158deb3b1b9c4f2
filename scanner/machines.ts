import type { ScannedCluster } from '@/db/cloud-scan';
import type { SeenNode } from '@/domain/drift';
import type { CallContext, Cloud, Machine } from '@/infrastructure/cloud';
import { bounded } from './bounded';

export type MachineIndex = ReadonlyMap<string, Machine>;

/**
 * The cluster's machines as they are. One that the bulk listing does not show is asked for once more by id before it counts as gone:
 * a machine expunged between two pages shifts the next page by one (cloud.md A.5). Throws when the cloud does not say.
 */
export async function seeMachines(
  cloud: Cloud,
  call: CallContext,
  cluster: ScannedCluster,
  index: MachineIndex,
): Promise<readonly SeenNode[]> {
  const seen: SeenNode[] = [];
  for (const node of cluster.nodes) {
    if (node.machineId === null) {
      seen.push({ node, machine: 'none' });
      continue;
    }
    const machine = index.get(node.machineId) ?? (await bounded(cloud.getMachine(call, node.machineId), call.signal));
    seen.push({ node, machine: machine?.state ?? 'gone' });
  }
  return seen;
}
