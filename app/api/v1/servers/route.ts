import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { listServers } from '@/db/queries/servers';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => accepted(await listServers(runtime().db, readerOf(actor))));
}
