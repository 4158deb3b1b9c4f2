import { countJobs } from '@/db/queries/jobs';
import { runtime } from '@/runtime';
import { filterOf, searchOf } from '@/app/api/v1/jobs/job-request';
import { readAsViewer } from '@/app/api/v1/jobs/read-route';

export const dynamic = 'force-dynamic';

/** How many jobs each tab holds under the same filter as the list. */
export function GET(request: Request): Promise<Response> {
  return readAsViewer((actor) => countJobs(runtime().db, actor, filterOf(searchOf(request))));
}
