'use client';
import { Activity, CircleCheck, Ghost, type LucideIcon, Server, TriangleAlert } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { routes } from '@/components/routes';
import { classNames, type Tone, toneClass } from '@/components/ui/class-names';
import { Flash } from '@/components/ui/flash';
import type { FleetSummary } from '@/db/queries/summary';

interface Card {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  readonly href: Route;
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

function cardsOf(summary: FleetSummary): readonly Card[] {
  const alarm = (count: number, tone: Tone): Tone => (count > 0 ? tone : 'neutral');
  return [
    {
      label: 'Need attention',
      value: summary.attention,
      note: `of ${summary.clusters} clusters`,
      href: routes.clustersIn({ preset: 'attention' }),
      icon: TriangleAlert,
      tone: alarm(summary.attention, 'danger'),
    },
    {
      label: 'Operating now',
      value: summary.operating,
      note: 'held by a live job',
      href: routes.clustersIn({ preset: 'operating' }),
      icon: Activity,
      tone: alarm(summary.operating, 'info'),
    },
    {
      label: 'Orphaned',
      value: summary.orphaned,
      note: summary.orphaned === 0 ? 'nobody is left behind' : 'the next pass frees them',
      href: routes.recovery,
      icon: Ghost,
      tone: alarm(summary.orphaned, 'warning'),
    },
    {
      label: 'Servers not up',
      value: summary.serversNotUp,
      note: summary.serversUp === 1 ? '1 is up' : `${summary.serversUp} are up`,
      href: routes.servers,
      icon: summary.serversNotUp === 0 ? CircleCheck : Server,
      tone: alarm(summary.serversNotUp, 'warning'),
    },
  ];
}

/** Four counts that lead on. */
export function NumberCards({ summary }: { summary: FleetSummary }) {
  return (
    <ul aria-label="The fleet in numbers" className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      {cardsOf(summary).map(({ label, value, note, href, icon: Icon, tone }) => (
        <li key={label}>
          <Link
            href={href}
            className={classNames(
              'flex h-full flex-col rounded-lg border border-line bg-surface px-4 py-3 shadow-panel hover:border-line-strong',
              toneClass[tone],
            )}
          >
            <span className="flex items-center justify-between gap-2 text-sm text-soft">
              {label}
              <Icon aria-hidden className="size-4 text-(--tone-mark)" />
            </span>
            <Flash
              value={value}
              className={classNames(
                'mt-1 w-fit text-2xl font-semibold tracking-tight tabular-nums',
                tone !== 'neutral' && 'text-(--tone-fg)',
              )}
            >
              {value}
            </Flash>
            <span className="text-xs text-faint">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
