import 'server-only';
import { z } from 'zod';
import { authEnv } from '@/env';
import { runtime } from '@/runtime';
import { auth } from './auth';
import { withClientAddress } from './client-address';
import { limitedSignIn } from './sign-in';

const tooManyAnswer = z.object({ message: z.string(), retryAfterSeconds: z.number() });

/** How a sign-in ended. A wrong e-mail and a wrong password are told apart to nobody. */
export type SignInOutcome =
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'disabled'; readonly message: string }
  | { readonly kind: 'too-many'; readonly message: string; readonly retryAfterSeconds: number };

/** Signs in within an action: sets the session cookie of its answer. Counted as sign-ins over HTTP are. */
export async function signInHere(email: string, password: string, requestHeaders: Headers): Promise<SignInOutcome> {
  const settings = authEnv();
  const headers = withClientAddress(requestHeaders, settings.HOLDFAST_TRUSTED_PROXIES);
  const response = await limitedSignIn({ db: runtime().db, settings }, { email, headers: requestHeaders }, () =>
    auth().api.signInEmail({ body: { email, password }, headers, asResponse: true }),
  );
  if (response.ok) return { kind: 'signed-in' };
  if (response.status === 429) return { kind: 'too-many', ...tooManyAnswer.parse(await response.json()) };
  if (response.status === 403)
    return { kind: 'disabled', message: 'This account is disabled. An admin can enable it again.' };
  if (response.status === 401 || response.status === 400) {
    return { kind: 'wrong', message: 'This e-mail and password do not belong together.' };
  }
  throw new Error(`sign-in answered ${response.status}`);
}
