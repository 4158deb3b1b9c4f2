'use client';
import type { ReactNode } from 'react';
import { stateLooks } from '@/components/lifecycle/state-look';
import { classNames, type Tone, toneClass } from '@/components/ui/class-names';
import { durationText } from '@/components/ui/time-format';
import { useNow } from '@/components/ui/use-now';
import type { JobDetail, JobStep } from '@/db/queries/job';
import type { Usual } from '@/db/queries/job-usual';
import { stateLabels } from '@/domain/states';
import type { UsualByName } from './job-queries';
import { makeScale, placeOf, type Scale, ticksOf } from './timeline-scale';

export const stepTone: Readonly<Record<JobStep['status'], Tone>> = {
  running: 'info',
  done: 'success',
  failed: 'danger',
  skipped: 'neutral',
  stopped: 'warning',
};

/** "build-node" of "build-node worker-2": what the usual times are kept by. */
export const stepFamily = (name: string) => name.split(' ')[0] ?? name;

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
  const scale = makeScale(asked, [
    end,
    ...job.steps.map((step) => (step.endedAt === null ? end : Date.parse(step.endedAt))),
  ]);
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
          <Band job={job} scale={scale} end={end} />
        </Line>
        <Axis scale={scale} isOpen={isOpen} />
      </div>
    </div>
  );
}

const second = 1000;

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

/** Waiting is no work: drawn as stripes. */
const hatch = 'repeating-linear-gradient(135deg, var(--tone-mark) 0 3px, transparent 3px 7px)';

function Bar({
  scale,
  from,
  to,
  tone,
  title,
  isHatched = false,
  isActive = false,
}: {
  scale: Scale;
  from: number;
  to: number;
  tone: Tone;
  title: string;
  isHatched?: boolean;
  isActive?: boolean;
}) {
  const left = placeOf(scale, from);
  return (
    <span
      title={title}
      className={classNames(
        'absolute inset-y-1.5 min-w-0.75 rounded-xs bg-(--tone-mark) max-sm:inset-y-1',
        toneClass[tone],
        isActive && 'animate-pulse-mark',
      )}
      style={{
        left: `${left}%`,
        width: `${placeOf(scale, to) - left}%`,
        ...(isHatched ? { backgroundImage: hatch, backgroundColor: 'var(--tone-bg)' } : {}),
      }}
    />
  );
}

function StepBar({ step, scale, end, usual }: { step: JobStep; scale: Scale; end: number; usual: Usual | undefined }) {
  const from = Date.parse(step.startedAt);
  const to = step.endedAt === null ? end : Date.parse(step.endedAt);
  const isOver = usual !== undefined && to - from > usual.p95Ms;
  return (
    <>
      <Bar
        scale={scale}
        from={from}
        to={to}
        tone={step.status === 'running' && isOver ? 'warning' : stepTone[step.status]}
        isActive={step.status === 'running'}
        title={`${step.label}: ${step.status}, ${durationText(to - from)}`}
      />
      {step.retriedAt.map((at) => (
        <span
          key={at}
          title="An attempt failed; it was tried again"
          className="absolute inset-y-0.5 w-0.5 bg-danger-mark"
          style={{ left: `${placeOf(scale, Date.parse(at))}%` }}
        />
      ))}
      {usual === undefined ? null : (
        <>
          <UsualMark scale={scale} at={from + usual.p50Ms} title={`usual: ${durationText(usual.p50Ms)}`} />
          <UsualMark
            scale={scale}
            at={from + usual.p95Ms}
            title={`19 of 20 are done after ${durationText(usual.p95Ms)}`}
            isLast
          />
        </>
      )}
    </>
  );
}

function UsualMark({
  scale,
  at,
  title,
  isLast = false,
}: {
  scale: Scale;
  at: number;
  title: string;
  isLast?: boolean;
}) {
  if (at > scale.endMs) return null;
  return (
    <span
      title={title}
      className={classNames('absolute inset-y-0.5 border-l border-ink/60', isLast && 'border-dashed')}
      style={{ left: `${placeOf(scale, at)}%` }}
    />
  );
}

function Band({ job, scale, end }: { job: JobDetail; scale: Scale; end: number }) {
  return job.band.map((part) => {
    const left = placeOf(scale, Date.parse(part.from));
    const right = placeOf(scale, part.to === null ? end : Date.parse(part.to));
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
