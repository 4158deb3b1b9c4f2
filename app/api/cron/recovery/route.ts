import { unexpected } from '@/app/actions/admin-action';
import { scanner } from '@/app/actions/current-scanner';
import { isCronRequest } from '@/auth/cron-secret';
import { cronActor } from '@/domain/actor';
import { runPassWithin } from '@/scanner/run-pass';

export const dynamic = 'force-dynamic';

/** The cron caller gives up on a server after three seconds and asks the next. */
const answerWithinMs = 2_000;

/**
 * Runs a pass for whoever carries the cron secret: `GET` and `POST`, since schedulers differ. 401 without the secret, with a wrong
 * one, or when none is set. 200 with the pass; 200 with `status: 'already-running'` while another one is under way, so that a
 * scheduler that calls twice sees no failure; 503 when this server may run none.
 */
async function answer(request: Request): Promise<Response> {
  if (!isCronRequest(request.headers)) return new Response(null, { status: 401 });
  try {
    const outcome = await runPassWithin(
      scanner(),
      { mode: 'apply', trigger: 'cron', actor: cronActor },
      answerWithinMs,
    );
    switch (outcome.kind) {
      case 'done':
        return Response.json({ status: 'done', ...outcome.report });
      case 'already-running':
        return Response.json({ status: 'already-running', alreadyRunning: outcome.passId });
      case 'unavailable':
        return Response.json({ status: 'unavailable', message: outcome.message }, { status: 503 });
    }
  } catch (error) {
    const { refusal, reference } = unexpected(error);
    return Response.json({ status: 'failed', message: refusal.message, reference }, { status: 500 });
  }
}

export const GET = answer;
export const POST = answer;
