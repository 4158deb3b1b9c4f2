import { runtime } from '@/runtime';
import { answerAutoscaler } from './answer-autoscaler';

export const dynamic = 'force-dynamic';

/** Where autoscalers call back, as they would call CloudStack: by GET, or by POST with a form. */
function handle(request: Request): Promise<Response> {
  return answerAutoscaler(runtime().worker, request);
}

export const GET = handle;
export const POST = handle;
