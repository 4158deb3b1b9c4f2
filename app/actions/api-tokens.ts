'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { nameInput } from '@/auth/account-input';
import { createApiToken } from '@/auth/api-tokens';
import { revokeApiToken } from '@/db/api-tokens';
import { recordEvent } from '@/db/events';
import { roles } from '@/domain/actor';
import { accepted, refused } from '@/domain/result';
import { runtime } from '@/runtime';
import { type ActionResult, adminAction } from './admin-action';

const page = '/settings/tokens';

/** `token` is shown once; only its hash is stored. */
export async function addApiToken(input: unknown): Promise<ActionResult<{ id: string; token: string }>> {
  return add(input);
}
const newToken = z.object({
  name: nameInput,
  role: z.enum(roles, 'Choose a role.'),
  lifeDays: z
    .number({ error: 'Choose how long.' })
    .int()
    .min(1, 'At least one day.')
    .max(3650, 'At most ten years.')
    .nullable(),
});
const add = adminAction('admin', newToken, async ({ actor, input }) => {
  const made = await runtime().db.transaction(async (tx) => {
    const token = await createApiToken(tx, { ...input, createdBy: actor.name });
    const summary = `${actor.name} made the API token “${input.name}” with the role ${input.role}.`;
    await recordEvent(tx, {
      type: 'settings.changed',
      result: 'ok',
      actor,
      summary,
      detail: { tokenId: token.id, lifeDays: input.lifeDays },
    });
    return token;
  });
  revalidatePath(page);
  return accepted(made);
});

/** It counts from the next request on. Refuses as not-found when there is no such live token. */
export async function endApiToken(input: unknown): Promise<ActionResult<{ name: string }>> {
  return end(input);
}
const end = adminAction('admin', z.object({ id: z.uuid('This is no token.') }), async ({ actor, input }) => {
  const name = await runtime().db.transaction(async (tx) => {
    const revoked = await revokeApiToken(tx, input.id);
    if (revoked === null) return null;
    const summary = `${actor.name} revoked the API token “${revoked}”.`;
    await recordEvent(tx, { type: 'settings.changed', result: 'ok', actor, summary, detail: { tokenId: input.id } });
    return revoked;
  });
  revalidatePath(page);
  return name === null
    ? refused({ code: 'not-found', message: 'There is no such token, or it was revoked already.' })
    : accepted({ name });
});
