import 'server-only';
import { authEnv } from '@/env';
import { bearerToken, sameSecret } from './tokens';

/**
 * Whether the request carries `Authorization: Bearer <CRON_SECRET>`. Closed when the secret is unset.
 * Callers answer a bare 401: what was wrong is told to nobody.
 */
export function isCronRequest(headers: Headers, secret: string | null = authEnv().CRON_SECRET ?? null): boolean {
  const token = bearerToken(headers);
  if (secret === null || secret === '' || token === null) return false;
  return sameSecret(token, secret);
}
