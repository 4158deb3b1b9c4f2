import { describe, expect, it } from 'vitest';
import { insertSetupLink } from '@/db/setup-links';
import { changeRole, setDisabled } from '@/db/user-changes';
import { listUsers } from '@/db/users';
import { cronActor } from '@/domain/actor';
import { scratchDatabase } from '@/test/support/scratch';
import { actorOf } from './actor-of';
import { createAuth } from './create-auth';
import { makePasswordLink, setUpAdmin, setUpPassword, setUpState } from './set-up';
import { addAccount, signedInHeaders, testPassword, testSettings } from './test-accounts';
import { hashToken, newToken } from './tokens';

const database = scratchDatabase({ checkInvariants: false });
const person = (email: string) => ({ name: 'Ana', email, password: testPassword });

async function openLink(): Promise<string> {
  const token = newToken();
  await insertSetupLink(database.db, hashToken(token));
  return token;
}

describe('a setup link', () => {
  it('makes one admin only, however many use it at once', async () => {
    const token = await openLink();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        setUpAdmin(database.db, { token, ...person(`race-${index}@example.org`) }),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const made = (await listUsers(database.db)).filter((user) => user.email.startsWith('race-'));
    expect(made).toHaveLength(1);
    expect(made[0]?.role).toBe('admin');
  });

  it('is refused when it is used, over or unknown, and nothing is changed', async () => {
    const used = await openLink();
    await setUpAdmin(database.db, { token: used, ...person('first@example.org') });
    const over = await openLink();
    await database.sql`update setup_links set expires_at = now() - interval '1 second' where token_hash = ${hashToken(over)}`;
    for (const token of [used, over, newToken()]) {
      const refused = await setUpAdmin(database.db, { token, ...person('late@example.org') });
      expect(refused).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
      expect(await setUpState(database.db, token)).toMatchObject({ kind: 'closed', tokenGiven: true });
    }
    expect((await listUsers(database.db)).some((user) => user.email === 'late@example.org')).toBe(false);
  });

  it('brings back an admin who was demoted, disabled and forgot the password, and ends the old sessions', async () => {
    const auth = createAuth(database.db, testSettings);
    const userId = await addAccount(database.db, 'locked@example.org', 'viewer');
    const old = await signedInHeaders(auth, 'locked@example.org');
    await setDisabled(database.db, { actor: cronActor, userId, disabled: true });
    const token = await openLink();
    await setUpAdmin(database.db, {
      token,
      name: 'Somebody',
      email: 'Locked@Example.org',
      password: 'another long password',
    });
    expect(await actorOf(old, { auth, db: database.db })).toBeNull();
    await auth.api.signInEmail({ body: { email: 'locked@example.org', password: 'another long password' } });
    const now = (await listUsers(database.db)).find((user) => user.id === userId);
    expect(now).toMatchObject({ role: 'admin', disabled: false });
  });

  it('is kept as a hash only', async () => {
    const token = await openLink();
    const rows = await database.sql`select * from setup_links`;
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a password link', () => {
  it('sets the password of its account once, and an older one ends', async () => {
    const auth = createAuth(database.db, testSettings);
    const userId = await addAccount(database.db, 'invited@example.org', 'operator');
    const make = async () =>
      new URL(await makePasswordLink(database.db, { userId, publicUrl: 'http://127.0.0.1:3000' })).searchParams.get(
        'token',
      ) ?? '';
    const older = await make();
    const token = await make();
    expect(await setUpState(database.db, token)).toEqual({
      kind: 'password',
      name: 'invited',
      email: 'invited@example.org',
    });
    expect(await setUpPassword(database.db, { token: older, password: testPassword })).toMatchObject({ ok: false });
    const results = await Promise.all(
      Array.from({ length: 4 }, () => setUpPassword(database.db, { token, password: 'a brand new password' })),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    await auth.api.signInEmail({ body: { email: 'invited@example.org', password: 'a brand new password' } });
  });

  it('does nothing for an account that is disabled', async () => {
    await addAccount(database.db, 'boss@example.org', 'admin');
    const userId = await addAccount(database.db, 'gone@example.org', 'viewer');
    const link = new URL(await makePasswordLink(database.db, { userId, publicUrl: 'http://127.0.0.1:3000' }));
    await setDisabled(database.db, { actor: cronActor, userId, disabled: true });
    const answer = await setUpPassword(database.db, {
      token: link.searchParams.get('token') ?? '',
      password: testPassword,
    });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
  });
});

describe('the last admin', () => {
  it('stays admin when two admins demote each other at once', async () => {
    await database.sql`delete from users`;
    const ana = await addAccount(database.db, 'ana@example.org', 'admin');
    const bo = await addAccount(database.db, 'bo@example.org', 'admin');
    const results = await Promise.all([
      changeRole(database.db, { actor: cronActor, userId: ana, role: 'viewer' }),
      changeRole(database.db, { actor: cronActor, userId: bo, role: 'viewer' }),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect((await listUsers(database.db)).filter((user) => user.role === 'admin')).toHaveLength(1);
  });

  it('can be neither demoted nor disabled, and the refusal names the field', async () => {
    await database.sql`delete from users`;
    const userId = await addAccount(database.db, 'only@example.org', 'admin');
    const demoted = await changeRole(database.db, { actor: cronActor, userId, role: 'operator' });
    const disabled = await setDisabled(database.db, { actor: cronActor, userId, disabled: true });
    expect(demoted).toMatchObject({ ok: false, refusal: { code: 'invalid', issues: [{ field: 'role' }] } });
    expect(disabled).toMatchObject({ ok: false, refusal: { code: 'invalid', issues: [{ field: 'disabled' }] } });
    expect(
      await database.sql`select count(*)::int as count from events where summary like '%only@example.org from%'`,
    ).toMatchObject([{ count: 0 }]);
  });
});
