import 'server-only';
import { type JobSearch, readJobSearch } from '@/components/jobs/job-search';
import type { JobFilter } from '@/db/queries/jobs';

export function searchOf(request: Request): JobSearch {
  return readJobSearch(Object.fromEntries(new URL(request.url).searchParams)).search;
}

export function filterOf(search: JobSearch): JobFilter {
  return {
    kind: search.kind ?? undefined,
    clusterId: search.cluster ?? undefined,
    serverId: search.server ?? undefined,
    by: search.by ?? undefined,
    text: search.q ?? undefined,
  };
}
