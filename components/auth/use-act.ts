'use client';
import { type RefObject, useEffect, useState, useTransition } from 'react';
import type { ActionResult } from '@/app/actions/admin-action';

/** Why an act was not done, for the form it was asked from. */
export interface Failure {
  readonly message: string;
  readonly reference: string | undefined;
  readonly issues: Readonly<Record<string, string>>;
}

const lost: Failure = {
  message: 'The server did not answer. We do not know whether it was accepted: look at the list, then try again.',
  reference: undefined,
  issues: {},
};

/** Calls a server action once at a time. `onDone` gets the value; a refusal, or no answer, becomes `failure`. */
export function useAct<T>(action: (input: unknown) => Promise<ActionResult<T>>, onDone: (value: T) => void) {
  const [isBusy, start] = useTransition();
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = (input: unknown) =>
    start(async () => {
      const answer = await action(input).catch(() => null);
      if (answer === null) return setFailure(lost);
      if (!answer.ok) return setFailure(failureOf(answer));
      setFailure(null);
      onDone(answer.value);
    });
  return { run, isBusy, failure, reset: () => setFailure(null) };
}

function failureOf(answer: ActionResult<unknown> & { ok: false }): Failure {
  const { refusal, reference } = answer;
  const issues =
    refusal.code === 'invalid' ? Object.fromEntries(refusal.issues.map((issue) => [issue.field, issue.message])) : {};
  return { message: refusal.message, reference, issues };
}

/** Puts the focus on the first field that was refused. */
export function useFocusOnFailure(form: RefObject<HTMLElement | null>, failure: Failure | null): void {
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, failure]);
}
