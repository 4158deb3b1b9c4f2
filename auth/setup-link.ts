/**
 * Prints a one-time link that makes an admin. A program, not a part of the server:
 * `node --conditions=react-server --import tsx auth/setup-link.ts [--if-no-user]`.
 */
import { openDatabase } from '@/db/client';
import { insertSetupLink } from '@/db/setup-links';
import { hasAnyUser } from '@/db/users';
import { readAuthEnvironment } from '@/env';
import { hashToken, newToken } from './tokens';

const settings = readAuthEnvironment();
const { db, close } = openDatabase(settings.DATABASE_URL, { max: 1, name: 'holdfast-setup-link' });
try {
  if (!process.argv.includes('--if-no-user') || !(await hasAnyUser(db))) {
    const token = newToken();
    await insertSetupLink(db, hashToken(token));
    process.stdout.write(`${new URL(`/setup?token=${token}`, settings.HOLDFAST_PUBLIC_URL).href}\n`);
  }
} finally {
  await close();
}
