import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scratchDatabase } from '@/test/support/scratch';
import { setUpState } from './set-up';
import { addAccount, testSettings } from './test-accounts';

const database = scratchDatabase({ checkInvariants: false });
const program = ['--conditions=react-server', '--import', 'tsx', 'auth/setup-link.ts'];

/** The program as `npm run up` and `npm run admin` start it: with the variables of sign-in, and none of the cloud's. */
async function run(...options: string[]): Promise<string> {
  const { HOLDFAST_SECRET_KEY, HOLDFAST_PUBLIC_URL } = testSettings;
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: database.url,
    HOLDFAST_SECRET_KEY,
    HOLDFAST_PUBLIC_URL,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...program, ...options], { env });
  return stdout;
}

describe('the program that makes a setup link', () => {
  it('prints a link that opens set-up, and with --if-no-user is silent once somebody can sign in', async () => {
    const printed = await run('--if-no-user');
    const link = new URL(printed.trim());
    expect(link.origin + link.pathname).toBe('http://127.0.0.1:3000/setup');
    expect(await setUpState(database.db, link.searchParams.get('token'))).toEqual({ kind: 'admin', first: true });
    await addAccount(database.db, 'ana@example.org', 'admin');
    expect(await run('--if-no-user')).toBe('');
    expect(await run()).toContain('/setup?token=');
  });
});
