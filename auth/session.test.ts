import { describe, expect, it } from 'vitest';
import { revokeApiToken } from '@/db/api-tokens';
import { changeRole, revokeSessions, setDisabled } from '@/db/user-changes';
import { cronActor } from '@/domain/actor';
import { scratchDatabase } from '@/test/support/scratch';
import { actorOf } from './actor-of';
import { createApiToken } from './api-tokens';
import { createAuth } from './create-auth';
import { pathHeader } from './request-headers';
import { addAccount, signedInHeaders, testSettings } from './test-accounts';

const database = scratchDatabase({ checkInvariants: false });
const on = () => ({ auth: createAuth(database.db, testSettings), db: database.db });
const withToken = (token: string, path = '/api/v1/clusters') =>
  new Headers({ authorization: `Bearer ${token}`, [pathHeader]: path });

describe('the actor of a session', () => {
  it('is nobody without a cookie and with a forged one', async () => {
    expect(await actorOf(new Headers(), on())).toBeNull();
    expect(await actorOf(new Headers({ cookie: 'holdfast.session_token=forged.c2lnbmF0dXJl' }), on())).toBeNull();
  });

  it('has the role that the account has now, without a new sign-in', async () => {
    await addAccount(database.db, 'chief@example.org', 'admin');
    const userId = await addAccount(database.db, 'role@example.org', 'viewer');
    const headers = await signedInHeaders(on().auth, 'role@example.org');
    expect(await actorOf(headers, on())).toEqual({ kind: 'user', id: userId, name: 'role', role: 'viewer' });
    await changeRole(database.db, { actor: cronActor, userId, role: 'operator' });
    expect(await actorOf(headers, on())).toMatchObject({ role: 'operator' });
  });

  it('is nobody at once after sessions were revoked or the account was disabled', async () => {
    const userId = await addAccount(database.db, 'leaver@example.org', 'operator');
    const first = await signedInHeaders(on().auth, 'leaver@example.org');
    await revokeSessions(database.db, { actor: cronActor, userId });
    expect(await actorOf(first, on())).toBeNull();
    const second = await signedInHeaders(on().auth, 'leaver@example.org');
    await setDisabled(database.db, { actor: cronActor, userId, disabled: true });
    expect(await actorOf(second, on())).toBeNull();
  });

  it('is nobody under another secret key', async () => {
    const headers = await signedInHeaders(on().auth, 'role@example.org');
    const settings = { ...testSettings, HOLDFAST_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect(await actorOf(headers, { auth: createAuth(database.db, settings), db: database.db })).toBeNull();
  });
});

describe('the actor of an API token', () => {
  const wanted = { name: 'deploy', role: 'operator', createdBy: 'Ana', lifeDays: 30 } as const;

  it('counts under /api/v1 only, and its hash alone is stored', async () => {
    const { id, token } = await createApiToken(database.db, wanted);
    expect(token).toMatch(/^hf_[\w-]{43}$/);
    expect(await actorOf(withToken(token), on())).toEqual({ kind: 'token', id, name: 'deploy', role: 'operator' });
    expect(await actorOf(withToken(token, '/clusters'), on())).toBeNull();
    expect(await actorOf(withToken(token, '/api/v10'), on())).toBeNull();
    const [row] = await database.sql`select *, last_used_at is not null as used from api_tokens where id = ${id}`;
    expect(row?.['used']).toBe(true);
    expect(JSON.stringify(row)).not.toContain(token.slice(3));
  });

  it('is nobody when the token is revoked, over or unknown, even beside a good cookie', async () => {
    const { id, token } = await createApiToken(database.db, wanted);
    expect(await revokeApiToken(database.db, id)).toBe('deploy');
    expect(await revokeApiToken(database.db, id)).toBeNull();
    const over = await createApiToken(database.db, wanted);
    await database.sql`update api_tokens set expires_at = now() - interval '1 second' where id = ${over.id}`;
    const cookie = (await signedInHeaders(on().auth, 'role@example.org')).get('cookie') ?? '';
    for (const bad of [token, over.token, 'hf_nonsense', 'nonsense']) {
      const headers = withToken(bad);
      headers.set('cookie', cookie);
      expect(await actorOf(headers, on())).toBeNull();
    }
  });
});
