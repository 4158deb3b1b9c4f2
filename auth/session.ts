import 'server-only';
import { headers as requestHeaders } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { type Actor, hasRole, type Role } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { signedOutRefusal } from '@/domain/signed-out';
import { authEnv } from '@/env';
import { runtime } from '@/runtime';
import { actorOf } from './actor-of';
import { auth } from './auth';
import { isTrustedOrigin } from './origins';
import { pathHeader, safeNextPath, visitorRoutes } from './request-headers';

/** Who asks: the session cookie's user, or on /api/v1 the API token's. Null: nobody we know. Once a request. */
export const currentActor = cache(
  async (): Promise<Actor | null> => actorOf(await requestHeaders(), { auth: auth(), db: runtime().db }),
);

/**
 * For pages and layouts: the actor, or a redirect (never returns then) to the sign-in page, which comes back here, or
 * to the 403 page, which names the role.
 */
export async function requireActor(role: Role): Promise<Actor> {
  const actor = await currentActor();
  const from = safeNextPath((await requestHeaders()).get(pathHeader));
  if (actor === null) redirect(visitorRoutes.signInThen(from));
  if (!hasRole(actor, role)) redirect(visitorRoutes.noAccess(role, from));
  return actor;
}

/** For route handlers that read: refuses as not-allowed without session, or below `role`. */
export async function authorize(role: Role): Promise<Result<Actor, Refusal>> {
  const actor = await currentActor();
  if (actor === null) return refused(signedOutRefusal(role));
  return hasRole(actor, role)
    ? accepted(actor)
    : refused({ code: 'not-allowed', message: `Needs the role ${role}.`, role });
}

/** For server actions and route handlers that change something: `authorize`, and a session must come from our pages. */
export async function authorizeChange(role: Role): Promise<Result<Actor, Refusal>> {
  const authorized = await authorize(role);
  if (!authorized.ok || authorized.value.kind === 'token') return authorized;
  const origin = checkOrigin(await requestHeaders(), role);
  return origin.ok ? authorized : origin;
}

/**
 * Refuses requests that other sites, or clients that name no origin, make with a visitor's cookies. Requests with an
 * API token need no such check: a browser adds no token by itself.
 */
export function checkOrigin(headers: Headers, role: Role = 'viewer'): Result<true, Refusal> {
  if (isTrustedOrigin(authEnv(), headers)) return accepted(true);
  const origin = headers.get('origin');
  const message =
    origin === null
      ? 'The request names no origin, so it may not come from this site. Nothing was changed.'
      : `Requests from ${origin.slice(0, 200)} are not accepted. Add it to HOLDFAST_TRUSTED_ORIGINS if it is this site.`;
  return refused({ code: 'not-allowed', message, role });
}
