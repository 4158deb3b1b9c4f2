import { answerRead } from '@/app/api/v1/answer';
import { foundById } from '@/app/api/v1/jobs/id-of';
import { readerOf } from '@/app/reader';
import { jobKind } from '@/db/queries/job';
import { usualOfSteps } from '@/db/queries/job-usual';
import { runtime } from '@/runtime';

/** How long the steps of such a job usually take. */
export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerRead('viewer', (actor) =>
    foundById(params, 'job', async (id) => {
      const kind = await jobKind(runtime().db, readerOf(actor), id);
      return kind === undefined ? undefined : usualOfSteps(runtime().db, readerOf(actor), kind);
    }),
  );
}
