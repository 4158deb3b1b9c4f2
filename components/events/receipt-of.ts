/** Reads the refusal that an event keeps. It is JSON of an older or newer server, so it is parsed, not trusted. */
import { z } from 'zod';
import { operationKinds } from '@/domain/operations';
import { clusterStates } from '@/domain/states';

const holder = z.object({
  jobId: z.string(),
  kind: z.enum(operationKinds),
  actorName: z.string(),
  serverName: z.string().nullable(),
  since: z.string(),
  ended: z.boolean().default(false),
});

const stored = z.object({
  kind: z.enum(operationKinds).optional(),
  note: z.string().optional(),
  refusal: z.object({
    code: z.string(),
    message: z.string(),
    reason: z.string().optional(),
    role: z.string().optional(),
    also: z.array(z.string()).default([]),
    holder: holder.nullable().default(null),
    expectedState: z.enum(clusterStates).optional(),
    foundState: z.enum(clusterStates).optional(),
    gapMs: z.number().nullable().optional(),
    issues: z.array(z.object({ field: z.string(), message: z.string() })).default([]),
  }),
});

export type StoredRefusal = z.infer<typeof stored>;

/** Null: the event keeps no refusal, or one that this version cannot read. */
export function receiptOf(detail: Readonly<Record<string, unknown>>): StoredRefusal | null {
  const parsed = stored.safeParse(detail);
  return parsed.success ? parsed.data : null;
}
