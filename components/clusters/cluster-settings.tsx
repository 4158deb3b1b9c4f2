'use client';
import { setProtection } from '@/app/actions/clusters';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { useAction } from '@/components/refusals/use-action';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { useCluster } from './use-cluster';

/** What is set for a cluster without an operation: its protection. */
export function ClusterSettings({ id }: { id: string }) {
  const cluster = useCluster(id);
  const protect = useAction(setProtection);
  const reason =
    cluster.state === 'Destroyed'
      ? 'It has been deleted; it can only be read.'
      : cluster.mayProtect
        ? undefined
        : 'Needs the role admin.';
  return (
    <Panel id="protection" title="Deletion protection" className="max-w-2xl">
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm">
            {cluster.protected
              ? 'On: nobody can delete this cluster until an admin lifts it.'
              : 'Off: an operator can delete this cluster.'}
          </p>
          <Button
            isBusy={protect.isBusy}
            reason={reason}
            onClick={() => void protect.run({ clusterId: id, protected: !cluster.protected })}
          >
            {cluster.protected ? 'Lift the protection' : 'Protect'}
          </Button>
        </div>
        <RefusalNotice outcome={protect.outcome} />
      </div>
    </Panel>
  );
}
