'use client';
import { UserPlus } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { toast } from 'sonner';
import { addUser } from '@/app/actions/users';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { Role } from '@/domain/actor';
import { FailureNote } from './failure-note';
import { PasswordChoice } from './password-choice';
import { RoleChoice } from './role-choice';
import { ShownOnce } from './shown-once';
import { useAct, useFocusOnFailure } from './use-act';

const empty = { name: '', email: '', role: 'viewer' as Role, how: 'link' as 'link' | 'password', password: '' };

export function AddUserDialog({ passwordHint }: { passwordHint: string }) {
  const formId = useId();
  const [isOpen, setOpen] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [values, setValues] = useState(empty);
  const set = (changed: Partial<typeof empty>) => setValues({ ...values, ...changed });
  const add = useAct(addUser, (made) => {
    toast.success(`${values.email} was added as ${values.role}.`);
    setOpen(false);
    setLink(made.link);
    setValues(empty);
  });
  const form = useRef<HTMLFormElement>(null);
  useFocusOnFailure(form, add.failure);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { password, ...rest } = values;
    add.run(values.how === 'password' ? { ...rest, password } : rest);
  };
  const issues = add.failure?.issues ?? {};
  return (
    <>
      <Button variant="primary" icon={<UserPlus aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Add account
      </Button>
      <Dialog
        title="Add account"
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          add.reset();
        }}
        footer={
          <>
            <DialogClose className={buttonClass({})}>Cancel</DialogClose>
            <Button type="submit" form={formId} variant="primary" isBusy={add.isBusy}>
              Add account
            </Button>
          </>
        }
      >
        <form ref={form} id={formId} onSubmit={submit} noValidate className="grid gap-4">
          <FailureNote failure={add.failure} />
          <Field label="Name" error={issues['name']}>
            {(control) => (
              <Input
                {...control}
                value={values.name}
                maxLength={80}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label="E-mail" error={issues['email']}>
            {(control) => (
              <Input
                {...control}
                type="email"
                value={values.email}
                maxLength={254}
                onChange={(event) => set({ email: event.target.value })}
              />
            )}
          </Field>
          <RoleChoice value={values.role} onChange={(role) => set({ role })} error={issues['role']} />
          <PasswordChoice
            how={values.how}
            password={values.password}
            hint={passwordHint}
            error={issues['password']}
            onChange={set}
          />
        </form>
      </Dialog>
      <ShownOnce
        title="Hand over this link"
        text="Its owner opens it and chooses a password. It works once, for 24 hours."
        label="One-time link"
        value={link}
        onClose={() => setLink(null)}
      />
    </>
  );
}
