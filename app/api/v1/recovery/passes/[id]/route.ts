import { z } from 'zod';
import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { passDetail } from '@/db/queries/recovery';
import { accepted, refused } from '@/domain/result';
import { runtime } from '@/runtime';

const passId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const id = passId.safeParse((await params).id);
    const found = id.success ? await passDetail(runtime().db, readerOf(actor), id.data) : undefined;
    return found === undefined
      ? refused({ code: 'not-found', message: 'There is no such pass, or it is no longer kept.' })
      : accepted(found);
  });
}
