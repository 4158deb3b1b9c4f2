import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { lifecycleFleet } from '@/db/queries/lifecycle';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** Clusters per state, how often each edge was taken today, how long operations last. */
export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => accepted(await lifecycleFleet(runtime().db, readerOf(actor))));
}
