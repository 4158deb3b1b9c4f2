import { z } from 'zod';
import { recoveryRequest } from '@/app/actions/recovery-requests';
import { submitPass } from '@/app/actions/submit-pass';
import { answerRead } from '@/app/api/v1/answer';
import { answerChange } from '@/app/api/v1/answer-change';
import { readerOf } from '@/app/reader';
import { listPasses } from '@/db/queries/recovery';
import { passModes } from '@/domain/passes';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** Values that are not known are left out: a link must always open. */
const search = z.object({
  show: z.enum(['all', 'eventful']).catch('all').default('all'),
  mode: z.enum(passModes).optional().catch(undefined),
  after: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
});

/** A page of passes, newest first: `show`, `mode`, `after`. */
export function GET(request: Request): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const filter = search.parse(Object.fromEntries(new URL(request.url).searchParams));
    return accepted(await listPasses(runtime().db, readerOf(actor), filter));
  });
}

const passRequest = recoveryRequest.extend({ mode: z.enum(passModes).default('apply') });

/** Runs a pass, or previews one. */
export function POST(request: Request): Promise<Response> {
  return answerChange(request, 'operator', passRequest, ({ actor, input }) => submitPass(actor, input));
}
