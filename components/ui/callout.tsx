import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames, type Tone, toneClass } from './class-names';

const icons: Readonly<Record<Tone, LucideIcon>> = {
  neutral: Info,
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
  violet: Info,
};

/** A short notice in the flow of a page. */
export function Callout({
  tone = 'info',
  title,
  className,
  children,
}: {
  tone?: Tone;
  title?: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const Icon = icons[tone];
  return (
    <div
      className={classNames(
        'flex gap-2.5 rounded-lg border border-(--tone-line) bg-(--tone-bg) px-3 py-2.5 text-sm text-(--tone-fg)',
        toneClass[tone],
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        {title === undefined ? null : <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
