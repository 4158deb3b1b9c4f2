import type { NextRequest } from 'next/server';
import { unexpected } from '@/app/actions/admin-action';
import { auth } from '@/auth/auth';
import { withClientAddress } from '@/auth/client-address';
import { checkOrigin } from '@/auth/session';
import { limitedSignIn } from '@/auth/sign-in';
import { statusOf } from '@/domain/signed-out';
import { authEnv } from '@/env';
import { runtime } from '@/runtime';

/**
 * What better-auth may be asked over HTTP. Not its admin endpoints: accounts are changed by our actions, which keep the
 * last admin and write the audit trail. Not its reads: they would hand the session's token to scripts in the page.
 */
const open: ReadonlySet<string> = new Set(['/sign-in/email', '/sign-out']);
const maxBodyBytes = 16_384;

export async function POST(request: NextRequest): Promise<Response> {
  try {
    const path = request.nextUrl.pathname.replace(/^\/api\/auth/, '');
    if (!open.has(path)) return Response.json({ message: 'There is no such endpoint.' }, { status: 404 });
    const origin = checkOrigin(request.headers);
    if (!origin.ok) return Response.json({ refusal: origin.refusal }, { status: statusOf(origin.refusal) });
    const body = await request.text();
    if (body.length > maxBodyBytes) return Response.json({ message: 'The request is too large.' }, { status: 413 });
    const answer = () => auth().handler(forwarded(request, body));
    if (path !== '/sign-in/email') return await answer();
    const on = { db: runtime().db, settings: authEnv() };
    return await limitedSignIn(on, { email: emailIn(body), headers: request.headers }, answer);
  } catch (error) {
    const { refusal, reference } = unexpected(error);
    return Response.json({ refusal, reference }, { status: statusOf(refusal) });
  }
}

function forwarded(request: NextRequest, body: string): Request {
  const headers = withClientAddress(request.headers, authEnv().HOLDFAST_TRUSTED_PROXIES);
  return new Request(new URL(`${request.nextUrl.pathname}${request.nextUrl.search}`, authEnv().HOLDFAST_PUBLIC_URL), {
    method: request.method,
    headers,
    body,
  });
}

/** For the counter of the account; a body that names none is counted as one account. */
function emailIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null && 'email' in parsed && typeof parsed.email === 'string'
      ? parsed.email
      : '';
  } catch {
    return new URLSearchParams(body).get('email') ?? '';
  }
}
