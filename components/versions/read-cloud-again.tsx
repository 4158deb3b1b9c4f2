'use client';
import { RefreshCw } from 'lucide-react';
import { toast } from 'sonner';
import { readCloudAgain } from '@/app/actions/versions';
import { useAct } from '@/components/auth/use-act';
import { Button } from '@/components/ui/button';

/** For an ISO that was registered a moment ago. */
export function ReadCloudAgain() {
  const act = useAct(readCloudAgain, ({ isoCount }) => {
    toast.success(`The cloud was read again: ${isoCount} ${isoCount === 1 ? 'ISO' : 'ISOs'}.`);
  });
  return (
    <>
      <Button
        icon={<RefreshCw aria-hidden className="size-3.5" />}
        isBusy={act.isBusy}
        onClick={() => act.run({})}
        aria-describedby={act.failure === null ? undefined : 'read-cloud-failure'}
      >
        Read the cloud again
      </Button>
      <p id="read-cloud-failure" role="alert" className="basis-full text-right text-xs text-danger empty:hidden">
        {act.failure?.message}
      </p>
    </>
  );
}
