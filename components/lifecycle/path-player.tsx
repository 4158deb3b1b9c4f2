'use client';
import { ChevronFirst, ChevronLast, Pause, Play, StepBack, StepForward } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { kindLabel } from '@/components/jobs/job-words';
import { routes } from '@/components/routes';
import { IconButton } from '@/components/ui/button';
import { TextLink } from '@/components/ui/text-link';
import { Elapsed, Time } from '@/components/ui/time';
import type { ClusterPath } from '@/db/queries/lifecycle';
import { eventLabel } from './machine-edges';
import { StateBadge } from './state-badge';

const stepMs = 1100;

/** Walks through a cluster's life: a slider, steps and play; space plays. `position` is the number of steps taken. */
export function PathPlayer({
  path,
  position,
  onMove,
}: {
  path: ClusterPath;
  position: number;
  onMove: (position: number) => void;
}) {
  const last = path.steps.length;
  const [isPlaying, setPlaying] = useState(false);
  const plays = isPlaying && position < last;
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => onMove(position + 1), stepMs);
    return () => clearTimeout(timer);
  }, [plays, position, onMove]);
  const toggle = () => {
    if (position >= last) onMove(0);
    setPlaying(!plays);
  };
  const move = (next: number) => {
    setPlaying(false);
    onMove(Math.min(last, Math.max(0, next)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnControl = event.target instanceof HTMLElement && event.target.closest('button, a') !== null;
    if (event.key !== ' ' || isOnControl) return;
    event.preventDefault();
    toggle();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: space is a shortcut for the play button inside.
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3" onKeyDown={onKeyDown}>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton
          label="To the beginning"
          icon={<ChevronFirst aria-hidden className="size-4" />}
          reason={position === 0 ? 'This is the beginning.' : undefined}
          onClick={() => move(0)}
        />
        <IconButton
          label="One step back"
          icon={<StepBack aria-hidden className="size-4" />}
          reason={position === 0 ? 'This is the beginning.' : undefined}
          onClick={() => move(position - 1)}
        />
        <IconButton
          label={plays ? 'Pause' : 'Play'}
          variant="secondary"
          icon={plays ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
          reason={last === 0 ? 'Its state has not changed yet.' : undefined}
          onClick={toggle}
        />
        <IconButton
          label="One step on"
          icon={<StepForward aria-hidden className="size-4" />}
          reason={position === last ? 'This is the present.' : undefined}
          onClick={() => move(position + 1)}
        />
        <IconButton
          label="To the present"
          icon={<ChevronLast aria-hidden className="size-4" />}
          reason={position === last ? 'This is the present.' : undefined}
          onClick={() => move(last)}
        />
        <input
          type="range"
          min={0}
          max={last}
          value={position}
          aria-label="Step of its life"
          aria-valuetext={`Step ${position} of ${last}`}
          className="mx-2 h-6 min-w-40 flex-1 accent-(--accent)"
          onChange={(event) => move(Number(event.target.value))}
        />
        <span className="text-xs whitespace-nowrap text-faint tabular-nums">
          step {position} of {last}
        </span>
      </div>
      <PresentStep path={path} position={position} />
    </div>
  );
}

function PresentStep({ path, position }: { path: ClusterPath; position: number }) {
  const step = path.steps[position - 1];
  const next = path.steps[position];
  if (step === undefined) {
    return (
      <p className="text-sm text-soft">
        {path.earlier > 0 ? (
          `${path.earlier} earlier changes are not shown.`
        ) : (
          <>
            Created <Time value={path.createdAt} mode="absolute" />.
          </>
        )}
      </p>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <StateBadge state={step.from} isQuiet /> <span className="text-faint">to</span>{' '}
      <StateBadge state={step.to} isQuiet />
      <span>{step.event === null ? 'by an unknown writer' : eventLabel(step.event)}</span>
      {step.jobId === null ? null : (
        <TextLink href={routes.job(step.jobId)}>
          {step.jobKind === null ? 'job' : kindLabel(step.jobKind)}
          {step.actorName === null ? '' : ` by ${step.actorName}`}
        </TextLink>
      )}
      <span className="text-xs text-faint">
        <Time value={step.at} mode="absolute" />, then <Elapsed since={step.at} until={next?.at} /> there
      </span>
    </p>
  );
}
