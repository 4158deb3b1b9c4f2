/*
 * components/overview — the first page: what needs somebody, what runs, whether recovery is alive.
 */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { Overview } from '@/db/queries/overview';

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => readJson<Overview>('/api/v1/overview', signal),
});
