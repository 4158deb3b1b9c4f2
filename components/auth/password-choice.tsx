'use client';
import { Radio } from '@/components/ui/choice';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface PasswordChoiceProps {
  how: 'link' | 'password';
  password: string;
  hint: string;
  error: string | undefined;
  onChange: (changed: { how?: 'link' | 'password'; password?: string }) => void;
}

/** How a new account gets its first password. */
export function PasswordChoice({ how, password, hint, error, onChange }: PasswordChoiceProps) {
  return (
    <>
      <fieldset className="grid gap-2.5">
        <legend className="mb-1 text-sm font-medium">First password</legend>
        <Radio
          name="how"
          label="One-time link"
          hint="You get a link to hand over; its owner chooses the password. It works once, for 24 hours."
          checked={how === 'link'}
          onChange={() => onChange({ how: 'link' })}
        />
        <Radio
          name="how"
          label="Password"
          hint="You choose it and hand it over."
          checked={how === 'password'}
          onChange={() => onChange({ how: 'password' })}
        />
      </fieldset>
      {how === 'link' ? null : (
        <Field label="Password" hint={hint} error={error}>
          {(control) => (
            <Input
              {...control}
              type="text"
              autoComplete="new-password"
              value={password}
              onChange={(event) => onChange({ password: event.target.value })}
              className="font-mono"
            />
          )}
        </Field>
      )}
    </>
  );
}
