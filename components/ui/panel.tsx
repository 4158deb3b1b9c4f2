import type { ReactNode } from 'react';
import { classNames, type Tone, toneClass } from './class-names';
import { PanelBoundary } from './panel-boundary';

/**
 * A titled box. What breaks inside is caught here and can be tried again without losing the page. `tone` draws its edge and
 * head for panels that need the eye; `flush` leaves out the padding, for tables.
 */
export function Panel({
  title,
  id,
  description,
  actions,
  tone,
  flush = false,
  className,
  children,
}: {
  title: ReactNode;
  /** Anchor and base of the heading's id. */
  id: string;
  description?: ReactNode;
  actions?: ReactNode;
  tone?: Tone | undefined;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={classNames(
        'min-w-0 rounded-lg border border-line bg-surface shadow-panel',
        tone !== undefined && [toneClass[tone], 'border-(--tone-line)'],
        className,
      )}
    >
      <header
        className={classNames(
          'flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-t-lg border-b border-line px-4 py-2',
          tone !== undefined && 'border-(--tone-line) bg-(--tone-bg) text-(--tone-fg)',
        )}
      >
        <div className="min-w-0">
          <h2 id={`${id}-title`} className="text-sm font-semibold">
            {title}
          </h2>
          {description === undefined ? null : (
            <p className={classNames('text-xs', tone === undefined && 'text-faint')}>{description}</p>
          )}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2 text-sm">{actions}</div>}
      </header>
      <div className={classNames(!flush && 'px-4 py-3')}>
        <PanelBoundary>{children}</PanelBoundary>
      </div>
    </section>
  );
}
