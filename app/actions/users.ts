'use server';
import { hashPassword } from 'better-auth/crypto';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { emailInput, nameInput, newPasswordInput } from '@/auth/account-input';
import { makePasswordLink } from '@/auth/set-up';
import { changeAccount, changeRole, revokeSessions, setDisabled } from '@/db/user-changes';
import { createUser } from '@/db/users';
import { roles } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { authEnv } from '@/env';
import { runtime } from '@/runtime';
import { type ActionResult, adminAction } from './admin-action';

const userId = z.string().regex(/^[\w-]{1,64}$/, 'This is no account.');
const role = z.enum(roles, 'Choose a role.');

const newUser = z
  .object({ name: nameInput, email: emailInput, role })
  .and(
    z.discriminatedUnion('how', [
      z.object({ how: z.literal('link') }),
      z.object({ how: z.literal('password'), password: newPasswordInput }),
    ]),
  );

/** `link` is shown once; null when a password was given. */
export async function addUser(input: unknown): Promise<ActionResult<{ id: string; link: string | null }>> {
  return add(input);
}
const add = adminAction('admin', newUser, async ({ actor, input }) => {
  const { db } = runtime();
  const passwordHash = input.how === 'password' ? await hashPassword(input.password) : null;
  const made = await createUser(db, { actor, name: input.name, email: input.email, role: input.role, passwordHash });
  if (!made.ok) return made;
  const link =
    input.how === 'link'
      ? await makePasswordLink(db, { userId: made.value.id, publicUrl: authEnv().HOLDFAST_PUBLIC_URL })
      : null;
  return shown(accepted({ id: made.value.id, link }));
});

export async function changeUserRole(input: unknown): Promise<ActionResult<{ email: string }>> {
  return change(input);
}
const change = adminAction('admin', z.object({ userId, role }), async ({ actor, input }) =>
  shown(await changeRole(runtime().db, { actor, ...input })),
);

export async function setUserDisabled(input: unknown): Promise<ActionResult<{ email: string }>> {
  return disable(input);
}
const disable = adminAction('admin', z.object({ userId, disabled: z.boolean() }), async ({ actor, input }) =>
  shown(await setDisabled(runtime().db, { actor, ...input })),
);

export async function revokeUserSessions(input: unknown): Promise<ActionResult<{ email: string }>> {
  return revoke(input);
}
const revoke = adminAction('admin', z.object({ userId }), async ({ actor, input }) =>
  shown(await revokeSessions(runtime().db, { actor, ...input })),
);

/** A one-time link with which the account's owner sets a new password; older links of the account end. */
export async function makeUserPasswordLink(input: unknown): Promise<ActionResult<{ email: string; link: string }>> {
  return passwordLink(input);
}
const passwordLink = adminAction('admin', z.object({ userId }), async ({ actor, input }) => {
  let link = '';
  const changed = await changeAccount(runtime().db, { actor, userId: input.userId }, async (tx, account) => {
    if (account.disabled) return refused({ code: 'invalid', message: 'Enable the account first.', issues: [] });
    link = await makePasswordLink(tx, { userId: input.userId, publicUrl: authEnv().HOLDFAST_PUBLIC_URL });
    return accepted(`${actor.name} made a one-time password link for ${account.email}.`);
  });
  return changed.ok ? accepted({ ...changed.value, link }) : changed;
});

/** The page shows what is now true, changed or not. */
function shown<T>(result: Result<T, Refusal>): Result<T, Refusal> {
  revalidatePath('/settings/users');
  return result;
}
