import { describe, expect, it } from 'vitest';
import { setDisabled } from '@/db/user-changes';
import { cronActor } from '@/domain/actor';
import { scratchDatabase } from '@/test/support/scratch';
import { clientAddress } from './client-address';
import { createAuth } from './create-auth';
import { limitedSignIn } from './sign-in';
import { addAccount, headersFromSocket, testPassword, testSettings } from './test-accounts';

const database = scratchDatabase({ checkInvariants: false });

function trySignIn(email: string, password: string, headers = new Headers()): Promise<Response> {
  const auth = createAuth(database.db, testSettings);
  return limitedSignIn({ db: database.db, settings: testSettings }, { email, headers }, () =>
    auth.api.signInEmail({ body: { email, password }, headers, asResponse: true }),
  );
}
const forged = (index: number) =>
  new Headers({ 'x-forwarded-for': `203.0.113.${index}`, 'x-holdfast-peer': `guess 203.0.113.${index}` });

describe('the counter of failed sign-ins', () => {
  it('lets five guesses a minute at one account, whatever address they claim, also at once', async () => {
    await addAccount(database.db, 'target@example.org', 'admin');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => trySignIn('target@example.org', 'wrong', forged(index))),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  it('says how many seconds are left, in the header and in words, and the right password does not help before', async () => {
    const answer = await trySignIn('Target@example.org ', testPassword, forged(99));
    expect(answer.status).toBe(429);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await answer.json()).toMatchObject({
      retryAfterSeconds: seconds,
      message: expect.stringContaining(`${seconds} second`),
    });
  });

  it('ends after a minute', async () => {
    await database.sql`update rate_limits set last_request = last_request - 60000`;
    expect((await trySignIn('target@example.org', testPassword)).status).toBe(200);
  });

  it('starts anew after a right password', async () => {
    await addAccount(database.db, 'typo@example.org', 'viewer');
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 4; index += 1)
        expect((await trySignIn('typo@example.org', 'wrong')).status).toBe(401);
      expect((await trySignIn('typo@example.org', testPassword)).status).toBe(200);
    }
  });

  it('answers an unknown e-mail as it answers a wrong password, and counts it', async () => {
    for (let index = 0; index < 5; index += 1)
      expect((await trySignIn('nobody@example.org', 'wrong')).status).toBe(401);
    expect((await trySignIn('nobody@example.org', 'wrong')).status).toBe(429);
  });

  it('lets five guesses a minute from one address, whatever the account, and leaves other addresses alone', async () => {
    const headers = await headersFromSocket();
    for (let index = 0; index < 5; index += 1)
      expect((await trySignIn(`spray-${index}@example.org`, 'wrong', headers)).status).toBe(401);
    expect((await trySignIn('typo@example.org', testPassword, headers)).status).toBe(429);
    expect((await trySignIn('typo@example.org', testPassword)).status).toBe(200);
  });

  it('does not count those who sign in rightly from one address', async () => {
    await database.sql`delete from rate_limits`;
    const headers = await headersFromSocket();
    for (let index = 0; index < 8; index += 1)
      expect((await trySignIn('typo@example.org', testPassword, headers)).status).toBe(200);
  });

  it('turns hostile e-mails away without an error', async () => {
    for (const email of ['\0', '\ud800', 'a'.repeat(10_000), "' or 1=1 --"]) {
      expect((await trySignIn(email, 'wrong')).status).toBe(400);
    }
  });
});

describe('a disabled account', () => {
  it('is refused with the right password', async () => {
    const userId = await addAccount(database.db, 'off@example.org', 'viewer');
    await setDisabled(database.db, { actor: cronActor, userId, disabled: true });
    expect((await trySignIn('off@example.org', testPassword)).status).toBe(403);
  });
});

describe('the audit trail', () => {
  it('has each sign-in and each failure, and no password', async () => {
    const rows = await database.sql`select result, summary, detail from events where type = 'sign-in'`;
    expect(new Set(rows.map((row: Record<string, unknown>) => row['result']))).toEqual(
      new Set(['ok', 'failed', 'refused']),
    );
    expect(JSON.stringify(rows)).not.toContain(testPassword);
  });
});

describe('the address of a client', () => {
  it('is not known from anything that a client can send', () => {
    expect(clientAddress(forged(1), '')).toBeNull();
    expect(clientAddress(forged(1), '203.0.113.0/24')).toBeNull();
  });
});
