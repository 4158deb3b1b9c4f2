'use client';
import { useQuery } from '@tanstack/react-query';
import { LifeBuoy } from 'lucide-react';
import { summaryQuery } from '@/components/summary/summary-queries';
import { EmptyState } from '@/components/ui/states';
import { Time } from '@/components/ui/time';
import type { RecoveryHealth } from '@/db/queries/recovery-health';
import type { FleetSummary } from '@/db/queries/summary';
import { countsText } from './pass-look';

/** Three different kinds of nothing (interface 4.7). */
export function BeforePreview({ health }: { health: RecoveryHealth }) {
  const { data: summary } = useQuery(summaryQuery);
  const last = health.lastPass;
  return (
    <EmptyState
      icon={LifeBuoy}
      title={summary === undefined ? 'What would a pass do now?' : titleOf(summary)}
      text={
        <>
          {summary !== undefined && summary.orphaned > 0
            ? 'The next pass frees what nobody holds. A preview shows how. '
            : ''}
          {last === null ? (
            'No pass has run yet.'
          ) : (
            <>
              The last pass, <Time value={last.startedAt} />, looked at {last.lookedAt}{' '}
              {last.lookedAt === 1 ? 'cluster' : 'clusters'}: {countsText(last)}.
            </>
          )}
        </>
      }
    />
  );
}

function titleOf({ orphaned, operating }: FleetSummary): string {
  if (orphaned > 0) return orphaned === 1 ? '1 cluster is held by nobody' : `${orphaned} clusters are held by nobody`;
  if (operating > 0)
    return operating === 1
      ? '1 cluster is operating; its job is alive'
      : `${operating} clusters are operating; all have a live job`;
  return 'No cluster is in an operation';
}
