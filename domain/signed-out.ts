import type { Role } from './actor';
import { type Refusal, refusalStatus } from './refusals';

/** Values only: the browser may import it, to lead to the sign-in page and back. */
const signedOutMessage = 'You are not signed in. Sign in, then try again.';

export function signedOutRefusal(role: Role): Refusal {
  return { code: 'not-allowed', message: signedOutMessage, role };
}

/** Whether a refusal means "sign in" (401) rather than "your role is too low" (403). */
export function isSignedOut(refusal: Refusal): boolean {
  return refusal.code === 'not-allowed' && refusal.message === signedOutMessage;
}

/** The HTTP status of a refusal: `refusalStatus`, but 401 where signing in is what helps. */
export function statusOf(refusal: Refusal): number {
  return isSignedOut(refusal) ? 401 : refusalStatus[refusal.code];
}
