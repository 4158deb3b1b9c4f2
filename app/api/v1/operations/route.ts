import { operationRequest } from '@/app/actions/cluster-requests';
import { submitOperation } from '@/app/actions/submit-operation';
import { answerChange } from '@/app/api/v1/answer-change';

export const dynamic = 'force-dynamic';

/**
 * Asks one of the eight operations of a cluster: `{kind, clusterId, input, expectedSeq?, idempotencyKey?}`. 202 with the job's id, or the
 * refusal that the pages show. The header `Idempotency-Key` stands for the field.
 */
export function POST(request: Request): Promise<Response> {
  return answerChange(request, 'operator', operationRequest, ({ actor, input }) => submitOperation(actor, input));
}
