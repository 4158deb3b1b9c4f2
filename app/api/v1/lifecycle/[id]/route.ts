import { answerRead } from '@/app/api/v1/answer';
import { foundById } from '@/app/api/v1/jobs/id-of';
import { readerOf } from '@/app/reader';
import { clusterPath } from '@/db/queries/lifecycle';
import { runtime } from '@/runtime';

/** The changes of one cluster's state, oldest first. */
export function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerRead('viewer', (actor) =>
    foundById(params, 'cluster', (id) => clusterPath(runtime().db, readerOf(actor), id)),
  );
}
