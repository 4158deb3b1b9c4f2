import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { readOverview } from '@/db/queries/overview';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => accepted(await readOverview(runtime().db, readerOf(actor))));
}
