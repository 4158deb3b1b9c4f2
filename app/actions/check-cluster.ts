import 'server-only';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result } from '@/domain/result';
import { checkCluster } from '@/scanner/check-now';
import { scanner } from './current-scanner';

/** What a check found, in one sentence for the page. */
export interface Checked {
  readonly message: string;
}

export async function submitCheck(actor: Actor, clusterId: string): Promise<Result<Checked, Refusal>> {
  const found = await checkCluster(scanner(), clusterId, actor);
  switch (found.kind) {
    case 'as-it-should-be':
      return accepted({ message: 'Everything is as it should be.' });
    case 'nothing-to-check':
      return accepted({ message: 'There is nothing to check: it has not been built, or is deleted.' });
    case 'decided':
      return accepted({ message: found.decision.reason });
  }
}
