'use client';
import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { routes } from '@/components/routes';
import { Button, ButtonLink } from '@/components/ui/button';
import { type ClusterState, stateMeanings } from '@/domain/states';
import { type EdgeGroup, edgeGroups, eventLabel, neighboursOf } from './machine-edges';
import { StateBadge } from './state-badge';

/** What a chosen state means, and every way in and out of it in words. */
export function StatePanel({
  state,
  count,
  onSelect,
}: {
  state: ClusterState;
  count: number | undefined;
  onSelect: (state: ClusterState | null) => void;
}) {
  const { in: into, out } = neighboursOf(edgeGroups(), state);
  return (
    <div className="flex flex-col gap-3 border-t border-line px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex flex-wrap items-center gap-2">
          <StateBadge state={state} />
          <code className="font-mono text-xs text-faint">{state}</code>
          <span className="text-soft">{stateMeanings[state]}</span>
        </p>
        <span className="flex gap-2">
          {count === undefined ? null : (
            <ButtonLink
              size="sm"
              href={routes.clustersIn({ state })}
              reason={count === 0 ? 'No cluster is in this state.' : undefined}
            >
              {count} {count === 1 ? 'cluster' : 'clusters'}
            </ButtonLink>
          )}
          <Button
            size="sm"
            variant="ghost"
            icon={<X aria-hidden className="size-3.5" />}
            onClick={() => onSelect(null)}
          >
            Close
          </Button>
        </span>
      </div>
      <div className="grid gap-x-8 gap-y-3 md:grid-cols-2">
        <Ways
          title="Leads to"
          empty="Nothing leads out of it."
          groups={out}
          onSelect={onSelect}
          other={(group) => group.to}
          arrow={<ArrowRight aria-hidden className="size-3.5 shrink-0 text-faint" />}
        />
        <Ways
          title="Reached from"
          empty="Nothing leads here: every cluster begins in it."
          groups={into}
          onSelect={onSelect}
          other={(group) => group.from}
          arrow={<ArrowLeft aria-hidden className="size-3.5 shrink-0 text-faint" />}
        />
      </div>
    </div>
  );
}

function Ways({
  title,
  empty,
  groups,
  other,
  arrow,
  onSelect,
}: {
  title: string;
  empty: string;
  groups: readonly EdgeGroup[];
  other: (group: EdgeGroup) => ClusterState;
  arrow: ReactNode;
  onSelect: (state: ClusterState) => void;
}) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs text-faint">{title}</h3>
      {groups.length === 0 ? <p className="text-soft">{empty}</p> : null}
      <ul className="flex flex-col">
        {groups.map((group) => (
          <li key={group.key} className="flex min-h-7 flex-wrap items-center gap-x-2">
            {arrow}
            <button type="button" className="min-h-6 hover:underline" onClick={() => onSelect(other(group))}>
              <StateBadge state={other(group)} isQuiet />
            </button>
            <span className="text-xs text-faint">{group.events.map(eventLabel).join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
