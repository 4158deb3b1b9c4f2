import { z } from 'zod';

const reason = z
  .string({ error: 'Give a reason.' })
  .trim()
  .min(3, 'Give a reason.')
  .max(500, 'At most 500 characters.');
const seq = z.number().int().min(0);
const mostSelected = 1_000;

/** Rows of a preview that were ticked; absent: everything. */
export const recoveryRequest = z.object({
  only: z
    .array(z.object({ clusterId: z.uuid(), seenSeq: seq }))
    .min(1, 'Choose at least one.')
    .max(mostSelected)
    .optional(),
});

export const legacyEndRequest = z.object({ jobId: z.uuid(), reason });

export const endRequest = z.object({ clusterId: z.uuid(), operationId: z.uuid(), seenSeq: seq, reason });

export const serverRequest = z.object({ serverId: z.uuid() });
