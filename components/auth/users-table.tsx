import { Ban, CircleCheck, Mail, ShieldCheck } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { UserListItem } from '@/db/users';
import { UserActs } from './user-menu-acts';

export function UsersTable({ users, ownId }: { users: readonly UserListItem[]; ownId: string }) {
  const adminCount = users.filter((user) => user.role === 'admin' && !user.disabled).length;
  return (
    <Table caption="Accounts">
      <TableHead>
        <HeadCell>Account</HeadCell>
        <HeadCell>Role</HeadCell>
        <HeadCell>State</HeadCell>
        <HeadCell align="right">Sessions</HeadCell>
        <HeadCell>Last sign-in</HeadCell>
        <HeadCell>Added</HeadCell>
        <HeadCell>
          <span className="sr-only">Acts</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {users.map((user) => (
          <TableRow key={user.id}>
            <RowHeadCell className="max-sm:pr-10">
              <span className="min-w-0">
                <span className="flex flex-wrap items-center gap-1.5 font-medium">
                  {user.name}
                  {user.id === ownId ? <Badge tone="info">you</Badge> : null}
                </span>
                <span className="block text-xs break-all text-faint">{user.email}</span>
              </span>
            </RowHeadCell>
            <Cell label="Role">
              <Badge
                tone={user.role === 'admin' ? 'violet' : 'neutral'}
                icon={user.role === 'admin' ? ShieldCheck : undefined}
              >
                {user.role}
              </Badge>
            </Cell>
            <Cell label="State">
              <StateBadge user={user} />
            </Cell>
            <Cell label="Sessions" align="right">
              {user.activeSessions}
            </Cell>
            <Cell label="Last sign-in">
              {user.lastSignInAt === null ? <span className="text-faint">–</span> : <Time value={user.lastSignInAt} />}
            </Cell>
            <Cell label="Added">
              <Time value={user.createdAt} />
            </Cell>
            <Cell align="right" className="py-1 max-sm:absolute max-sm:top-2 max-sm:right-2">
              <UserActs
                user={user}
                isOwn={user.id === ownId}
                isLastAdmin={user.role === 'admin' && !user.disabled && adminCount === 1}
              />
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function StateBadge({ user }: { user: UserListItem }) {
  if (user.disabled)
    return (
      <Badge tone="danger" icon={Ban}>
        disabled
      </Badge>
    );
  if (!user.hasPassword)
    return (
      <Badge tone="warning" icon={Mail}>
        link not used yet
      </Badge>
    );
  return (
    <Badge tone="success" icon={CircleCheck}>
      active
    </Badge>
  );
}
