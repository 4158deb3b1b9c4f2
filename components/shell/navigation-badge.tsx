'use client';
import { useQuery } from '@tanstack/react-query';
import { summaryQuery } from '@/components/summary/summary-queries';
import { CountBadge, Mark } from '@/components/ui/badge';
import { classNames, type Tone } from '@/components/ui/class-names';
import type { FleetSummary } from '@/db/queries/summary';
import type { BadgeName } from './navigation';

interface Look {
  readonly tone: Tone;
  readonly count: number;
  readonly label: string;
}

/** Null: nothing to say. */
function lookOf(name: BadgeName, summary: FleetSummary): Look | null {
  const some = (count: number, tone: Tone, label: string): Look | null => (count === 0 ? null : { tone, count, label });
  switch (name) {
    case 'attention':
      return some(summary.attention, 'danger', 'need attention');
    case 'inProgress':
      return some(summary.jobsInProgress, 'info', 'in progress');
    case 'serversNotUp':
      return some(summary.serversNotUp, 'warning', 'not up');
    case 'recovery':
      return summary.recovery.isLate
        ? { tone: 'danger', count: 0, label: 'recovery is late' }
        : some(summary.orphaned, 'warning', 'orphaned');
  }
}

/** What waits in a section: a count, or a mark where a count says nothing. */
export function NavigationBadge({ name, isNarrow }: { name: BadgeName; isNarrow: boolean }) {
  const { data } = useQuery(summaryQuery);
  const look = data === undefined ? null : lookOf(name, data);
  if (look === null) return null;
  if (isNarrow || look.count === 0) {
    return (
      <span className={classNames('flex items-center', isNarrow && 'absolute top-1 right-2')}>
        <Mark tone={look.tone} />
        <span className="sr-only">
          {look.count === 0 ? '' : look.count} {look.label}
        </span>
      </span>
    );
  }
  return <CountBadge count={look.count} tone={look.tone} label={look.label} />;
}
