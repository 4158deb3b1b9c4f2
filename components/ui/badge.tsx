import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames, type Tone, toneClass } from './class-names';

/** A short word with a colour; `icon` or the word itself carries the meaning for those who do not see the colour. */
export function Badge({
  tone = 'neutral',
  icon: Icon,
  isActive = false,
  className,
  title,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon | undefined;
  /** Something is going on: the icon moves gently. */
  isActive?: boolean;
  className?: string | undefined;
  title?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-5.5 max-w-full items-center gap-1 rounded-full border border-(--tone-line) bg-(--tone-bg) px-2 text-xs font-medium whitespace-nowrap text-(--tone-fg)',
        toneClass[tone],
        className,
      )}
    >
      {Icon === undefined ? null : (
        <Icon
          aria-hidden
          className={classNames('size-3 shrink-0', isActive && 'animate-spin [animation-duration:2.4s]')}
        />
      )}
      <span className="truncate">{children}</span>
    </span>
  );
}

/** A count in a side bar, tab or filter. */
export function CountBadge({ count, tone = 'neutral', label }: { count: number; tone?: Tone; label?: string }) {
  return (
    <span
      className={classNames(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-(--tone-bg) px-1.5 text-2xs font-medium text-(--tone-fg) tabular-nums',
        toneClass[tone],
      )}
    >
      {count}
      {label === undefined ? null : <span className="sr-only"> {label}</span>}
    </span>
  );
}

/** A dot of a tone; the words stand beside it. */
export function Mark({ tone, isActive = false, className }: { tone: Tone; isActive?: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-block size-2 shrink-0 rounded-full bg-(--tone-mark)',
        toneClass[tone],
        isActive && 'animate-pulse-mark',
        className,
      )}
    />
  );
}
