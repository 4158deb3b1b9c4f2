'use client';
import { UserPlus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { toast } from 'sonner';
import { addUser } from '@/app/actions/users';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { Radio } from '@/components/ui/choice';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { Role } from '@/domain/actor';
import { FailureNote } from './failure-note';
import { ShownOnce } from './one-time-link';
import { RoleChoice } from './role-choice';
import { useAct } from './use-act';

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
        <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
          <FailureNote failure={add.failure} />
          <Field label="Name" error={issues['name']}>
            {(control) => <Input {...control} value={values.name} maxLength={80} onChange={(event) => set({ name: event.target.value })} />}
          </Field>
          <Field label="E-mail" error={issues['email']}>
            {(control) => <Input {...control} type="email" value={values.email} maxLength={254} onChange={(event) => set({ email: event.target.value })} />}
          </Field>
          <RoleChoice value={values.role} onChange={(role) => set({ role })} error={issues['role']} />
          <fieldset className="grid gap-2.5">
            <legend className="mb-1 text-sm font-medium">First password</legend>
            <Radio
              name="how"
              label="One-time link"
              hint="You get a link to hand over; its owner chooses the password. It works once, for 24 hours."
              checked={values.how === 'link'}
              onChange={() => set({ how: 'link' })}
            />
            <Radio name="how" label="Password" hint="You choose it and hand it over." checked={values.how === 'password'} onChange={() => set({ how: 'password' })} />
          </fieldset>
          {values.how === 'link' ? null : (
            <Field label="Password" hint={passwordHint} error={issues['password']}>
              {(control) => (
                <Input {...control} type="text" autoComplete="new-password" value={values.password} onChange={(event) => set({ password: event.target.value })} className="font-mono" />
              )}
            </Field>
          )}
        </form>
      </Dialog>
      <ShownOnce title="Hand over this link" text="Its owner opens it and chooses a password. It works once, for 24 hours." label="One-time link" value={link} onClose={() => setLink(null)} />
    </>
  );
}
