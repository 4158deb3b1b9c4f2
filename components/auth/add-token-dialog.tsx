'use client';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { toast } from 'sonner';
import { addApiToken } from '@/app/actions/api-tokens';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import type { Role } from '@/domain/actor';
import { FailureNote } from './failure-note';
import { RoleChoice } from './role-choice';
import { ShownOnce } from './shown-once';
import { useAct, useFocusOnFailure } from './use-act';

const lives = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'One year' },
  { days: null, label: 'Until it is revoked' },
] as const;
const empty = { name: '', role: 'viewer' as Role, lifeDays: 90 as number | null };

export function AddTokenDialog() {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const [values, setValues] = useState(empty);
  const add = useAct(addApiToken, (made) => {
    toast.success(`The token “${values.name}” was made.`);
    setOpen(false);
    setToken(made.token);
    setValues(empty);
  });
  useFocusOnFailure(form, add.failure);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.run(values);
  };
  return (
    <>
      <Button variant="primary" icon={<KeyRound aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Make token
      </Button>
      <Dialog
        title="Make API token"
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          add.reset();
        }}
        footer={
          <>
            <DialogClose className={buttonClass({})}>Cancel</DialogClose>
            <Button type="submit" form={formId} variant="primary" isBusy={add.isBusy}>
              Make token
            </Button>
          </>
        }
      >
        <form ref={form} id={formId} onSubmit={submit} noValidate className="grid gap-4">
          <FailureNote failure={add.failure} />
          <Field label="Name" hint="What uses it. Shown beside what it does." error={add.failure?.issues['name']}>
            {(control) => (
              <Input
                {...control}
                value={values.name}
                maxLength={80}
                onChange={(event) => setValues({ ...values, name: event.target.value })}
              />
            )}
          </Field>
          <RoleChoice
            value={values.role}
            onChange={(role) => setValues({ ...values, role })}
            error={add.failure?.issues['role']}
          />
          <Field label="Ends after" error={add.failure?.issues['lifeDays']}>
            {(control) => (
              <Select
                {...control}
                value={String(values.lifeDays)}
                onChange={(event) =>
                  setValues({
                    ...values,
                    lifeDays: lives.find((life) => String(life.days) === event.target.value)?.days ?? null,
                  })
                }
              >
                {lives.map((life) => (
                  <option key={life.label} value={String(life.days)}>
                    {life.label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </form>
      </Dialog>
      <ShownOnce
        title="Copy this token now"
        text="Send it as “Authorization: Bearer …” to /api/v1."
        label="API token"
        value={token}
        onClose={() => setToken(null)}
      />
    </>
  );
}
