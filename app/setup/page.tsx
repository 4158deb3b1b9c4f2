import type { Metadata } from 'next';
import { minPasswordLength } from '@/auth/account-input';
import { visitorRoutes } from '@/auth/request-headers';
import { type SetUpState, setUpState } from '@/auth/set-up';
import { AdminSetUpForm, PasswordSetUpForm } from '@/components/auth/visitor-forms';
import { VisitorFrame } from '@/components/auth/visitor-frame';
import { ButtonLink } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'Set up' };

export default async function SetUpPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const given = (await searchParams)['token'];
  const token =
    typeof given === 'string' && given !== '' && given.length <= 512 && !given.includes('\0') ? given : null;
  const state = await setUpState(runtime().db, token);
  if (token === null || state.kind === 'closed') return <ClosedSetUp state={state} />;
  if (state.kind === 'password') {
    return (
      <VisitorFrame
        title={`Welcome, ${state.name}`}
        text={`Choose a password for ${state.email}. The link works once.`}
      >
        <PasswordSetUpForm token={token} email={state.email} minLength={minPasswordLength} />
      </VisitorFrame>
    );
  }
  const text = state.first
    ? 'This installation has no account yet. Yours is the first, with the role admin. The link works once.'
    : 'This makes a new admin. With the e-mail of an account that exists, that account becomes admin, is enabled, gets this password and is signed out everywhere. The link works once.';
  return (
    <VisitorFrame title={state.first ? 'Make the first admin' : 'Make an admin'} text={text}>
      <AdminSetUpForm token={token} minLength={minPasswordLength} />
    </VisitorFrame>
  );
}

function ClosedSetUp({ state }: { state: SetUpState }) {
  const isFirst = state.kind === 'closed' && state.first;
  const isSpent = state.kind === 'closed' && state.tokenGiven;
  return (
    <VisitorFrame title={isFirst ? 'No account yet' : 'A one-time link is needed'}>
      <div className="grid gap-4 text-sm">
        {isSpent ? <Callout tone="warning">This link was used already, or is older than 24 hours.</Callout> : null}
        <p>
          {isFirst
            ? 'The first admin is made with a one-time link, so that nobody else on the network can be faster.'
            : 'Accounts are made with one-time links.'}{' '}
          A link works once, for 24 hours.
        </p>
        <div>
          <p className="font-medium">On the server, in the folder of Holdfast:</p>
          <pre className="mt-1.5 overflow-x-auto rounded-md border border-line bg-subtle px-3 py-2 font-mono text-xs">
            npm run admin
          </pre>
          <p className="mt-1.5 text-xs text-faint">
            It prints the link. Open it in this browser.{isFirst ? ' “npm run up” has printed one, too.' : ''}
          </p>
        </div>
        {isFirst ? null : (
          <>
            <p>Not at the server? Any admin can make a link for you under Settings, Users and roles.</p>
            <div>
              <ButtonLink href={visitorRoutes.signIn}>Go to sign-in</ButtonLink>
            </div>
          </>
        )}
      </div>
    </VisitorFrame>
  );
}
