import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAuth } from '@/auth/create-auth';
import { addAccount, signedInHeaders, testSettings } from '@/auth/test-accounts';
import type { Role } from '@/domain/actor';
import { accepted, refused } from '@/domain/result';
import { isSignedOut } from '@/domain/signed-out';
import { scratchDatabase } from '@/test/support/scratch';
import { adminAction } from './admin-action';

const database = scratchDatabase({ checkInvariants: false });
let sent = new Headers();
vi.mock('next/headers', () => ({
  headers: async () => sent,
  cookies: async () => ({ set: () => undefined }),
}));

const asked: unknown[] = [];
const scale = adminAction(
  'operator',
  z.object({ size: z.number().int('A whole number.') }),
  async ({ actor, input }) => {
    asked.push({ name: actor.name, size: input.size });
    if (input.size === 13) throw new Error('secret: select password from accounts');
    return input.size > 10 ? refused({ code: 'cloud', message: 'No capacity.' }) : accepted(input.size);
  },
);
const headersOf: Partial<Record<Role, Headers>> = {};

beforeAll(async () => {
  // The composition root and the environment as a server has them.
  vi.stubEnv('DATABASE_URL', testSettings.DATABASE_URL);
  vi.stubEnv('HOLDFAST_SECRET_KEY', testSettings.HOLDFAST_SECRET_KEY);
  Object.assign(globalThis, { [Symbol.for('holdfast.runtime')]: { db: database.db } });
  const auth = createAuth(database.db, testSettings);
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    await addAccount(database.db, `${role}@example.org`, role);
    headersOf[role] = await signedInHeaders(auth, `${role}@example.org`);
  }
});
afterEach(() => {
  asked.length = 0;
  vi.restoreAllMocks();
});
function as(role: Role, changed: Record<string, string | null> = {}) {
  sent = new Headers(headersOf[role]);
  for (const [name, value] of Object.entries(changed)) value === null ? sent.delete(name) : sent.set(name, value);
}

describe('a server action', () => {
  it.each([
    ['viewer', false],
    ['operator', true],
    ['admin', true],
  ] as const)('asks for the role: %s → %s', async (role, allowed) => {
    as(role);
    const answer = await scale({ size: 3 });
    expect(answer).toEqual(
      allowed
        ? { ok: true, value: 3 }
        : { ok: false, refusal: { code: 'not-allowed', message: 'Needs the role operator.', role: 'operator' } },
    );
    expect(asked).toHaveLength(allowed ? 1 : 0);
  });

  it('tells a visitor to sign in, before it looks at the input', async () => {
    sent = new Headers({ origin: 'http://127.0.0.1:3000' });
    const answer = await scale('nonsense');
    expect(!answer.ok && isSignedOut(answer.refusal)).toBe(true);
  });

  it.each([null, 'null', 'http://evil.example'])(
    'refuses the origin %s, and the handler is not asked',
    async (origin) => {
      as('admin', { origin });
      expect(await scale({ size: 3 })).toMatchObject({ ok: false, refusal: { code: 'not-allowed' } });
      expect(asked).toEqual([]);
    },
  );

  it('is not driven by an API token', async () => {
    as('admin', { authorization: 'Bearer hf_anything' });
    expect(await scale({ size: 3 })).toMatchObject({ ok: false, refusal: { code: 'not-allowed' } });
  });

  it('names the field of bad input', async () => {
    as('operator');
    const answer = await scale({ size: 1.5 });
    expect(answer).toMatchObject({
      ok: false,
      refusal: { code: 'invalid', issues: [{ field: 'size', message: 'A whole number.' }] },
    });
    for (const hostile of [undefined, null, [], 'x', 7, { __proto__: null }]) {
      expect(await scale(hostile)).toMatchObject({ ok: false, refusal: { code: 'invalid' } });
    }
  });

  it('hands on the refusal of its handler', async () => {
    as('operator');
    expect(await scale({ size: 11 })).toEqual({ ok: false, refusal: { code: 'cloud', message: 'No capacity.' } });
  });

  it('answers an unexpected error with a reference that is in the log, and with none of its words', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    as('operator');
    const answer = await scale({ size: 13 });
    expect(answer).toMatchObject({
      ok: false,
      refusal: { code: 'unavailable' },
      reference: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(JSON.stringify(answer)).not.toMatch(/secret|select|accounts/);
    expect(log.mock.calls[0]?.[0]).toContain(!answer.ok && answer.reference);
  });
});
