'use client';
import { Ellipsis, KeyRound, LogOut, UserCheck, UserCog, UserX } from 'lucide-react';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { changeUserRole, makeUserPasswordLink, revokeUserSessions, setUserDisabled } from '@/app/actions/users';
import { Button, IconButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import type { UserListItem } from '@/db/users';
import { FailureNote } from './failure-note';
import { ShownOnce } from './one-time-link';
import { RoleChoice } from './role-choice';
import { type Failure, useAct } from './use-act';

type Question = 'role' | 'disable' | 'enable' | 'sessions' | 'link';
const icon = 'size-3.5';

/** What an admin can do with one account. Each act asks once; the server decides again. */
export function UserActs({ user, isOwn, isLastAdmin }: { user: UserListItem; isOwn: boolean; isLastAdmin: boolean }) {
  const [asked, setAsked] = useState<Question | null>(null);
  const lastAdmin = isLastAdmin ? 'This is the last admin. Make somebody else admin first.' : undefined;
  const disableReason = isOwn ? 'Nobody can disable the own account.' : lastAdmin;
  return (
    <>
      <Menu label={`Acts on ${user.email}`} trigger={<IconButton label={`Acts on ${user.email}`} size="icon-sm" icon={<Ellipsis aria-hidden className="size-4" />} />}>
        <MenuItem icon={<UserCog className={icon} />} reason={lastAdmin} onSelect={() => setAsked('role')}>
          Change role
        </MenuItem>
        <MenuItem icon={<KeyRound className={icon} />} reason={user.disabled ? 'Enable the account first.' : undefined} onSelect={() => setAsked('link')}>
          Make password link
        </MenuItem>
        <MenuItem icon={<LogOut className={icon} />} reason={user.activeSessions === 0 ? 'Signed in nowhere.' : undefined} onSelect={() => setAsked('sessions')}>
          End all sessions
        </MenuItem>
        <MenuSeparator />
        {user.disabled ? (
          <MenuItem icon={<UserCheck className={icon} />} onSelect={() => setAsked('enable')}>
            Enable
          </MenuItem>
        ) : (
          <MenuItem icon={<UserX className={icon} />} isDanger reason={disableReason} onSelect={() => setAsked('disable')}>
            Disable
          </MenuItem>
        )}
      </Menu>
      {asked === null ? null : <Questions key={asked} user={user} question={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Questions({ user, question, onClose }: { user: UserListItem; question: Question; onClose: () => void }) {
  const [role, setRole] = useState(user.role);
  const [link, setLink] = useState<string | null>(null);
  const done = (text: string) => () => {
    toast.success(text);
    onClose();
  };
  const change = useAct(changeUserRole, done(`${user.email} is ${role} now.`));
  const disable = useAct(setUserDisabled, done(question === 'enable' ? `${user.email} is enabled.` : `${user.email} is disabled and signed out.`));
  const revoke = useAct(revokeUserSessions, done(`${user.email} is signed out everywhere.`));
  const makeLink = useAct(makeUserPasswordLink, (made) => setLink(made.link));
  const userId = user.id;
  switch (question) {
    case 'role':
      return (
        <Confirm title={`Role of ${user.name}`} text="It counts from the next click on, without a new sign-in." submit="Change role" act={change} onSubmit={() => change.run({ userId, role })} onClose={onClose} reason={role === user.role ? `The role is ${role} already.` : undefined}>
          <RoleChoice value={role} onChange={setRole} error={change.failure?.issues['role']} />
        </Confirm>
      );
    case 'disable':
      return <Confirm title={`Disable ${user.name}?`} text={`${user.email} is signed out at once and cannot sign in until enabled again. Running operations go on.`} submit="Disable" isDanger act={disable} onSubmit={() => disable.run({ userId, disabled: true })} onClose={onClose} />;
    case 'enable':
      return <Confirm title={`Enable ${user.name}?`} text={`${user.email} can sign in again, as ${user.role}.`} submit="Enable" act={disable} onSubmit={() => disable.run({ userId, disabled: false })} onClose={onClose} />;
    case 'sessions':
      return <Confirm title={`End all sessions of ${user.name}?`} text={`${user.email} is signed out everywhere at once, and can sign in again.`} submit="End sessions" isDanger act={revoke} onSubmit={() => revoke.run({ userId })} onClose={onClose} />;
    case 'link':
      if (link !== null) return <ShownOnce title="Hand over this link" text={`With it ${user.name} chooses a new password and is signed out elsewhere. It works once, for 24 hours.`} label="One-time link" value={link} onClose={onClose} />;
      return <Confirm title={`Password link for ${user.name}`} text="Makes a one-time link with which a new password is chosen. Earlier links of this account end; the present password works until then." submit="Make link" act={makeLink} onSubmit={() => makeLink.run({ userId })} onClose={onClose} />;
  }
}

interface ConfirmProps {
  title: string;
  text: string;
  submit: string;
  isDanger?: boolean;
  reason?: string | undefined;
  act: { isBusy: boolean; failure: Failure | null };
  onSubmit: () => void;
  onClose: () => void;
  children?: React.ReactNode;
}

function Confirm({ title, text, submit, isDanger = false, reason, act, onSubmit, onClose, children }: ConfirmProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={title}
      description={text}
      open
      onOpenChange={(open) => open || onClose()}
      {...(isDanger ? { initialFocus: cancel } : {})}
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button variant={isDanger ? 'danger' : 'primary'} isBusy={act.isBusy} reason={reason} onClick={onSubmit}>
            {submit}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNote failure={act.failure} />
        {children}
      </div>
    </Dialog>
  );
}
