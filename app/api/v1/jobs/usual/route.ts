import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { usualOfJobs } from '@/db/queries/job-usual';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** How long each kind of operation usually takes. */
export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => accepted(await usualOfJobs(runtime().db, readerOf(actor))));
}
