/** What the reads of jobs, events and the lifecycle have in common: who asks, the server's time, and one way to say no. */
import 'server-only';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { authorize } from '@/auth/session';
import { isSignedOut } from '@/auth/signed-out';
import { timeHeader } from '@/components/request';
import { databaseIsAway } from '@/db/errors';
import type { Actor } from '@/domain/actor';
import { type Refusal, refusalStatus } from '@/domain/refusals';

/** Thrown by a read to answer with a refusal. */
export class ReadRefused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function notFound(what: string): never {
  throw new ReadRefused({ code: 'not-found', message: `There is no such ${what}.` });
}

/** The uuid of the address, or 404: what is no id names nothing. */
export async function idOf(params: Promise<{ id: string }>, what: string): Promise<string> {
  const parsed = z.uuid().safeParse((await params).id);
  return parsed.success ? parsed.data : notFound(what);
}

/** For GET handlers of viewers. `read` returns what is answered as JSON, or a whole response. */
export async function readAsViewer(read: (actor: Actor) => Promise<unknown>): Promise<Response> {
  const headers = { [timeHeader]: new Date().toISOString(), 'cache-control': 'no-store' };
  const refuse = (refusal: Refusal, reference?: string) =>
    Response.json(
      { refusal, ...(reference === undefined ? {} : { reference }) },
      { status: isSignedOut(refusal) ? 401 : reference === undefined ? refusalStatus[refusal.code] : 500, headers },
    );
  try {
    const authorized = await authorize('viewer');
    if (!authorized.ok) return refuse(authorized.refusal);
    const answer = await read(authorized.value);
    return answer instanceof Response ? answer : Response.json(answer, { headers });
  } catch (error) {
    if (error instanceof ReadRefused) return refuse(error.refusal);
    if (databaseIsAway(error)) return refuse({ code: 'unavailable', message: 'The database does not answer. What you see is what was last known.' });
    const reference = randomUUID().slice(0, 8);
    console.error(`[${reference}] a read failed`, error);
    return refuse({ code: 'unavailable', message: 'This could not be read. Nothing was changed.' }, reference);
  }
}
