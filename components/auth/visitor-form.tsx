'use client';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useActionState, useEffect, useRef, useState } from 'react';
import type { VisitorFormState } from '@/app/actions/sign-in';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

const untouched: VisitorFormState = {
  message: null,
  issues: [],
  reference: null,
  retryAfterSeconds: null,
  values: { name: '', email: '' },
};

/**
 * A form of a visitor. It is sent as a plain form when the scripts have not come alive yet, so that a password never gets
 * into an address. After a refusal the first bad field has the focus, or else the message.
 */
export function VisitorForm({
  action,
  hidden,
  submit,
  children,
}: {
  action: (previous: VisitorFormState, form: FormData) => Promise<VisitorFormState>;
  hidden: Readonly<Record<string, string>>;
  submit: string;
  children: (state: VisitorFormState) => ReactNode;
}) {
  const [state, send, isSending] = useActionState(action, untouched);
  const form = useRef<HTMLFormElement>(null);
  const secondsLeft = useSecondsLeft(state);
  useEffect(() => {
    if (state.message === null) return;
    const target =
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      form.current?.querySelector<HTMLElement>('[data-message]');
    target?.focus();
  }, [state]);
  return (
    <form ref={form} action={send} noValidate className="grid gap-4">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {state.message === null ? null : (
        <div role="alert" data-message tabIndex={-1} className="rounded-lg">
          <Callout tone={state.retryAfterSeconds === null ? 'danger' : 'warning'}>
            <p>{state.message}</p>
            {state.reference === null ? null : <p className="font-mono text-xs">Reference {state.reference}</p>}
          </Callout>
        </div>
      )}
      {children(state)}
      <Button
        type="submit"
        variant="primary"
        className="h-9"
        isBusy={isSending}
        reason={secondsLeft > 0 ? `Wait ${secondsLeft} s.` : undefined}
      >
        {secondsLeft > 0 ? `${submit} (in ${secondsLeft} s)` : submit}
      </Button>
    </form>
  );
}

/** Counts down what the server asked to wait; each answer starts anew. */
function useSecondsLeft(state: VisitorFormState): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (state.retryAfterSeconds === null) return setLeft(0);
    const until = Date.now() + state.retryAfterSeconds * 1000;
    const show = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [state]);
  return left;
}

function errorOf(state: VisitorFormState, field: string): string | undefined {
  return state.issues.find((issue) => issue.field === field)?.message;
}

export function EmailField({ state, hint }: { state: VisitorFormState; hint?: string }) {
  return (
    <Field label="E-mail" error={errorOf(state, 'email')} hint={hint}>
      {(control) => (
        <Input
          {...control}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
          required
          maxLength={254}
          defaultValue={state.values.email}
          className="h-9"
        />
      )}
    </Field>
  );
}

export function NameField({ state }: { state: VisitorFormState }) {
  return (
    <Field label="Your name" hint="Shown to other admins beside what you do." error={errorOf(state, 'name')}>
      {(control) => (
        <Input
          {...control}
          name="name"
          autoComplete="name"
          required
          maxLength={80}
          defaultValue={state.values.name}
          className="h-9"
        />
      )}
    </Field>
  );
}

/** `kind` tells password managers whether to fill in or to suggest. It can be pasted into, and shown. */
export function PasswordField({
  state,
  kind,
  hint,
}: {
  state: VisitorFormState;
  kind: 'current' | 'new';
  hint?: string;
}) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label="Password" hint={hint} error={errorOf(state, 'password')}>
      {(control) => (
        <span className="relative block">
          <Input
            {...control}
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            required
            className="h-9 pr-10"
          />
          <button
            type="button"
            aria-label={isShown ? 'Hide password' : 'Show password'}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 inline-flex w-9 items-center justify-center rounded-md text-faint hover:text-ink"
          >
            <Icon aria-hidden className="size-4" />
          </button>
        </span>
      )}
    </Field>
  );
}
