'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { CountBadge } from './badge';
import { classNames } from './class-names';

export interface TabLink {
  readonly href: Route;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Tabs that are pages: links, with the present one marked. `current` overrides what the address says. */
export function TabLinks({ label, tabs, current }: { label: string; tabs: readonly TabLink[]; current?: string }) {
  const pathname = usePathname();
  const here = current ?? pathname;
  return (
    <nav aria-label={label} className="-mb-px flex gap-4 overflow-x-auto">
      {tabs.map((tab) => {
        const isCurrent = tab.href === here;
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={isCurrent ? 'page' : undefined}
            className={classNames(
              'flex h-9 items-center gap-1.5 border-b-2 border-transparent text-sm whitespace-nowrap text-soft -outline-offset-2 hover:text-ink',
              isCurrent && 'border-ink font-medium text-ink',
            )}
          >
            {tab.label}
            {tab.count === undefined ? null : <CountBadge count={tab.count} />}
          </Link>
        );
      })}
    </nav>
  );
}
