'use client';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import { clusterDetailQuery } from './cluster-queries';
import { whileHeld } from './while-held';

/** The cluster of the page; the layout has put it into the cache. A failed refetch keeps what was last known. */
export function useCluster(id: string): ClusterDetail {
  const { data } = useSuspenseQuery({
    ...clusterDetailQuery(id),
    refetchInterval: ({ state }) => whileHeld(state.data?.holder != null, 'page'),
  });
  return data;
}
