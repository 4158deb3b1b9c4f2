'use client';
import Link from 'next/link';
import { stateLooks } from '@/components/lifecycle/state-look';
import { routes } from '@/components/routes';
import { classNames, toneClass } from '@/components/ui/class-names';
import type { FleetSummary } from '@/db/queries/summary';
import { clusterStates, stateLabels } from '@/domain/states';

/** How many clusters are in each state: a bar for the eye, links with names and counts beneath. */
export function StateBar({ states }: { states: FleetSummary['states'] }) {
  const present = clusterStates.map((state) => ({ state, count: states[state] ?? 0 })).filter(({ count }) => count > 0);
  if (present.length === 0) return <p className="text-sm text-faint">There are no clusters.</p>;
  return (
    <div className="flex flex-col gap-2.5">
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {present.map(({ state, count }) => (
          <span
            key={state}
            style={{ flexGrow: count }}
            className={classNames('min-w-1 bg-(--tone-mark)', toneClass[stateLooks[state].tone])}
          />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {present.map(({ state, count }) => {
          const { tone, icon: Icon } = stateLooks[state];
          return (
            <li key={state}>
              <Link
                href={routes.clustersIn({ state })}
                className={classNames(
                  'inline-flex min-h-6 items-center gap-1.5 text-sm hover:underline',
                  toneClass[tone],
                )}
              >
                <Icon aria-hidden className="size-3.5 text-(--tone-mark)" />
                {stateLabels[state]} <span className="text-faint tabular-nums">{count}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
