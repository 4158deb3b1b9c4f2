import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names';

const control =
  'w-full min-w-0 rounded-md border border-line-control bg-surface px-2.5 text-sm text-ink placeholder:text-faint aria-invalid:border-danger-mark focus-visible:outline-offset-0 aria-disabled:bg-subtle aria-disabled:text-faint any-pointer-coarse:text-lg';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input autoComplete="off" {...rest} className={classNames(control, 'h-8', className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...rest} className={classNames(control, 'py-1.5', className)} />;
}

/** The browser's own select, so that it works with every keyboard, reader and phone. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select {...rest} className={classNames(control, 'h-8 appearance-none pr-8 text-ellipsis', className)}>
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-faint" />
    </span>
  );
}
