import 'server-only';
import type { z } from 'zod';
import { withdrawStop } from '@/db/waiting-stop';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { operationInputs } from '@/domain/requests';
import { accepted, type Result, refused } from '@/domain/result';
import { runtime } from '@/runtime';
import { type Accepted, acceptOperation } from '@/worker/accept';
import { acceptCreate } from '@/worker/accept-create';
import { invalidInput } from './admin-action';
import type { createClusterRequest, OperationRequestInput, withdrawal } from './cluster-requests';

export function submitCreate(
  actor: Actor,
  request: z.infer<typeof createClusterRequest>,
): Promise<Result<Accepted, Refusal>> {
  const { idempotencyKey, ...input } = request;
  return acceptCreate(runtime().worker, actor, { input, idempotencyKey });
}

/** Parses the operation's own input, then accepts it; shared by server actions and API. */
export async function submitOperation(
  actor: Actor,
  request: OperationRequestInput,
): Promise<Result<Accepted, Refusal>> {
  const parsed = operationInputs[request.kind].safeParse(request.input);
  if (!parsed.success) return refused(invalidInput(parsed.error));
  const { kind, clusterId, expectedSeq, idempotencyKey, continuesJobId } = request;
  return acceptOperation(runtime().worker, actor, {
    kind,
    clusterId,
    input: { ...parsed.data },
    note: parsed.data.note ?? null,
    expectedSeq,
    idempotencyKey,
    continuesJobId,
  });
}

export async function submitWithdrawal(
  actor: Actor,
  request: z.infer<typeof withdrawal>,
): Promise<Result<true, Refusal>> {
  const withdrawn = await withdrawStop(runtime().db, request.clusterId, request.jobId, actor);
  if (withdrawn) return accepted(true);
  return refused({
    code: 'refused',
    reason: 'moved-on',
    message: 'This stop does not wait any more: it has begun, or was withdrawn.',
    also: [],
    holder: null,
  });
}
