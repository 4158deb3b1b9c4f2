import 'server-only';
import { findLiveApiToken, insertApiToken, type NewApiToken } from '@/db/api-tokens';
import type { Queryable } from '@/db/client';
import type { Actor } from '@/domain/actor';
import { hashToken, newToken } from './tokens';

/** Tells a token of ours from other secrets, for people and for secret scanners. */
const prefix = 'hf_';

/** Makes a token. The text is shown once and stored nowhere; only its hash is. */
export async function createApiToken(
  queryable: Queryable,
  wanted: Omit<NewApiToken, 'tokenHash'>,
): Promise<{ id: string; token: string }> {
  const token = `${prefix}${newToken()}`;
  const { id } = await insertApiToken(queryable, { ...wanted, tokenHash: hashToken(token) });
  return { id, token };
}

/** The actor behind a token, or null when it is unknown, revoked or over. Notes that it was used. */
export async function tokenActor(queryable: Queryable, token: string): Promise<Actor | null> {
  if (!token.startsWith(prefix)) return null;
  const found = await findLiveApiToken(queryable, hashToken(token));
  return found === null ? null : { kind: 'token', ...found };
}
