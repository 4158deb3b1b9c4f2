import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { FleetSummary } from '@/db/queries/summary';

/** A pass that does not come, or a beat that is late, announces nothing: lateness is only seen by asking again. */
const refreshMs = 15_000;

export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: ({ signal }) => readJson<FleetSummary>('/api/v1/summary', signal),
  refetchInterval: refreshMs,
});
