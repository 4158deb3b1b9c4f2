import { type CallContext, CloudError } from '@/infrastructure/cloud';
import type { Api } from './api';
import { ended, isKind, unknownOutcome } from './errors';
import { pause, waits } from './waits';

/** Times at which a change of unknown outcome is looked for again: the request may still be on its way. */
const settlingMs = [0, 300, 1_000] as const;

/**
 * The rule behind every repeatable call (B.1): look for what an earlier attempt made; act; and whatever the answer was — lost,
 * "exists already", an internal error — look again before believing it.
 */
export async function reach<T>(
  call: CallContext,
  goal: { command: string; look: () => Promise<T | null>; act: () => Promise<unknown> },
): Promise<T> {
  const before = await goal.look();
  if (before !== null) return before;
  try {
    await goal.act();
  } catch (error) {
    // Whoever refused `authorize` is not asked again, and nothing was sent.
    if (!(error instanceof CloudError) || call.signal.aborted) throw error;
    const found = await lookAgain(call, error, goal.look);
    if (found === null) throw error;
    return found;
  }
  const after = await goal.look();
  if (after === null) throw unknownOutcome(goal.command, 'it was answered as done, and is not to be seen');
  return after;
}

async function lookAgain<T>(call: CallContext, failure: CloudError, look: () => Promise<T | null>): Promise<T | null> {
  for (const waitMs of failure.kind === 'unknown-outcome' ? settlingMs : [0]) {
    await pause(waitMs, call.signal);
    if (call.signal.aborted) throw ended(failure.command, call.signal, true);
    const found = await look().catch((error: unknown) => {
      if (isKind(error, 'transient')) return null;
      throw error;
    });
    if (found !== null) return found;
  }
  return null;
}

/** Looks until `settled` says so or the bound is over; answers what was seen last. */
export async function lookUntil<T>(
  api: Api,
  call: CallContext,
  wait: { command: string; look: () => Promise<T>; settled: (seen: T) => boolean; boundMs: number },
): Promise<T> {
  const endsAt = Date.now() + wait.boundMs;
  for (const waitMs of waits(api.settings.pollMs)) {
    const seen = await wait.look();
    if (wait.settled(seen) || Date.now() + waitMs > endsAt) return seen;
    await pause(waitMs, call.signal);
    if (call.signal.aborted) throw ended(wait.command, call.signal, false);
  }
  throw unknownOutcome(wait.command, 'it did not settle');
}
