import { idOf, notFound, readAsViewer } from '@/app/api/v1/jobs/read-route';
import { jobDetail } from '@/db/queries/job';
import { env } from '@/env';
import { runtime } from '@/runtime';

export const dynamic = 'force-dynamic';

export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return readAsViewer(async (actor) => {
    const id = await idOf(params, 'job');
    return (await jobDetail(runtime().db, actor, id, env().HOLDFAST_BEAT_MS)) ?? notFound('job');
  });
}
