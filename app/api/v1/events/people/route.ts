import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { eventPeople } from '@/db/queries/events';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** Names of who acted lately, for the filter. */
export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => accepted(await eventPeople(runtime().db, readerOf(actor))));
}
