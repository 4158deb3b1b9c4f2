import { CircleAlert, Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { classNames } from './class-names';
import { Copyable } from './copyable';

/** Nothing to show, and what to do about it. Use other words for "none yet", "none match" and "not allowed". */
export function EmptyState({
  title,
  text,
  icon: Icon = Inbox,
  action,
  className,
}: {
  title: string;
  text?: ReactNode;
  icon?: LucideIcon;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div className={classNames('flex flex-col items-center gap-1 px-6 py-10 text-center', className)}>
      <Icon aria-hidden className="mb-2 size-5 text-faint" strokeWidth={1.5} />
      <p className="text-sm font-medium">{title}</p>
      {text === undefined ? null : <p className="max-w-md text-sm text-faint">{text}</p>}
      {action === undefined ? null : <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** Something could not be read: what, what was not changed, and a way to try again. */
export function FailedState({
  title,
  text,
  reference,
  onRetry,
  isBusy = false,
}: {
  title: string;
  text?: ReactNode;
  reference?: string | undefined;
  onRetry?: () => void;
  isBusy?: boolean;
}) {
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-8 text-center">
      <CircleAlert aria-hidden className="mb-2 size-5 text-danger" strokeWidth={1.5} />
      <p className="text-sm font-medium">{title}</p>
      {text === undefined ? null : <p className="max-w-md text-sm text-faint">{text}</p>}
      {reference === undefined ? null : (
        <p className="flex items-center gap-1 text-xs text-faint">
          Reference <Copyable value={reference} />
        </p>
      )}
      {onRetry === undefined ? null : (
        <Button className="mt-3" size="sm" onClick={onRetry} isBusy={isBusy}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Bars in the place of text that is on its way; shown only after a moment, so that fast answers do not flicker. */
export function Skeleton({
  lines = 3,
  className,
  label = 'Loading',
}: {
  lines?: number;
  className?: string;
  label?: string;
}) {
  const widths = ['w-3/4', 'w-1/2', 'w-5/6', 'w-2/3', 'w-3/5', 'w-4/5', 'w-1/3', 'w-7/12'];
  return (
    <div role="status" aria-label={label} className={classNames('flex flex-col gap-3 px-4 py-4', className)}>
      {widths.slice(0, lines).map((width) => (
        <span key={width} className={classNames('h-3.5 animate-pulse rounded bg-subtle', width)} />
      ))}
    </div>
  );
}
