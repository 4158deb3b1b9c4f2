'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { classNames } from '@/components/ui/class-names';
import { Tooltip } from '@/components/ui/tooltip';
import { isWithin, type NavigationEntry, navigation, settingsEntry } from './navigation';
import { NavigationBadge } from './navigation-badge';

/** The list of sections; `isNarrow` shows icons only, with their names as tooltips. */
export function NavigationList({ isNarrow, onNavigate }: { isNarrow: boolean; onNavigate?: () => void }) {
  return (
    <nav aria-label="Main" className="flex grow flex-col justify-between gap-4">
      <ul className="flex flex-col gap-0.5">
        {navigation.map((entry) => (
          <NavigationItem key={entry.href} entry={entry} isNarrow={isNarrow} onNavigate={onNavigate} />
        ))}
      </ul>
      <ul className="border-t border-line pt-2">
        <NavigationItem entry={settingsEntry} isNarrow={isNarrow} onNavigate={onNavigate} />
      </ul>
    </nav>
  );
}

function NavigationItem({
  entry,
  isNarrow,
  onNavigate,
}: {
  entry: NavigationEntry;
  isNarrow: boolean;
  onNavigate: (() => void) | undefined;
}) {
  const isHere = isWithin(usePathname(), entry.href);
  const Icon = entry.icon;
  const link = (
    <Link
      href={entry.href}
      onClick={() => onNavigate?.()}
      aria-current={isHere ? 'page' : undefined}
      className={classNames(
        'relative flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-subtle hover:text-ink',
        isHere && 'bg-subtle font-medium text-ink',
        isNarrow && 'justify-center px-0',
      )}
    >
      <Icon
        aria-hidden
        className={classNames('size-4 shrink-0', isHere ? 'text-ink' : 'text-faint')}
        strokeWidth={1.75}
      />
      <span className={isNarrow ? 'sr-only' : 'grow truncate'}>{entry.label}</span>
      {entry.badge === undefined ? null : <NavigationBadge name={entry.badge} isNarrow={isNarrow} />}
    </Link>
  );
  return (
    <li>
      {isNarrow ? (
        <Tooltip side="right" text={entry.label}>
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </li>
  );
}
