import { answerRead } from '@/app/api/v1/answer';
import { filterOf, searchOf } from '@/app/api/v1/jobs/job-request';
import { readerOf } from '@/app/reader';
import { countJobs } from '@/db/queries/jobs';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** How many jobs each tab holds under the same filter as the list. */
export function GET(request: Request): Promise<Response> {
  return answerRead('viewer', async (actor) =>
    accepted(await countJobs(runtime().db, readerOf(actor), filterOf(searchOf(request)))),
  );
}
