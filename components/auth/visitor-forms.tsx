'use client';
import { setOwnPassword, setUpAsAdmin, signIn } from '@/app/actions/sign-in';
import { newPasswordHint } from './password-hint';
import { EmailField, NameField, PasswordField, VisitorForm } from './visitor-form';

export function SignInForm({ next }: { next: string }) {
  return (
    <VisitorForm action={signIn} hidden={{ next }} submit="Sign in">
      {(state) => (
        <>
          <EmailField state={state} />
          <PasswordField state={state} kind="current" />
        </>
      )}
    </VisitorForm>
  );
}

export function AdminSetUpForm({ token, minLength }: { token: string; minLength: number }) {
  return (
    <VisitorForm action={setUpAsAdmin} hidden={{ token }} submit="Make the admin account">
      {(state) => (
        <>
          <NameField state={state} />
          <EmailField state={state} />
          <PasswordField state={state} kind="new" hint={newPasswordHint(minLength)} />
        </>
      )}
    </VisitorForm>
  );
}

export function PasswordSetUpForm({ token, email, minLength }: { token: string; email: string; minLength: number }) {
  return (
    <VisitorForm action={setOwnPassword} hidden={{ token }} submit="Set password and sign in">
      {(state) => (
        <>
          {/* Password managers store the new password under this name. */}
          <input type="text" name="username" autoComplete="username" readOnly value={email} hidden />
          <PasswordField state={state} kind="new" hint={newPasswordHint(minLength)} />
        </>
      )}
    </VisitorForm>
  );
}
