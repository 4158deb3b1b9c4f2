import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { listEvents } from '@/db/queries/events';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';
import { eventFilterOf, eventSearchOf } from './event-request';

/** A page of the audit trail: `type`, `result`, `cluster`, `job`, `server`, `actor`, `by`, `range`, `q`, `before`. */
export function GET(request: Request): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const search = eventSearchOf(request);
    const before = search.before === null ? null : Number(search.before);
    return accepted(await listEvents(runtime().db, readerOf(actor), { filter: eventFilterOf(search), before }));
  });
}
