/** auth/ — who is asking: actor, session, roles, cron secret, API tokens, setup links. No pages, no SQL. */
import { hkdfSync } from 'node:crypto';
import { authEnv } from '@/env';

const keyBytes = 32;

/**
 * A key of its own for each purpose, so that knowing one tells nothing about the others or about the secret.
 * The same secret and purpose give the same key on every server.
 */
export function deriveKey(purpose: string, secretKey: string = authEnv().HOLDFAST_SECRET_KEY): Buffer {
  const secret = Buffer.from(secretKey, 'base64');
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `holdfast/${purpose}`, keyBytes));
}
