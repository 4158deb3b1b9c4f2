'use client';
import { stateLooks } from '@/components/lifecycle/state-look';
import { classNames, toneClass } from '@/components/ui/class-names';
import { Elapsed, Time } from '@/components/ui/time';
import type { TransitionLine } from '@/db/queries/cluster-dto';
import { stateLabels } from '@/domain/states';

const shown = 12;

/** The latest states in their order, each with how long it lasted. Equal widths: minutes and weeks would not fit one scale. */
export function HistoryStrip({ transitions }: { transitions: readonly TransitionLine[] }) {
  const latest = transitions.slice(0, shown).reverse();
  if (latest.length === 0) return <p className="text-sm text-faint">It has not changed its state yet.</p>;
  return (
    <ol className="flex gap-1 overflow-x-auto pb-1" aria-label="States, oldest first">
      {latest.map((line, index) => {
        const { tone, icon: Icon } = stateLooks[line.to];
        return (
          <li
            key={line.seq}
            className={classNames(
              'flex min-w-24 flex-1 flex-col gap-0.5 rounded-md border-t-2 border-(--tone-mark) bg-subtle/60 px-2 py-1.5',
              toneClass[tone],
            )}
            title={line.reason ?? undefined}
          >
            <span className="flex items-center gap-1 text-xs font-medium whitespace-nowrap text-(--tone-fg)">
              <Icon aria-hidden className="size-3 shrink-0" />
              {stateLabels[line.to]}
            </span>
            <span className="text-xs whitespace-nowrap text-soft">
              <Elapsed since={line.at} until={latest[index + 1]?.at} />
            </span>
            <span className="text-2xs whitespace-nowrap text-faint">
              <Time value={line.at} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
