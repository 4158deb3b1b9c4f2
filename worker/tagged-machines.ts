import { tagKeys } from '@/infrastructure/bootstrap/names';
import type { CallContext, Machine } from '@/infrastructure/cloud';
import type { WorkerContext } from './context';

/** Machines that carry our tags: the whole installation's, or one cluster's. An untagged one is not among them, and may still be ours. */
export function listTaggedMachines(
  worker: Pick<WorkerContext, 'cloud' | 'settings'>,
  call: CallContext,
  clusterId?: string,
): Promise<readonly Machine[]> {
  const tag =
    clusterId === undefined
      ? { key: tagKeys.installation, value: worker.settings.installationId }
      : { key: tagKeys.cluster, value: clusterId };
  return worker.cloud.listMachines(call, { tag });
}

/** The cluster that this installation's tags name, whether or not there still is one; undefined when they do not say that it is ours. */
export function taggedCluster(worker: Pick<WorkerContext, 'settings'>, { tags }: Machine): string | undefined {
  return tags[tagKeys.installation] === worker.settings.installationId ? tags[tagKeys.cluster] : undefined;
}
