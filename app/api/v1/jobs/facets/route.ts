import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { jobFacets } from '@/db/queries/jobs';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** What the filters of the list of jobs offer. */
export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => accepted(await jobFacets(runtime().db, readerOf(actor))));
}
