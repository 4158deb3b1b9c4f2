import { readAsViewer } from '@/app/api/v1/jobs/read-route';
import { usualOfJobs } from '@/db/queries/job-usual';
import { runtime } from '@/runtime';

export const dynamic = 'force-dynamic';

/** How long each kind of operation usually takes. */
export function GET(): Promise<Response> {
  return readAsViewer((actor) => usualOfJobs(runtime().db, actor));
}
