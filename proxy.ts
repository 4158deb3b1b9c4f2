/**
 * Runs before every page and route: leads visitors without a session cookie to the sign-in page, and sets the security
 * headers. It authorises nothing: a forged cookie passes here and is turned away by the page, action or route.
 */
import { type NextRequest, NextResponse } from 'next/server';
import { hasSessionCookie, nonceHeader, pathHeader, safeNextPath, visitorRoutes } from '@/auth/request-headers';

const isDevelopment = process.env.NODE_ENV === 'development';
const openPages = /^\/(sign-in|setup)(\/|$)/;
/** Programs call these and know themselves who asks: /client/api is what autoscalers take for CloudStack. */
const apiPaths = /^\/(api|client\/api)(\/|$)/;

export function proxy(request: NextRequest): NextResponse {
  const { pathname } = request.nextUrl;
  const isApi = apiPaths.test(pathname);
  const nonce = isApi ? null : Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = nonce === null ? "default-src 'none'; frame-ancestors 'none'" : pagePolicy(nonce);
  const path = pagePath(request.nextUrl);

  if (isPageRead(request) && !isApi && !openPages.test(pathname) && !hasSessionCookie(request.cookies)) {
    const target = request.nextUrl.clone();
    const [signInPath = '', query = ''] = visitorRoutes.signInThen(safeNextPath(path)).split('?');
    target.pathname = signInPath;
    target.search = query;
    return withSecurityHeaders(NextResponse.redirect(target), policy);
  }

  const headers = new Headers(request.headers);
  headers.set(pathHeader, path);
  headers.delete(nonceHeader);
  if (nonce !== null) {
    headers.set(nonceHeader, nonce);
    // Next reads the nonce for its own scripts from here.
    headers.set('content-security-policy', policy);
  }
  const status = pathname === '/sign-in/no-access' ? { status: 403 } : {};
  return withSecurityHeaders(NextResponse.next({ request: { headers }, ...status }), policy);
}

/** Reads only: an action of a visitor whose session is over must be told so, not be sent elsewhere. */
function isPageRead(request: NextRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !request.headers.has('next-action');
}

function pagePath(url: NextRequest['nextUrl']): string {
  const query = new URLSearchParams(url.search);
  // Next's own parameter on client-side navigation.
  query.delete('_rsc');
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`;
}

/**
 * No inline script without the nonce. Inline style has to be allowed: the toasts add a style element, and sizes of rows
 * and charts are style attributes.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function withSecurityHeaders(response: NextResponse, policy: string): NextResponse {
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('x-frame-options', 'DENY');
  // Not `no-referrer`: browsers then send no origin with forms, and the origin check would turn them away.
  response.headers.set('referrer-policy', 'same-origin');
  response.headers.set('cross-origin-opener-policy', 'same-origin');
  response.headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  return response;
}

export const config = {
  matcher: ['/((?!_next/static|_next/image|favicon.ico|icon.svg|robots.txt).*)'],
};
