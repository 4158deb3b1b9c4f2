import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { FleetSummary } from '@/db/queries/summary';

export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: ({ signal }) => readJson<FleetSummary>('/api/v1/summary', signal),
});
