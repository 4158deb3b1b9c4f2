import 'server-only';
import type { Database } from '@/db/client';
import { type Actor, roles } from '@/domain/actor';
import { tokenActor } from './api-tokens';
import type { Auth } from './create-auth';
import { pathHeader } from './request-headers';
import { bearerToken } from './tokens';

/** Paths on which an API token counts. Elsewhere a session is needed: a token drives no page and no action. */
const tokenPaths = /^\/api\/v1(\/|$)/;

/** The actor of a request's headers, or null. A token that is not good never falls back to a cookie. */
export async function actorOf(headers: Headers, on: { auth: Auth; db: Database }): Promise<Actor | null> {
  const token = bearerToken(headers);
  if (token !== null) return tokenPaths.test(headers.get(pathHeader) ?? '') ? tokenActor(on.db, token) : null;
  const session = await on.auth.api.getSession({ headers });
  if (session === null || session.user.banned === true) return null;
  const role = roles.find((known) => known === session.user.role) ?? 'viewer';
  return { kind: 'user', id: session.user.id, name: session.user.name, role };
}
