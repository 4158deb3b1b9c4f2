/** Reads of jobs for the browser; the live stream only makes them out of date. */
import { queryOptions } from '@tanstack/react-query';
import { readJson } from '@/components/request';
import type { JobDetail } from '@/db/queries/job';
import type { LogLine } from '@/db/queries/job-log';
import type { Usual } from '@/db/queries/job-usual';
import type { JobCounts, JobFacets, JobPage } from '@/db/queries/jobs';
import { type JobSearch, jobSearchQuery } from './job-search';

const queryText = (search: Partial<JobSearch>) => {
  const query = new URLSearchParams(jobSearchQuery(search)).toString();
  return query === '' ? '' : `?${query}`;
};

/** Heartbeats are not announced; a list with open jobs asks again this often to show their age. */
const beatRefreshMs = 5_000;
const usualStaleMs = 5 * 60_000;

export function jobsQuery(search: JobSearch) {
  return queryOptions({
    queryKey: ['jobs', 'list', search],
    queryFn: ({ signal }) => readJson<JobPage>(`/api/v1/jobs${queryText(search)}`, signal),
    refetchInterval: ({ state }) =>
      state.data?.rows.some((row) => row.finishedAt === null) === true ? beatRefreshMs : false,
  });
}

export function jobCountsQuery(search: JobSearch) {
  const { tab: _, after: __, ...filter } = search;
  return queryOptions({
    queryKey: ['jobs', 'counts', filter],
    queryFn: ({ signal }) => readJson<JobCounts>(`/api/v1/jobs/counts${queryText(filter)}`, signal),
  });
}

export function jobFacetsQuery() {
  return queryOptions({
    queryKey: ['job-facets'],
    queryFn: ({ signal }) => readJson<JobFacets>('/api/v1/jobs/facets', signal),
    staleTime: 60_000,
  });
}

export type UsualByName = Readonly<Record<string, Usual>>;

export function usualJobsQuery() {
  return queryOptions({
    queryKey: ['job-usual'],
    queryFn: ({ signal }) => readJson<UsualByName>('/api/v1/jobs/usual', signal),
    staleTime: usualStaleMs,
  });
}

export function usualStepsQuery(jobId: string) {
  return queryOptions({
    queryKey: ['step-usual', jobId],
    queryFn: ({ signal }) => readJson<UsualByName>(`/api/v1/jobs/${jobId}/usual`, signal),
    staleTime: usualStaleMs,
  });
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => readJson<JobDetail>(`/api/v1/jobs/${id}`, signal),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? beatRefreshMs : false),
  });
}

const mostLines = 1000;

/** Asks only for the lines that are not here yet, and keeps the newest thousand. */
export function jobLogQuery(id: string) {
  const queryKey = ['job', id, 'log'] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const known = client.getQueryData<readonly LogLine[]>(queryKey) ?? [];
      const last = known.at(-1);
      const fresh = await readJson<readonly LogLine[]>(
        `/api/v1/jobs/${id}/log${last === undefined ? '' : `?after=${last.id}`}`,
        signal,
      );
      return [...known, ...fresh].slice(-mostLines);
    },
  });
}
