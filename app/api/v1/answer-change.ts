import 'server-only';
import type { z } from 'zod';
import { invalidInput, unexpected } from '@/app/actions/admin-action';
import { authorizeChange } from '@/auth/session';
import type { Actor, Role } from '@/domain/actor';
import { type Refusal, refusalStatus } from '@/domain/refusals';
import type { Result } from '@/domain/result';

/** A request body larger than this is refused unread. */
const largestBodyBytes = 100_000;

/** Refusals as problem+json, with the codes and words of the pages. */
export function problem(refusal: Refusal, more: Record<string, unknown> = {}): Response {
  const status = refusalStatus[refusal.code];
  return Response.json(
    { type: `about:blank#${refusal.code}`, title: refusal.code, status, detail: refusal.message, refusal, ...more },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
}

/** The one way to answer a change over the API: authorises, parses JSON, runs, and answers 202 or a refusal. */
export async function answerChange<Schema extends z.ZodType, T>(
  request: Request,
  role: Role,
  schema: Schema,
  handler: (asked: { actor: Actor; input: z.output<Schema> }) => Promise<Result<T, Refusal>>,
): Promise<Response> {
  try {
    const authorized = await authorizeChange(role);
    if (!authorized.ok) return problem(authorized.refusal);
    const body = await readBody(request);
    if (!body.ok) return problem(body.refusal);
    const parsed = schema.safeParse(body.value);
    if (!parsed.success) return problem(invalidInput(parsed.error));
    const answer = await handler({ actor: authorized.value, input: parsed.data });
    return answer.ok ? Response.json(answer.value, { status: 202 }) : problem(answer.refusal);
  } catch (error) {
    const { refusal, reference } = unexpected(error);
    return problem(refusal, { reference });
  }
}

async function readBody(request: Request): Promise<Result<unknown, Refusal>> {
  const text = await request.text();
  const refuse = (message: string): Result<unknown, Refusal> => ({
    ok: false,
    refusal: { code: 'invalid', message, issues: [] },
  });
  if (text.length > largestBodyBytes) return refuse('The request is too large.');
  try {
    const value: unknown = JSON.parse(text);
    const key = request.headers.get('idempotency-key');
    const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
    return { ok: true, value: plain && key !== null ? { idempotencyKey: key, ...value } : value };
  } catch {
    return refuse('The request is no JSON.');
  }
}
