import { CircleArrowUp, LockKeyhole } from 'lucide-react';
import Link from 'next/link';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Flash } from '@/components/ui/flash';
import { Elapsed, Time } from '@/components/ui/time';
import type { ClusterRow } from '@/db/queries/cluster-dto';
import { HolderFlag } from './holder-line';

/** The parts of a row of the clusters list. */

export function NameCell({ row }: { row: ClusterRow }) {
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-1.5">
        <Link href={routes.cluster(row.id)} className="max-w-64 truncate font-medium hover:underline" title={row.name}>
          {row.name}
        </Link>
        {row.protected ? (
          <LockKeyhole role="img" aria-label="Protected against deletion" className="size-3.5 shrink-0 text-faint" />
        ) : null}
      </p>
      <p className="font-mono text-xs text-faint">{row.id.slice(0, 8)}</p>
    </div>
  );
}

export function StateCell({ row }: { row: ClusterRow }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex flex-wrap items-center gap-1.5">
        <Flash value={row.state}>
          <StateBadge state={row.state} />
        </Flash>
        <span className="text-xs whitespace-nowrap text-faint">
          <Elapsed since={row.stateSince} />
        </span>
        {row.holder === null ? <HolderFlag holder={null} isOrphaned={row.isOrphaned} /> : null}
      </p>
      {row.attention !== null && row.holder === null ? (
        <p className="line-clamp-2 max-w-72 text-xs text-soft" title={row.attention.text}>
          {row.attention.text}
        </p>
      ) : null}
      {row.waitingStopId === null ? null : <p className="text-xs text-soft">A stop waits for it.</p>}
    </div>
  );
}

export function VersionCell({ row }: { row: ClusterRow }) {
  const isMixed = row.nodeVersions.length > 1;
  return (
    <p className="flex flex-wrap items-center gap-1">
      <span className="tabular-nums">{row.version}</span>
      {row.isUpgradeOffered ? (
        <CircleArrowUp role="img" aria-label="A newer version is offered" className="size-3.5 text-faint" />
      ) : null}
      {isMixed ? (
        <Badge tone="warning" title={`Nodes run ${row.nodeVersions.join(' and ')}`}>
          mixed
        </Badge>
      ) : null}
    </p>
  );
}

/** "5/5 workers", with what is missing in words that stand out. */
export function NodesCell({ row }: { row: ClusterRow }) {
  const { control, worker, etcd } = row.nodes;
  return (
    <div className="whitespace-nowrap">
      <p>
        <span className={worker.ready < worker.total ? 'font-medium text-warning' : undefined}>
          {worker.ready}/{worker.total}
        </span>{' '}
        <span className="text-faint">{worker.total === 1 ? 'worker' : 'workers'}</span>
      </p>
      <p className="text-xs text-faint">
        {control.ready}/{control.total} control
        {etcd.total === 0 ? '' : ` · ${etcd.ready}/${etcd.total} etcd`}
        {row.autoscale === null ? '' : ` · auto ${row.autoscale.min}–${row.autoscale.max}`}
      </p>
    </div>
  );
}

export function LastEventCell({ row }: { row: ClusterRow }) {
  if (row.lastEvent === null) return null;
  return (
    <div className="max-w-64">
      <p className="truncate text-soft" title={row.lastEvent.summary}>
        {row.lastEvent.summary}
      </p>
      <p className="text-xs text-faint">
        <Time value={row.lastEvent.at} />
      </p>
    </div>
  );
}
