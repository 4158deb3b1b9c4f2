import { z } from 'zod';
import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { clusterDetail } from '@/db/queries/cluster-detail';
import { accepted, refused } from '@/domain/result';
import { runtime } from '@/runtime';

export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const id = z.uuid().safeParse((await params).id);
    const found = id.success ? await clusterDetail(runtime().db, readerOf(actor), id.data) : undefined;
    return found === undefined ? refused({ code: 'not-found', message: 'There is no such cluster.' }) : accepted(found);
  });
}
