import { z } from 'zod';
import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { eventById } from '@/db/queries/events';
import { accepted, refused } from '@/domain/result';
import { runtime } from '@/runtime';

const eventId = z
  .string()
  .regex(/^[0-9]{1,15}$/)
  .transform(Number);

export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const id = eventId.safeParse((await params).id);
    const found = id.success ? await eventById(runtime().db, readerOf(actor), id.data) : undefined;
    return found === undefined ? refused({ code: 'not-found', message: 'There is no such event.' }) : accepted(found);
  });
}
