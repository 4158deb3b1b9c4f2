'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { changeUserRole, makeUserPasswordLink, revokeUserSessions, setUserDisabled } from '@/app/actions/users';
import type { UserListItem } from '@/db/users';
import { Confirm } from './confirm';
import { RoleChoice } from './role-choice';
import { ShownOnce } from './shown-once';
import { useAct } from './use-act';

interface QuestionProps {
  user: UserListItem;
  onClose: () => void;
}

export function RoleQuestion({ user, onClose }: QuestionProps) {
  const [role, setRole] = useState(user.role);
  const act = useAct(changeUserRole, () => {
    toast.success(`${user.email} is ${role} now.`);
    onClose();
  });
  return (
    <Confirm
      title={`Role of ${user.name}`}
      text="It counts from the next click on, without a new sign-in."
      submit="Change role"
      reason={role === user.role ? `The role is ${role} already.` : undefined}
      act={act}
      onSubmit={() => act.run({ userId: user.id, role })}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={setRole} error={act.failure?.issues['role']} />
    </Confirm>
  );
}

export function DisableQuestion({ user, onClose }: QuestionProps) {
  // Kept as asked: the list behind is renewed before this closes.
  const [disabled] = useState(!user.disabled);
  const act = useAct(setUserDisabled, () => {
    toast.success(`${user.email} is ${disabled ? 'disabled and signed out' : 'enabled'}.`);
    onClose();
  });
  const text = disabled
    ? `${user.email} is signed out at once and cannot sign in until enabled again. Running operations go on.`
    : `${user.email} can sign in again, as ${user.role}.`;
  return (
    <Confirm
      title={`${disabled ? 'Disable' : 'Enable'} ${user.name}?`}
      text={text}
      submit={disabled ? 'Disable' : 'Enable'}
      isDanger={disabled}
      act={act}
      onSubmit={() => act.run({ userId: user.id, disabled })}
      onClose={onClose}
    />
  );
}

export function SessionsQuestion({ user, onClose }: QuestionProps) {
  const act = useAct(revokeUserSessions, () => {
    toast.success(`${user.email} is signed out everywhere.`);
    onClose();
  });
  return (
    <Confirm
      title={`End all sessions of ${user.name}?`}
      text={`${user.email} is signed out everywhere at once, and can sign in again.`}
      submit="End sessions"
      isDanger
      act={act}
      onSubmit={() => act.run({ userId: user.id })}
      onClose={onClose}
    />
  );
}

export function PasswordLinkQuestion({ user, onClose }: QuestionProps) {
  const [link, setLink] = useState<string | null>(null);
  const act = useAct(makeUserPasswordLink, (made) => setLink(made.link));
  if (link !== null) {
    const text = `With it ${user.name} chooses a new password and is signed out elsewhere. It works once, for 24 hours.`;
    return <ShownOnce title="Hand over this link" text={text} label="One-time link" value={link} onClose={onClose} />;
  }
  return (
    <Confirm
      title={`Password link for ${user.name}`}
      text="Makes a one-time link with which a new password is chosen. Earlier links of this account end; the present password works until then."
      submit="Make link"
      act={act}
      onSubmit={() => act.run({ userId: user.id })}
      onClose={onClose}
    />
  );
}
