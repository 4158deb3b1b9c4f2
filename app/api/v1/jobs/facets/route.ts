import { readAsViewer } from '@/app/api/v1/jobs/read-route';
import { jobFacets } from '@/db/queries/jobs';
import { runtime } from '@/runtime';

export const dynamic = 'force-dynamic';

/** What the filters of the list of jobs offer. */
export function GET(): Promise<Response> {
  return readAsViewer((actor) => jobFacets(runtime().db, actor));
}
