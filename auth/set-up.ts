import 'server-only';
import { hashPassword } from 'better-auth/crypto';
import { z } from 'zod';
import type { Database, Queryable } from '@/db/client';
import {
  claimPasswordLink,
  claimSetupLink,
  findPasswordLink,
  insertPasswordLink,
  isSetupLinkOpen,
} from '@/db/setup-links';
import { hasAnyUser } from '@/db/users';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { emailInput, nameInput, newPasswordInput } from './account-input';
import { hashToken, newToken } from './tokens';

/** What a visitor of /setup may do there. `first`: the installation has no user yet. */
export type SetUpState =
  | { readonly kind: 'closed'; readonly first: boolean; readonly tokenGiven: boolean }
  | { readonly kind: 'admin'; readonly first: boolean }
  | { readonly kind: 'password'; readonly name: string; readonly email: string };

export async function setUpState(queryable: Queryable, token: string | null): Promise<SetUpState> {
  const first = !(await hasAnyUser(queryable));
  if (token === null) return { kind: 'closed', first, tokenGiven: false };
  if (await isSetupLinkOpen(queryable, hashToken(token))) return { kind: 'admin', first };
  const person = await findPasswordLink(queryable, hashToken(token));
  return person === null ? { kind: 'closed', first, tokenGiven: true } : { kind: 'password', ...person };
}

const token = z.string().min(1).max(512);
export const adminSetUpInput = z.object({ token, name: nameInput, email: emailInput, password: newPasswordInput });
export const passwordSetUpInput = z.object({ token, password: newPasswordInput });

const linkOver: Refusal = {
  code: 'not-found',
  message: 'This link was used already, or is older than 24 hours. Nothing was changed. Ask for a new one.',
};

/** Makes the admin that the link allows, once. Refuses as not-found when the link is no longer good. */
export async function setUpAdmin(
  db: Database,
  input: z.output<typeof adminSetUpInput>,
): Promise<Result<{ email: string }, Refusal>> {
  const tokenHash = hashToken(input.token);
  // Hashing is dear on purpose; a stranger without a link gets none of it.
  if (!(await isSetupLinkOpen(db, tokenHash))) return refused(linkOver);
  const { name, email } = input;
  const claimed = await claimSetupLink(db, {
    tokenHash,
    name,
    email,
    passwordHash: await hashPassword(input.password),
  });
  return claimed === null ? refused(linkOver) : accepted({ email });
}

/** Sets the password of the link's account, once. Refuses as not-found when the link is no longer good. */
export async function setUpPassword(
  db: Database,
  input: z.output<typeof passwordSetUpInput>,
): Promise<Result<{ email: string }, Refusal>> {
  const tokenHash = hashToken(input.token);
  if ((await findPasswordLink(db, tokenHash)) === null) return refused(linkOver);
  const claimed = await claimPasswordLink(db, { tokenHash, passwordHash: await hashPassword(input.password) });
  return claimed === null ? refused(linkOver) : accepted(claimed);
}

/** A link, shown once, with which this account's owner sets a password within 24 hours. */
export async function makePasswordLink(
  queryable: Queryable,
  { userId, publicUrl }: { userId: string; publicUrl: string },
): Promise<string> {
  const secret = newToken();
  await insertPasswordLink(queryable, { tokenHash: hashToken(secret), userId });
  return new URL(`/setup?token=${secret}`, publicUrl).href;
}
