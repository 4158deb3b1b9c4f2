import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { listJobs, parseJobKey } from '@/db/queries/jobs';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';
import { filterOf, searchOf } from './job-request';

/** A page of jobs: `tab`, `kind`, `cluster`, `server`, `by`, `q`, `after`. Unknown values are left out. */
export function GET(request: Request): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const search = searchOf(request);
    const tab = search.tab === 'refused' ? 'all' : search.tab;
    const after = parseJobKey(search.after) ?? null;
    return accepted(await listJobs(runtime().db, readerOf(actor), { tab, filter: filterOf(search), after }));
  });
}
