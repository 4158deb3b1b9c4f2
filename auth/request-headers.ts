/** Headers and cookies that proxy.ts, the session and the limiter agree on. Only types are imported: the proxy is its own bundle. */
import type { Route } from 'next';
import type { Role } from '@/domain/actor';

/** Path and query of the page that was asked for; proxy.ts overwrites what a client sends. */
export const pathHeader = 'x-holdfast-path';
/** The script nonce of this request, for the theme script of the root layout. */
export const nonceHeader = 'x-nonce';
/** The socket's address, sealed by this process (see client-address.ts). */
export const peerHeader = 'x-holdfast-peer';
/** The client's address as worked out by us; better-auth reads this one and no other. */
export const addressHeader = 'x-holdfast-address';

export const cookiePrefix = 'holdfast';
const sessionCookies = [`${cookiePrefix}.session_token`, `__Secure-${cookiePrefix}.session_token`];

/** Whether a session cookie is there; it may still be forged or over. */
export function hasSessionCookie(cookies: { has(name: string): boolean }): boolean {
  return sessionCookies.some((name) => cookies.has(name));
}

/** Pages of visitors, and where they lead. */
export const visitorRoutes = {
  home: '/' as Route,
  signIn: '/sign-in' as Route,
  setUp: '/setup' as Route,
  signInThen: (next: Route) =>
    (next === visitorRoutes.home ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`) as Route,
  noAccess: (role: Role, from: Route) => `/sign-in/no-access?role=${role}&from=${encodeURIComponent(from)}` as Route,
};

/** A path of this site to go on to, or `/`: never another host, whatever the visitor put in the address. */
export function safeNextPath(value: unknown): Route {
  if (typeof value !== 'string' || value.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value))
    return visitorRoutes.home;
  const url = new URL(value, 'http://holdfast.invalid');
  if (url.host !== 'holdfast.invalid') return visitorRoutes.home;
  // It is a path of this site; whether a page is there is found out by going there.
  return (url.pathname === '/sign-in' ? '/' : `${url.pathname}${url.search}${url.hash}`) as Route;
}
