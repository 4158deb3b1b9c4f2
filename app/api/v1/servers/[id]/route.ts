import { answerRead } from '@/app/api/v1/answer';
import { foundById } from '@/app/api/v1/jobs/id-of';
import { readerOf } from '@/app/reader';
import { serverDetail } from '@/db/queries/server-detail';
import { runtime } from '@/runtime';

export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerRead('viewer', (actor) =>
    foundById(params, 'server', (id) => serverDetail(runtime().db, readerOf(actor), id)),
  );
}
