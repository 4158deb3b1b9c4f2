import 'server-only';
import type { Database } from '@/db/client';
import { recordEvent } from '@/db/events';
import { forgetAttempts, secondsUntilFree, takeAttempt } from '@/db/sign-in-attempts';
import { findUserByEmail } from '@/db/users';
import type { Actor } from '@/domain/actor';
import type { EventResult } from '@/domain/events';
import type { AuthEnvironment } from '@/env';
import { emailInput } from './account-input';
import { clientAddress } from './client-address';
import { hashToken } from './tokens';

/** Five failures a minute for an account, wherever they come from, and five for an address, whatever the account. */
const limit = { max: 5, windowMs: 60_000 } as const;
const maxEmailLength = 254;

/**
 * Runs `attempt`, which answers as better-auth's sign-in does, under both counters. Answers 429 with Retry-After, in
 * words too, without asking the password when either is used up. Writes the event.
 */
export async function limitedSignIn(
  on: { db: Database; settings: Pick<AuthEnvironment, 'HOLDFAST_TRUSTED_PROXIES'> },
  visitor: { email: string; headers: Headers },
  attempt: () => Promise<Response>,
): Promise<Response> {
  const email = visitor.email.trim().toLowerCase().slice(0, maxEmailLength);
  const accountKey = `sign-in|account|${hashToken(email)}`;
  const address = clientAddress(visitor.headers, on.settings.HOLDFAST_TRUSTED_PROXIES);
  const addressKey = address === null ? null : `sign-in|address|${countedPart(address)}`;

  // An address is looked at first and counted after: many people behind one address may sign in at the same moment.
  const addressWait = addressKey === null ? null : await secondsUntilFree(on.db, addressKey, limit);
  const wait = addressWait ?? (await takeAttempt(on.db, accountKey, limit));
  if (wait !== null) return tooMany(wait);

  const response = await attempt();
  if (response.ok) await forgetAttempts(on.db, accountKey);
  else if (addressKey !== null && response.status !== 403) await takeAttempt(on.db, addressKey, limit);
  // What is no e-mail address names nobody, and may hold what cannot be stored.
  if (emailInput.safeParse(email).success) await recordSignIn(on.db, { email, address, response });
  return response;
}

function tooMany(seconds: number): Response {
  const message = `Too many failed sign-ins. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return Response.json(
    { code: 'TOO_MANY_ATTEMPTS', message, retryAfterSeconds: seconds },
    { status: 429, headers: { 'retry-after': String(seconds), 'x-retry-after': String(seconds) } },
  );
}

/** One subscriber owns a whole /64 of IPv6, so that is what counts as an address. */
function countedPart(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

async function recordSignIn(
  db: Database,
  { email, address, response }: { email: string; address: string | null; response: Response },
): Promise<void> {
  const user = await findUserByEmail(db, email);
  const result: EventResult = response.ok ? 'ok' : response.status === 403 ? 'refused' : 'failed';
  const actor: Actor =
    user === null
      ? { kind: 'user', id: 'unknown', name: email, role: 'viewer' }
      : { kind: 'user', id: user.id, name: user.name, role: user.role };
  const summary = {
    ok: `${actor.name} signed in.`,
    failed: `A sign-in as ${email} failed.`,
    refused: `A sign-in as ${email} was refused.`,
    ignored: '',
  }[result];
  await recordEvent(db, { type: 'sign-in', result, actor, summary, detail: { email, address } });
}
