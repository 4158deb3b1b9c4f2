'use client';
import type { LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { HolderFlag, HolderLine } from '@/components/clusters/holder-line';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { Flash } from '@/components/ui/flash';
import { EmptyState } from '@/components/ui/states';
import { Elapsed } from '@/components/ui/time';
import type { ClusterRow } from '@/db/queries/cluster-dto';

/** Clusters in few words: name, state and since when; then who holds it, or why it is as it is. */
export function ClusterLines({
  rows,
  empty,
}: {
  rows: readonly ClusterRow[];
  empty: { title: string; text: string; icon: LucideIcon };
}) {
  if (rows.length === 0) return <EmptyState {...empty} className="py-8" />;
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 px-4 py-2.5">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link href={routes.cluster(row.id)} className="font-medium break-all hover:underline">
                {row.name}
              </Link>
              <Flash value={row.state}>
                <StateBadge state={row.state} />
              </Flash>
              <span className="text-xs text-faint">
                <Elapsed since={row.stateSince} />
              </span>
              {row.holder === null ? <HolderFlag holder={null} isOrphaned={row.isOrphaned} /> : null}
            </p>
            {row.attention !== null && row.holder === null ? (
              <p className="mt-0.5 line-clamp-2 text-sm text-soft">{row.attention.text}</p>
            ) : null}
          </div>
          {row.holder === null ? null : <HolderLine holder={row.holder} isOrphaned={row.isOrphaned} />}
        </li>
      ))}
    </ul>
  );
}
