import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { ClusterSearch } from '@/db/queries/cluster-conditions';
import type { ClusterDetail, ClusterList } from '@/db/queries/cluster-dto';

/** A search as the address and the API spell it: defaults left out, always in one order. */
export function searchText(search: ClusterSearch): string {
  const text = new URLSearchParams();
  if (search.preset !== 'all') text.set('preset', search.preset);
  for (const name of ['state', 'version', 'zone'] as const) {
    if (search[name].length > 0) text.set(name, search[name].join(','));
  }
  if (search.q !== '') text.set('q', search.q);
  if (search.sort !== 'name') text.set('sort', search.sort);
  if (search.order !== 'asc') text.set('order', search.order);
  if (search.cursor !== undefined) text.set('cursor', search.cursor);
  return text.toString();
}

export function clusterListQuery(search: ClusterSearch) {
  const text = searchText(search);
  return queryOptions({
    queryKey: ['clusters', 'list', text],
    queryFn: ({ signal }) => readJson<ClusterList>(`/api/v1/clusters${text === '' ? '' : `?${text}`}`, signal),
    placeholderData: keepPreviousData,
  });
}

export function clusterDetailQuery(id: string) {
  return queryOptions({
    queryKey: ['cluster', id, 'detail'],
    queryFn: ({ signal }) => readJson<ClusterDetail>(`/api/v1/clusters/${id}`, signal),
  });
}
