/*
 * components/servers — the app servers: who beats, who holds what, and what would happen if one went.
 */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { ServerDetail } from '@/db/queries/server-detail';
import type { ServerList } from '@/db/queries/servers';

/** Heartbeats announce nothing: their age is read again this often, about as often as they beat. */
const beatRefreshMs = 2_000;

export function serversQuery() {
  return queryOptions({
    queryKey: ['servers', 'list'],
    queryFn: ({ signal }) => readJson<ServerList>('/api/v1/servers', signal),
    refetchInterval: beatRefreshMs,
  });
}

export function serverQuery(id: string) {
  return queryOptions({
    queryKey: ['server', id],
    queryFn: ({ signal }) => readJson<ServerDetail>(`/api/v1/servers/${id}`, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'departed' ? false : beatRefreshMs),
  });
}
