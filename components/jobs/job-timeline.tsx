'use client';
import type { ReactNode } from 'react';
import { stateLooks } from '@/components/lifecycle/state-look';
import { classNames, toneClass } from '@/components/ui/class-names';
import { durationText } from '@/components/ui/time-format';
import { useNow } from '@/components/ui/use-now';
import type { JobDetail } from '@/db/queries/job';
import { stateLabels } from '@/domain/states';
import type { UsualByName } from './job-queries';
import { Bar, StepBar, stepFamily } from './timeline-bars';
import { makeScale, placeOf, type Scale, ticksOf } from './timeline-scale';

/**
 * Steps on a time axis, with failed attempts, what is usual, and the states of the cluster beneath. A picture: the table under it
 * says the same in words, so this is hidden from screen readers.
 */
export function JobTimeline({ job, usual }: { job: JobDetail; usual: UsualByName | undefined }) {
  const now = useNow();
  const start = Date.parse(job.startedAt ?? job.acceptedAt);
  const isOpen = job.finishedAt === null;
  const end = job.finishedAt === null ? (now ?? start) : Date.parse(job.finishedAt);
  const asked = Date.parse(job.acceptedAt);
  const lastEnd = Math.max(end, ...job.steps.map((step) => (step.endedAt === null ? end : Date.parse(step.endedAt))));
  // Room at the right of an ended job, so that the state it left behind is seen.
  const scale = makeScale(asked, [lastEnd + (isOpen ? 0 : (lastEnd - asked) * roomAfterEnd)]);
  const waited = start - asked;
  return (
    <div aria-hidden className="text-xs select-none">
      <div className="grid grid-cols-[minmax(7rem,15rem)_1fr] gap-x-3 max-sm:grid-cols-1">
        {waited >= second ? (
          <Line label="Waiting">
            <Bar
              scale={scale}
              from={asked}
              to={start}
              tone="violet"
              isHatched
              title={`waited ${durationText(waited)}`}
            />
          </Line>
        ) : null}
        {job.steps.map((step) => (
          <Line key={step.name} label={step.label} isBold={step.status === 'running'}>
            <StepBar step={step} scale={scale} end={end} usual={usual?.[stepFamily(step.name)]} />
          </Line>
        ))}
        <span className="col-span-full mt-2 border-t border-line pb-1.5" />
        <Line label="State of the cluster" isTall>
          <Band job={job} scale={scale} />
        </Line>
        <Axis scale={scale} isOpen={isOpen} />
      </div>
    </div>
  );
}

const second = 1000;
const roomAfterEnd = 0.06;

function Line({
  label,
  isBold = false,
  isTall = false,
  children,
}: {
  label: string;
  isBold?: boolean;
  /** Holds words, so it keeps its height on phones. */
  isTall?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <span
        className={classNames(
          'self-center truncate text-soft max-sm:mt-1 sm:leading-6',
          isBold && 'font-medium text-ink',
        )}
        title={label}
      >
        {label}
      </span>
      <span className={classNames('relative h-6', !isTall && 'max-sm:h-4')}>{children}</span>
    </>
  );
}

function Band({ job, scale }: { job: JobDetail; scale: Scale }) {
  return job.band.map((part, index) => {
    const left = placeOf(scale, Date.parse(part.from));
    // The last state goes on to the end of the axis.
    const isLast = index === job.band.length - 1;
    const right = isLast || part.to === null ? 100 : placeOf(scale, Date.parse(part.to));
    if (right <= left) return null;
    const { tone } = stateLooks[part.state];
    return (
      <span
        key={part.from}
        title={stateLabels[part.state]}
        className={classNames(
          'absolute inset-y-0.5 flex min-w-1 items-center overflow-hidden border-l border-surface bg-(--tone-bg) px-1.5 text-2xs text-(--tone-fg) first:rounded-l last:rounded-r',
          toneClass[tone],
        )}
        style={{ left: `${left}%`, width: `${right - left}%`, boxShadow: 'inset 0 -2px 0 var(--tone-mark)' }}
      >
        <span className="truncate">{stateLabels[part.state]}</span>
      </span>
    );
  });
}

function Axis({ scale, isOpen }: { scale: Scale; isOpen: boolean }) {
  return (
    <>
      <span className="max-sm:hidden" />
      <span className="relative mt-1 h-5 border-t border-line text-2xs text-faint tabular-nums">
        {ticksOf(scale).map((tick) => {
          const place = placeOf(scale, scale.startMs + tick);
          return (
            <span
              key={tick}
              className={classNames(
                'absolute top-0 border-l border-line-strong pt-1 pl-1 whitespace-nowrap',
                place > 88 && '-translate-x-full border-r border-l-0 pr-1',
              )}
              style={{ left: `${place}%` }}
            >
              {durationText(tick)}
            </span>
          );
        })}
        {isOpen ? <span className="absolute -top-1 right-0 size-2 animate-pulse-mark rounded-full bg-accent" /> : null}
      </span>
    </>
  );
}
