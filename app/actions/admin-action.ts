import 'server-only';
import { randomUUID } from 'node:crypto';
import { unstable_rethrow } from 'next/navigation';
import type { z } from 'zod';
import { authorizeChange } from '@/auth/session';
import type { Actor, Role } from '@/domain/actor';
import type { FieldIssue, Refusal } from '@/domain/refusals';
import type { Result } from '@/domain/result';

/** What every server action answers. `reference` is there when the cause was unexpected and is in the server's log. */
export type ActionResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal; readonly reference?: string };

/**
 * The one way to make a server action: authorises (session, role, origin), parses, then runs `handler`. Refuses with
 * not-allowed and invalid by itself. What the handler throws is logged under a reference; its text goes to nobody.
 */
export function adminAction<Schema extends z.ZodType, T>(
  role: Role,
  schema: Schema,
  handler: (request: { actor: Actor; input: z.output<Schema> }) => Promise<Result<T, Refusal>>,
): (input: unknown) => Promise<ActionResult<T>> {
  return (input) =>
    guarded(async () => {
      const authorized = await authorizeChange(role);
      if (!authorized.ok) return authorized;
      const parsed = schema.safeParse(input);
      if (!parsed.success) return { ok: false, refusal: invalidInput(parsed.error) };
      return handler({ actor: authorized.value, input: parsed.data });
    });
}

/** Runs an action's body; an unexpected error becomes a refusal with a reference. For actions of visitors, too. */
export async function guarded<T>(body: () => Promise<Result<T, Refusal>>): Promise<ActionResult<T>> {
  try {
    return await body();
  } catch (error) {
    // Redirects and the like are thrown by Next and are none of our errors.
    unstable_rethrow(error);
    return unexpected(error);
  }
}

/** Logs under a new reference, and answers without a word of the error. */
export function unexpected(error: unknown): { ok: false; refusal: Refusal; reference: string } {
  const reference = randomUUID().slice(0, 8);
  console.error(`[${reference}] unexpected error`, error);
  const message =
    'Something unexpected went wrong, and we do not know whether anything was changed. Look, then try again.';
  return { ok: false, refusal: { code: 'unavailable', message }, reference };
}

/** Zod's issues as a refusal that names the fields. */
export function invalidInput(error: z.ZodError): Refusal {
  const issues: FieldIssue[] = error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }));
  return {
    code: 'invalid',
    message: issues.length === 1 ? 'One field needs a change.' : 'Some fields need a change.',
    issues,
  };
}
