import { listJobs, parseJobKey } from '@/db/queries/jobs';
import { env } from '@/env';
import { runtime } from '@/runtime';
import { filterOf, searchOf } from './job-request';
import { readAsViewer } from './read-route';

export const dynamic = 'force-dynamic';

/** A page of jobs: `tab`, `kind`, `cluster`, `server`, `by`, `q`, `after`. */
export function GET(request: Request): Promise<Response> {
  return readAsViewer((actor) => {
    const search = searchOf(request);
    const tab = search.tab === 'refused' ? 'all' : search.tab;
    const after = parseJobKey(search.after) ?? null;
    return listJobs(runtime().db, actor, { tab, filter: filterOf(search), after, beatMs: env().HOLDFAST_BEAT_MS });
  });
}
