import { Callout } from '@/components/ui/callout';
import type { Failure } from './use-act';

/** What was refused, in the form it was asked from. Read out when it appears. */
export function FailureNote({ failure }: { failure: Failure | null }) {
  return (
    <div role="alert">
      {failure === null ? null : (
        <Callout tone="danger">
          <p>{failure.message}</p>
          {failure.reference === undefined ? null : <p className="font-mono text-xs">Reference {failure.reference}</p>}
        </Callout>
      )}
    </div>
  );
}
