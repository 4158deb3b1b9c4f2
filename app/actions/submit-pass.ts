import 'server-only';
import type { Actor } from '@/domain/actor';
import type { PassOutcome, PassReport } from '@/domain/passes';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { Selected } from '@/scanner/pass-run';
import { runPassWithin } from '@/scanner/run-pass';
import { scanner } from './current-scanner';

/** `already-running`: nothing was done; the pass that is under way can be watched by its id. */
export type PassAnswer =
  | { readonly kind: 'done'; readonly report: PassReport }
  | { readonly kind: 'already-running'; readonly passId: number };

/** An answer for a person: a preview waits for the cloud, an apply only for recovery itself; the rest can be watched. */
const previewWaitMs = 10_000;
const applyWaitMs = 2_000;

/** Shared by server actions and API. */
export async function submitPass(
  actor: Actor,
  wanted: { mode: 'preview' | 'apply'; only?: readonly Selected[] | undefined },
): Promise<Result<PassAnswer, Refusal>> {
  const { mode, only } = wanted;
  const request = { mode, trigger: 'hand', actor, ...(only === undefined ? {} : { only }) } as const;
  const outcome: PassOutcome = await runPassWithin(
    scanner(),
    request,
    mode === 'preview' ? previewWaitMs : applyWaitMs,
  );
  return outcome.kind === 'unavailable'
    ? refused({ code: 'unavailable', message: outcome.message })
    : accepted(outcome);
}
