'use server';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { auth } from '@/auth/auth';
import { safeNextPath, visitorRoutes } from '@/auth/request-headers';
import { checkOrigin } from '@/auth/session';
import { adminSetUpInput, passwordSetUpInput, setUpAdmin, setUpPassword } from '@/auth/set-up';
import { signInHere } from '@/auth/visitor-sign-in';
import type { FieldIssue, Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { runtime } from '@/runtime';
import { type ActionResult, guarded, invalidInput } from './admin-action';

/** What a form of a visitor shows after it was sent. Passwords are never given back. */
export interface VisitorFormState {
  readonly message: string | null;
  readonly issues: readonly FieldIssue[];
  readonly reference: string | null;
  readonly retryAfterSeconds: number | null;
  readonly values: { readonly name: string; readonly email: string };
}

const signInInput = z.object({
  email: z.string().trim().min(1, 'Give your e-mail address.').max(254, 'At most 254 characters.'),
  password: z.string().min(1, 'Give your password.').max(512, 'At most 512 characters.'),
});

export async function signIn(_previous: VisitorFormState, form: FormData): Promise<VisitorFormState> {
  let retryAfterSeconds: number | null = null;
  const result = await fromVisitor(form, signInInput, async (input) => {
    const outcome = await signInHere(input.email, input.password, await headers());
    if (outcome.kind === 'signed-in') return accepted(null);
    if (outcome.kind === 'too-many') retryAfterSeconds = outcome.retryAfterSeconds;
    return refused({ code: 'not-found', message: outcome.message });
  });
  if (result.ok) redirect(safeNextPath(form.get('next')));
  return { ...stateOf(form, result), retryAfterSeconds };
}

export async function setUpAsAdmin(_previous: VisitorFormState, form: FormData): Promise<VisitorFormState> {
  const result = await fromVisitor(form, adminSetUpInput, async (input) => {
    const made = await setUpAdmin(runtime().db, input);
    return made.ok ? signInAfterSetUp(made.value.email, input.password) : made;
  });
  if (result.ok) redirect(visitorRoutes.home);
  return stateOf(form, result);
}

export async function setOwnPassword(_previous: VisitorFormState, form: FormData): Promise<VisitorFormState> {
  const result = await fromVisitor(form, passwordSetUpInput, async (input) => {
    const made = await setUpPassword(runtime().db, input);
    return made.ok ? signInAfterSetUp(made.value.email, input.password) : made;
  });
  if (result.ok) redirect(visitorRoutes.home);
  return stateOf(form, result);
}

export async function signOut(): Promise<void> {
  const requestHeaders = await headers();
  if (checkOrigin(requestHeaders).ok) await auth().api.signOut({ headers: requestHeaders });
  redirect(visitorRoutes.signIn);
}

/** Visitors have no role to check; origin and input are checked as in `adminAction`. */
function fromVisitor<Schema extends z.ZodType>(
  form: FormData,
  schema: Schema,
  handler: (input: z.output<Schema>) => Promise<Result<null, Refusal>>,
): Promise<ActionResult<null>> {
  return guarded(async () => {
    const origin = checkOrigin(await headers());
    if (!origin.ok) return origin;
    const parsed = schema.safeParse(Object.fromEntries(form));
    return parsed.success ? handler(parsed.data) : refused(invalidInput(parsed.error));
  });
}

/** The link is used up by now, so whatever keeps the visitor from being signed in leads to the sign-in page, not back. */
async function signInAfterSetUp(email: string, password: string): Promise<Result<null, Refusal>> {
  const outcome = await signInHere(email, password, await headers());
  if (outcome.kind !== 'signed-in') redirect(visitorRoutes.signIn);
  return accepted(null);
}

function stateOf(form: FormData, result: ActionResult<null>): VisitorFormState {
  const field = (name: string) => String(form.get(name) ?? '').slice(0, 300);
  const values = { name: field('name'), email: field('email') };
  const nothing = { issues: [], reference: null, retryAfterSeconds: null, values };
  if (result.ok) return { ...nothing, message: null };
  const { refusal, reference } = result;
  const issues = refusal.code === 'invalid' ? refusal.issues : [];
  return { ...nothing, issues, reference: reference ?? null, message: refusal.message };
}
