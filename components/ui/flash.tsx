'use client';
import { type ReactNode, useState } from 'react';
import { classNames } from './class-names';

/** Lights up for a second when `value` changes under the reader's eyes; never at first. */
export function Flash({
  value,
  className,
  children,
}: {
  value: string | number;
  className?: string;
  children: ReactNode;
}) {
  const [seen, setSeen] = useState({ value, changes: 0 });
  if (seen.value !== value) setSeen({ value, changes: seen.changes + 1 });
  return (
    <span key={seen.changes} className={classNames('rounded', seen.changes > 0 && 'animate-flash', className)}>
      {children}
    </span>
  );
}
