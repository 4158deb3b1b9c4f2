import type { Metadata } from 'next';
import { requireActor } from '@/auth/session';
import { AddTokenDialog } from '@/components/auth/add-token-dialog';
import { TokensTable } from '@/components/auth/tokens-table';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/states';
import { listApiTokens } from '@/db/api-tokens';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'API tokens · Settings' };

export default async function TokensPage() {
  await requireActor('admin');
  const tokens = await listApiTokens(runtime().db);
  const live = tokens.filter((token) => token.state === 'live').length;
  return (
    <div className="grid gap-4">
      <PageHeader
        title="API tokens"
        description="For scripts that use /api/v1. A token has one role, and is shown once."
        actions={<AddTokenDialog />}
      />
      <Panel id="tokens" title="Tokens" description={`${live} live`} flush>
        {tokens.length === 0 ? (
          <EmptyState title="No tokens yet" text="Make one for each script, with the lowest role that does." />
        ) : (
          <TokensTable tokens={tokens} />
        )}
      </Panel>
    </div>
  );
}
