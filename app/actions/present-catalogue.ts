import 'server-only';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { CloudError } from '@/infrastructure/cloud';
import { runtime } from '@/runtime';
import { type Catalogue, catalogue, refreshCatalogue } from '@/worker/catalogue';

const askMs = 5_000;

/** What the cloud offers: as kept while that is fresh, or read anew. Refuses as cloud when the cloud does not answer in time. */
export async function presentCatalogue(which: 'kept' | 'new'): Promise<Result<Catalogue, Refusal>> {
  const { worker } = runtime();
  const signal = AbortSignal.timeout(askMs);
  try {
    return accepted(await (which === 'new' ? refreshCatalogue(worker, signal) : catalogue(worker, signal)));
  } catch (error) {
    if (!(error instanceof CloudError) && !signal.aborted) throw error;
    const message = signal.aborted
      ? `The cloud did not answer within ${askMs / 1000} s. Nothing was changed.`
      : `The cloud could not be asked: ${error instanceof Error ? error.message : ''} Nothing was changed.`;
    return refused({ code: 'cloud', message });
  }
}
