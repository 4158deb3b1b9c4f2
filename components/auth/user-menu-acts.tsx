'use client';
import { Ellipsis, KeyRound, LogOut, UserCheck, UserCog, UserX } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import type { UserListItem } from '@/db/users';
import { DisableQuestion, PasswordLinkQuestion, RoleQuestion, SessionsQuestion } from './user-questions';

const questions = {
  role: RoleQuestion,
  disable: DisableQuestion,
  sessions: SessionsQuestion,
  link: PasswordLinkQuestion,
};
type Question = keyof typeof questions;
const icon = 'size-3.5';

/** What an admin can do with one account. Each act asks once; the server decides again. */
export function UserActs({ user, isOwn, isLastAdmin }: { user: UserListItem; isOwn: boolean; isLastAdmin: boolean }) {
  const [asked, setAsked] = useState<Question | null>(null);
  const Asked = asked === null ? null : questions[asked];
  const lastAdmin = isLastAdmin ? 'This is the last admin. Make somebody else admin first.' : undefined;
  const disableReason = isOwn ? 'You cannot disable your own account.' : lastAdmin;
  return (
    <>
      <Menu
        label={`Acts on ${user.email}`}
        trigger={
          <IconButton
            label={`Acts on ${user.email}`}
            size="icon-sm"
            icon={<Ellipsis aria-hidden className="size-4" />}
          />
        }
      >
        <MenuItem icon={<UserCog className={icon} />} reason={lastAdmin} onSelect={() => setAsked('role')}>
          Change role
        </MenuItem>
        <MenuItem
          icon={<KeyRound className={icon} />}
          reason={user.disabled ? 'Enable the account first.' : undefined}
          onSelect={() => setAsked('link')}
        >
          Make password link
        </MenuItem>
        <MenuItem
          icon={<LogOut className={icon} />}
          reason={user.activeSessions === 0 ? 'Signed in nowhere.' : undefined}
          onSelect={() => setAsked('sessions')}
        >
          End all sessions
        </MenuItem>
        <MenuSeparator />
        {user.disabled ? (
          <MenuItem icon={<UserCheck className={icon} />} onSelect={() => setAsked('disable')}>
            Enable
          </MenuItem>
        ) : (
          <MenuItem
            icon={<UserX className={icon} />}
            isDanger
            reason={disableReason}
            onSelect={() => setAsked('disable')}
          >
            Disable
          </MenuItem>
        )}
      </Menu>
      {Asked === null ? null : <Asked user={user} onClose={() => setAsked(null)} />}
    </>
  );
}
