import { classNames, type Tone, toneClass } from './class-names';

/** Steps done of all, as a thin bar with its words for screen readers. Never invented per cents. */
export function ProgressSteps({
  done,
  total,
  label,
  tone = 'info',
  className,
}: {
  done: number;
  total: number;
  label: string;
  tone?: Tone;
  className?: string;
}) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(done, total)}
      aria-valuetext={`${done} of ${total} steps done`}
      className={classNames('block h-1 w-full overflow-hidden rounded-full bg-line', toneClass[tone], className)}
    >
      <span
        className="block h-full rounded-full bg-(--tone-mark) transition-[width] duration-500"
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}
