'use client';
import { Stethoscope } from 'lucide-react';
import { toast } from 'sonner';
import { checkNow } from '@/app/actions/clusters';
import { useAction } from '@/components/refusals/use-action';
import { Button } from '@/components/ui/button';

/** Does at once, for this cluster, what the next pass would do; says what it found. */
export function CheckNow({ clusterId, reason }: { clusterId: string; reason?: string | undefined }) {
  const check = useAction(checkNow);
  const run = async () => {
    const outcome = await check.run({ clusterId });
    if (outcome.kind === 'accepted') toast.success(outcome.value.message);
    else if (outcome.kind === 'refused') toast.error(outcome.refusal.message, { duration: Number.POSITIVE_INFINITY });
    else
      toast.error('The answer got lost. Look at the events, then check again.', { duration: Number.POSITIVE_INFINITY });
  };
  return (
    <Button
      size="sm"
      reason={reason}
      isBusy={check.isBusy}
      icon={<Stethoscope aria-hidden className="size-3.5" />}
      onClick={() => void run()}
    >
      Check now
    </Button>
  );
}
