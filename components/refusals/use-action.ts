'use client';
/*
 * components/refusals — asking for something and being told no: the same words and the same receipt everywhere.
 */
import { useState } from 'react';
import type { ActionResult } from '@/app/actions/admin-action';
import type { Refusal } from '@/domain/refusals';
import { isSignedOut } from '@/domain/signed-out';

/** What became of a request. `unknown`: the answer was lost, so nobody here knows whether it was accepted. */
export type Outcome<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly reference: string | undefined }
  | { readonly kind: 'unknown' };

/** Runs a server action: busy while it runs, then its outcome. One at a time; a second call meanwhile is the first one's. */
export function useAction<Input, T>(action: (input: Input) => Promise<ActionResult<T>>) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome<T> | null>(null);
  const run = async (input: Input): Promise<Outcome<T>> => {
    setBusy(true);
    const next = await outcomeOf(() => action(input));
    setOutcome(next);
    setBusy(false);
    return next;
  };
  return { run, isBusy, outcome, forget: () => setOutcome(null) };
}

async function outcomeOf<T>(ask: () => Promise<ActionResult<T>>): Promise<Outcome<T>> {
  try {
    const answer = await ask();
    if (answer.ok) return { kind: 'accepted', value: answer.value };
    if (isSignedOut(answer.refusal)) leaveForSignIn();
    return { kind: 'refused', refusal: answer.refusal, reference: answer.reference };
  } catch {
    // Actions say every refusal as a value; what is thrown here is the network's.
    return { kind: 'unknown' };
  }
}

function leaveForSignIn(): void {
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}
