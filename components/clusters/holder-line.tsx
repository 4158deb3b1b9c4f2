/*
 * components/clusters — the list of clusters, the page of one, and the forms of their operations.
 */
import { Ghost, HeartPulse } from 'lucide-react';
import Link from 'next/link';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Flash } from '@/components/ui/flash';
import { ProgressSteps } from '@/components/ui/progress-steps';
import type { HolderView } from '@/db/queries/cluster-dto';
import { operations } from '@/domain/operations';

/** "step 4 of 9"; the one being worked on, not the ones that are done. */
export function stepText({ stepsDone, stepsTotal }: { stepsDone: number; stepsTotal: number }): string {
  return stepsTotal === 0 ? 'preparing' : `step ${Math.min(stepsDone + 1, stepsTotal)} of ${stepsTotal}`;
}

/** Who holds a cluster, in the list: operation, step, bar, admin, server, time. */
export function HolderLine({ holder, isOrphaned }: { holder: HolderView; isOrphaned: boolean }) {
  const label = operations[holder.kind].label;
  return (
    <div className="flex min-w-44 max-w-72 flex-col gap-1">
      <p className="flex items-baseline gap-1.5">
        <Link href={routes.job(holder.jobId)} className="font-medium hover:underline">
          {label}
        </Link>
        <Flash value={holder.stepsDone} className="text-xs whitespace-nowrap text-faint">
          {stepText(holder)}
        </Flash>
        <HolderFlag holder={holder} isOrphaned={isOrphaned} />
      </p>
      <ProgressSteps
        done={holder.stepsDone}
        total={holder.stepsTotal}
        label={`${label}: steps done`}
        tone={isOrphaned ? 'warning' : 'info'}
      />
      <div className="text-xs leading-4 text-faint">
        <p className="truncate" title={holder.currentStep ?? undefined}>
          {holder.currentStep ?? 'Begins'}
        </p>
        <p className="truncate">
          by {holder.actorName}
          {holder.serverName === null ? '' : ` on ${holder.serverName}`}
        </p>
      </div>
    </div>
  );
}

/** Silent: its server is late. Orphaned: nobody works on it any more. */
export function HolderFlag({ holder, isOrphaned }: { holder: HolderView | null; isOrphaned: boolean }) {
  if (isOrphaned) {
    return (
      <Badge tone="warning" icon={Ghost} title="Its server is gone. The next recovery pass frees it.">
        orphaned
      </Badge>
    );
  }
  if (holder?.serverHealth === 'silent') {
    return (
      <Badge tone="warning" icon={HeartPulse} title="Its server has missed beats; its lease is not over yet.">
        silent
      </Badge>
    );
  }
  return null;
}
