/** Reads of the state machine's page. Under `clusters` and `cluster`, so that a change of state makes them out of date. */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { ClusterPath, LifecycleFleet } from '@/db/queries/lifecycle';

export function lifecycleFleetQuery() {
  return queryOptions({
    queryKey: ['clusters', 'lifecycle'],
    queryFn: ({ signal }) => readJson<LifecycleFleet>('/api/v1/lifecycle', signal),
  });
}

export function clusterPathQuery(clusterId: string) {
  return queryOptions({
    queryKey: ['cluster', clusterId, 'path'],
    queryFn: ({ signal }) => readJson<ClusterPath>(`/api/v1/lifecycle/${clusterId}`, signal),
  });
}
