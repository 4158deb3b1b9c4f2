import type { Metadata } from 'next';
import { minPasswordLength } from '@/auth/account-input';
import { requireActor } from '@/auth/session';
import { AddUserDialog } from '@/components/auth/add-user-dialog';
import { newPasswordHint } from '@/components/auth/password-hint';
import { UsersTable } from '@/components/auth/users-table';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { listUsers } from '@/db/users';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'Users and roles · Settings' };

export default async function UsersPage() {
  const actor = await requireActor('admin');
  const users = await listUsers(runtime().db);
  const count = `${users.length} ${users.length === 1 ? 'account' : 'accounts'}`;
  return (
    <div className="grid gap-4">
      <PageHeader
        title="Users and roles"
        description="Who may sign in, and what they may do. Each change is in the audit trail. Nobody can sign up."
        actions={<AddUserDialog passwordHint={newPasswordHint(minPasswordLength)} />}
      />
      <Panel id="accounts" title="Accounts" description={count} flush>
        <UsersTable users={users} ownId={actor.id} />
      </Panel>
    </div>
  );
}
