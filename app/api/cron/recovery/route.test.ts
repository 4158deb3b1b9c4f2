import { afterAll, beforeEach, expect, it } from 'vitest';
import { testScanner } from '@/scanner/scanner-for-tests';
import { insertServer } from '@/test/support/fixtures';
import { scratchDatabase } from '@/test/support/scratch';

const scratch = scratchDatabase();
const secret = 'a-secret-of-the-cron-caller';
// The routes of a server find scanner and runtime on `globalThis`; so does this test.
const slots = globalThis as unknown as Record<symbol, unknown>;

beforeEach(async () => {
  await scratch.sql`truncate clusters, jobs, servers, passes cascade`;
  Object.assign(process.env, {
    DATABASE_URL: scratch.url,
    HOLDFAST_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    CRON_SECRET: secret,
  });
  const scanner = testScanner({ db: scratch.db, serverId: await insertServer(scratch.sql) });
  slots[Symbol.for('holdfast.scanner')] = scanner;
  slots[Symbol.for('holdfast.runtime')] = { worker: scanner.worker };
});
afterAll(() => {
  delete slots[Symbol.for('holdfast.scanner')];
  delete slots[Symbol.for('holdfast.runtime')];
});

async function call(headers: Record<string, string>, method: 'GET' | 'POST' = 'POST'): Promise<Response> {
  const route = await import('./route');
  return route[method](new Request('http://server/api/cron/recovery', { method, headers }));
}
const withSecret = { authorization: `Bearer ${secret}` };

it.each([
  ['no secret', {}],
  ['a wrong secret', { authorization: 'Bearer wrong' }],
  ['the secret in another scheme', { authorization: `Basic ${secret}` }],
])('with %s it is closed: 401, no body, no pass', async (_what, headers: Record<string, string>) => {
  const response = await call(headers);
  expect(response.status).toBe(401);
  expect(await response.text()).toBe('');
  expect(await scratch.sql`select 1 from passes`).toHaveLength(0);
});

it('with the secret, GET and POST run a pass and answer its id, counts and decisions', async () => {
  for (const method of ['GET', 'POST'] as const) {
    const response = await call(withSecret, method);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'done',
      id: expect.any(Number),
      mode: 'apply',
      counts: { recovered: 0 },
      decisions: [],
    });
  }
});

it('twice at once: one pass, and the other caller is told its id with 200', async () => {
  const other = await insertServer(scratch.sql);
  const [row] =
    await scratch.sql`insert into passes (mode, trigger, actor_name, server_id) values ('apply', 'cron', 'cron', ${other}) returning id`;
  const response = await call(withSecret);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'already-running', alreadyRunning: Number(row?.['id']) });
});
