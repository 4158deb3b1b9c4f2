import { idOf, notFound, readAsViewer } from '@/app/api/v1/jobs/read-route';
import { usualOfSteps } from '@/db/queries/job-usual';
import { jobKind } from '@/db/queries/job';
import { runtime } from '@/runtime';

export const dynamic = 'force-dynamic';

/** How long the steps of such a job usually take. */
export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return readAsViewer(async (actor) => {
    const kind = await jobKind(runtime().db, actor, await idOf(params, 'job'));
    return usualOfSteps(runtime().db, actor, kind ?? notFound('job'));
  });
}
