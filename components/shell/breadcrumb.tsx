'use client';
import { ChevronRight } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useSyncExternalStore } from 'react';
import { classNames } from '@/components/ui/class-names';

/** Names of path segments that are ids, told by the pages that know them. */
let labels: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A page that shows the thing with this id gives the breadcrumb its name. */
export function CrumbLabel({ segment, label }: { segment: string; label: string }) {
  useEffect(() => {
    labels = new Map(labels).set(segment, label);
    for (const listener of listeners) listener();
  }, [segment, label]);
  return null;
}

const fixed: Readonly<Record<string, string>> = {
  new: 'New cluster',
  runs: 'Passes',
  'add-nodes': 'Add nodes',
  'remove-nodes': 'Remove nodes',
};
/** Segments without a page of their own. */
const silent: ReadonlySet<string> = new Set(['do', 'runs']);
const empty: ReadonlyMap<string, string> = new Map();

export function Breadcrumb() {
  const pathname = usePathname();
  const known = useSyncExternalStore(
    subscribe,
    () => labels,
    () => empty,
  );
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const crumbs = segments
    .map((segment, index) => ({ segment, href: `/${segments.slice(0, index + 1).join('/')}` as Route }))
    .filter(({ segment }) => !silent.has(segment))
    .map((crumb) => ({
      ...crumb,
      label: known.get(crumb.segment) ?? labelOf(crumb.segment, segments[0] === 'clusters'),
    }));
  const shown = crumbs.length === 0 ? [{ segment: '', href: '/' as Route, label: 'Overview' }] : crumbs;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {shown.map((crumb, index) => {
          const isLast = index === shown.length - 1;
          // Phones have room for the way back and for where one is.
          const isFar = index < shown.length - 2;
          return (
            <li
              key={crumb.href}
              className={classNames(
                'flex items-center gap-1',
                isLast ? 'min-w-0' : 'min-w-0 shrink',
                isFar && 'max-sm:hidden',
              )}
            >
              {index === 0 ? null : (
                <ChevronRight
                  aria-hidden
                  className={classNames('size-3.5 shrink-0 text-faint', !isLast && 'max-sm:hidden')}
                />
              )}
              {isLast ? (
                <span aria-current="page" className="truncate font-medium">
                  {crumb.label}
                </span>
              ) : (
                <Link href={crumb.href} className="max-w-40 truncate text-soft hover:text-ink max-sm:max-w-24">
                  {crumb.label}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function labelOf(segment: string, isOfCluster: boolean): string {
  if (isOfCluster && segment === 'lifecycle') return 'History';
  return fixed[segment] ?? spoken(segment);
}

/** "remove-nodes" as "Remove nodes"; an id, of which nobody has told the name yet, in short. */
function spoken(segment: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(segment)) return segment.slice(0, 8);
  const words = decodeURIComponent(segment).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
