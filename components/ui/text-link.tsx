import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** A link in running text. */
export function TextLink({ href, className, children }: { href: Route; className?: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className={classNames(
        'text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent',
        className,
      )}
    >
      {children}
    </Link>
  );
}
