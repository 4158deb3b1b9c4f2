/** What is wrong with the fields of a form, by the field's name. */
import type { z } from 'zod';
import type { Outcome } from '@/components/refusals/use-action';

export type Issues = Readonly<Record<string, string>>;

/** The first complaint about each field, in the words of the schema that the server uses. */
export function issuesOf(schema: z.ZodType, input: unknown): Issues {
  const parsed = schema.safeParse(input);
  if (parsed.success) return {};
  return firstOfEach(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
}

export function serverIssues(outcome: Outcome<unknown> | null): Issues {
  if (outcome?.kind !== 'refused' || outcome.refusal.code !== 'invalid') return {};
  return firstOfEach(outcome.refusal.issues.map((issue) => [issue.field, issue.message]));
}

function firstOfEach(pairs: readonly (readonly [string, string])[]): Issues {
  return Object.fromEntries([...pairs].reverse());
}
