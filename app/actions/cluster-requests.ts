import { z } from 'zod';
import { operationKinds } from '@/domain/operations';
import { createInput, requestEnvelope } from '@/domain/requests';

const idempotencyKey = z.string().min(8).max(100).optional();

export const createClusterRequest = createInput.and(z.object({ idempotencyKey }));

/** `input` is parsed by the operation's own schema once its kind is known. */
export const operationRequest = requestEnvelope.extend({
  kind: z.enum(operationKinds).exclude(['create', 'recover']),
  input: z.record(z.string(), z.unknown()).default({}),
  continuesJobId: z.uuid().optional(),
});
export type OperationRequestInput = z.infer<typeof operationRequest>;

export const withdrawal = z.object({ clusterId: z.uuid(), jobId: z.uuid() });
export const checkRequest = z.object({ clusterId: z.uuid() });
export const protectionRequest = z.object({ clusterId: z.uuid(), protected: z.boolean() });
