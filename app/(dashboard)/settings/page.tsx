import type { Metadata } from 'next';
import { readerOf } from '@/app/reader';
import { requireActor } from '@/auth/session';
import { AboutPanels } from '@/components/settings/about-panel';
import { type SettingsCounts, SettingsLinks } from '@/components/settings/settings-links';
import { PageHeader } from '@/components/ui/page-header';
import { listApiTokens } from '@/db/api-tokens';
import { versionList } from '@/db/queries/version-list';
import { listUsers } from '@/db/users';
import { type Actor, hasRole } from '@/domain/actor';
import { runtime } from '@/runtime';
import { aboutThisInstallation } from './about';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  const actor = await requireActor('viewer');
  const [counts, about] = await Promise.all([countsFor(actor), aboutThisInstallation(actor)]);
  return (
    <div className="grid gap-4">
      <PageHeader title="Settings" description="Accounts, tokens and versions, and what this installation runs with." />
      <SettingsLinks counts={counts} />
      <AboutPanels about={about} />
    </div>
  );
}

/** Null: the pages behind are for admins, and so are their numbers. */
async function countsFor(actor: Actor): Promise<SettingsCounts | null> {
  if (!hasRole(actor, 'admin')) return null;
  const { db } = runtime();
  const [users, tokens, { versions }] = await Promise.all([
    listUsers(db),
    listApiTokens(db),
    versionList(db, readerOf(actor)),
  ]);
  return {
    users: users.length,
    liveTokens: tokens.filter((token) => token.state === 'live').length,
    enabledVersions: versions.filter((version) => version.enabled).length,
    versions: versions.length,
  };
}
