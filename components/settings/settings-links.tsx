/*
 * components/settings — the way to each page of the settings, and what this installation runs with.
 */
import { ChevronRight, KeyRound, Layers, Lock, type LucideIcon, Users } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { routes } from '@/components/routes';

interface Entry {
  readonly href: Route;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly count: string;
}

export interface SettingsCounts {
  readonly users: number;
  readonly liveTokens: number;
  readonly enabledVersions: number;
  readonly versions: number;
}

const entriesOf = (counts: SettingsCounts | null): readonly Entry[] => [
  {
    href: routes.users,
    icon: Users,
    title: 'Users and roles',
    text: 'Who may sign in, and what they may do.',
    count: counts === null ? '' : `${counts.users} ${counts.users === 1 ? 'account' : 'accounts'}`,
  },
  {
    href: routes.tokens,
    icon: KeyRound,
    title: 'API tokens',
    text: 'For scripts that use /api/v1.',
    count: counts === null ? '' : `${counts.liveTokens} live`,
  },
  {
    href: routes.versions,
    icon: Layers,
    title: 'Kubernetes versions',
    text: 'What clusters can run and be upgraded to.',
    count: counts === null ? '' : `${counts.enabledVersions} of ${counts.versions} enabled`,
  },
];

/** `counts` null: the reader is no admin, and the pages are closed to them. */
export function SettingsLinks({ counts }: { counts: SettingsCounts | null }) {
  return (
    <ul className="grid gap-3 md:grid-cols-3">
      {entriesOf(counts).map((entry) => (
        <li key={entry.href} className="min-w-0">
          {counts === null ? (
            <div className="flex h-full gap-3 rounded-lg border border-line bg-subtle/50 px-4 py-3">
              <EntryBody entry={{ ...entry, count: 'Needs the role admin' }} />
              <Lock aria-hidden className="mt-0.5 ml-auto size-3.5 shrink-0 text-faint" />
            </div>
          ) : (
            <Link
              href={entry.href}
              className="group flex h-full gap-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-panel hover:border-line-strong hover:bg-subtle/50"
            >
              <EntryBody entry={entry} />
              <ChevronRight aria-hidden className="mt-0.5 ml-auto size-4 shrink-0 text-faint group-hover:text-ink" />
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function EntryBody({ entry: { icon: Icon, title, text, count } }: { entry: Entry }) {
  return (
    <>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-soft" strokeWidth={1.75} />
      <span className="min-w-0">
        <span className="block text-sm font-semibold">{title}</span>
        <span className="block text-sm text-soft">{text}</span>
        <span className="mt-1 block text-xs text-faint">{count}</span>
      </span>
    </>
  );
}
