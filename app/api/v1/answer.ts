import 'server-only';
import { unstable_rethrow } from 'next/navigation';
import { unexpected } from '@/app/actions/admin-action';
import { authorize } from '@/auth/session';
import { timeHeader } from '@/components/time-header';
import { databaseIsAway } from '@/db/errors';
import type { Actor, Role } from '@/domain/actor';
import { type Refusal, refusalStatus } from '@/domain/refusals';
import type { Result } from '@/domain/result';
import { isSignedOut } from '@/domain/signed-out';

/** The one way to answer a read of the API: authorises, asks, says refusals and faults alike for page and script. */
export async function answerRead<T>(
  role: Role,
  read: (actor: Actor) => Promise<Result<T, Refusal>>,
): Promise<Response> {
  try {
    const authorized = await authorize(role);
    if (!authorized.ok) return refusalResponse(authorized.refusal);
    const answer = await read(authorized.value);
    if (!answer.ok) return refusalResponse(answer.refusal);
    return Response.json(answer.value, { headers: { ...noStore, [timeHeader]: new Date().toISOString() } });
  } catch (error) {
    unstable_rethrow(error);
    if (databaseIsAway(error)) return refusalResponse({ code: 'unavailable', message: databaseAway });
    const { refusal, reference } = unexpected(error);
    return Response.json({ refusal, reference }, { status: refusalStatus[refusal.code], headers: noStore });
  }
}

const noStore = { 'cache-control': 'no-store' };
const databaseAway = 'The database does not answer. Nothing is lost; try again in a moment.';

export function refusalResponse(refusal: Refusal): Response {
  const status = isSignedOut(refusal) ? 401 : refusalStatus[refusal.code];
  return Response.json({ refusal }, { status, headers: noStore });
}
