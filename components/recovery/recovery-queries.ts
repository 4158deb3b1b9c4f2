/*
 * components/recovery — the recoverer itself: is it alive, what would it do, what has it done. Decisions come from the scanner.
 */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { LegacyGateCard } from '@/db/queries/legacy-gate';
import type { PassDetail, PassPage, PassRow } from '@/db/queries/recovery';
import type { RecoveryHealth } from '@/db/queries/recovery-health';

export interface RecoveryState {
  readonly health: RecoveryHealth;
  readonly strip: readonly PassRow[];
  readonly gate: LegacyGateCard;
}

/** A pass that does not come announces nothing: lateness is only seen by asking again. */
const healthRefreshMs = 5_000;

export function recoveryQuery() {
  return queryOptions({
    queryKey: ['recovery', 'state'],
    queryFn: ({ signal }) => readJson<RecoveryState>('/api/v1/recovery', signal),
    refetchInterval: healthRefreshMs,
  });
}

export type PassShow = 'all' | 'eventful';

export function passesQuery(show: PassShow, after: string | null) {
  const query = new URLSearchParams({
    ...(show === 'all' ? {} : { show }),
    ...(after === null ? {} : { after }),
  }).toString();
  return queryOptions({
    queryKey: ['passes', 'list', show, after],
    queryFn: ({ signal }) => readJson<PassPage>(`/api/v1/recovery/passes${query === '' ? '' : `?${query}`}`, signal),
  });
}

export function passQuery(id: string) {
  return queryOptions({
    queryKey: ['pass', id],
    queryFn: ({ signal }) => readJson<PassDetail>(`/api/v1/recovery/passes/${id}`, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1_000 : false),
  });
}
