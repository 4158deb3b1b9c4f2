import { z } from 'zod';
import { notReached } from './errors';

/** Parses what CloudStack answered; unknown fields are ignored. */
export function readAs<T>(command: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw notReached(command, `the answer could not be read: ${z.prettifyError(parsed.error)}`, parsed.error);
  return parsed.data;
}
