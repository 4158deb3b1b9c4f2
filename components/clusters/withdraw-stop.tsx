'use client';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { withdrawOperation } from '@/app/actions/clusters';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { useAction } from '@/components/refusals/use-action';
import { routes } from '@/components/routes';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { TextLink } from '@/components/ui/text-link';

/** A stop that waits for the running start; it can be taken back until it begins. */
export function WithdrawStop({ clusterId, jobId }: { clusterId: string; jobId: string }) {
  const withdraw = useAction(withdrawOperation);
  const [isDone, setDone] = useState(false);
  const run = async () => {
    const answer = await withdraw.run({ clusterId, jobId });
    if (answer.kind === 'accepted') setDone(true);
  };
  return (
    <Callout tone="violet" title="Next: a stop waits">
      <p>
        It takes over when the start reaches the end of its present step.{' '}
        <TextLink href={routes.job(jobId)}>Open the stop</TextLink>
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<Undo2 aria-hidden className="size-3.5" />}
          isBusy={withdraw.isBusy}
          onClick={() => void run()}
          reason={isDone ? 'Withdrawn.' : undefined}
        >
          Withdraw the stop
        </Button>
      </div>
      <RefusalNotice outcome={withdraw.outcome} />
    </Callout>
  );
}
