import { z } from 'zod';
import { answerRead } from '@/app/api/v1/answer';
import { eventFilterOf, eventSearchOf } from '@/app/api/v1/events/event-request';
import { readerOf } from '@/app/reader';
import { countNewerEvents } from '@/db/queries/events';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

const idParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/)
  .transform(Number)
  .catch(0);

/** How many events of the filter came after `after`; 100 stands for more. */
export function GET(request: Request): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const after = idParameter.parse(new URL(request.url).searchParams.get('after'));
    return accepted({
      count: await countNewerEvents(runtime().db, readerOf(actor), eventFilterOf(eventSearchOf(request)), after),
    });
  });
}
