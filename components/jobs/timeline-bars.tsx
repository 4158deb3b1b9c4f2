import { classNames, type Tone, toneClass } from '@/components/ui/class-names';
import { durationText } from '@/components/ui/time-format';
import type { JobStep } from '@/db/queries/job';
import type { Usual } from '@/db/queries/job-usual';
import { placeOf, type Scale } from './timeline-scale';

export const stepTone: Readonly<Record<JobStep['status'], Tone>> = {
  running: 'info',
  done: 'success',
  failed: 'danger',
  skipped: 'neutral',
  stopped: 'warning',
};

/** "build-node" of "build-node worker-2": what the usual times are kept by. */
export const stepFamily = (name: string) => name.split(' ')[0] ?? name;

/** Waiting is no work: drawn as stripes. */
const hatch = 'repeating-linear-gradient(135deg, var(--tone-mark) 0 3px, transparent 3px 7px)';

export function Bar({
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

export function StepBar({
  step,
  scale,
  end,
  usual,
}: {
  step: JobStep;
  scale: Scale;
  end: number;
  usual: Usual | undefined;
}) {
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
