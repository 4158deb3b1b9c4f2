import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { safeNextPath, visitorRoutes } from '@/auth/request-headers';
import { currentActor } from '@/auth/session';
import { SignInForm } from '@/components/auth/visitor-forms';
import { VisitorFrame } from '@/components/auth/visitor-frame';
import { hasAnyUser } from '@/db/users';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const next = safeNextPath((await searchParams)['next']);
  if ((await currentActor()) !== null) redirect(next);
  if (!(await hasAnyUser(runtime().db))) redirect(visitorRoutes.setUp);
  return (
    <VisitorFrame
      title="Sign in"
      text={next === visitorRoutes.home ? undefined : 'You will come back to the page you asked for.'}
      help="No account, or forgot the password? Any admin can send you a one-time link. An admin who is locked out makes one on the server with “npm run admin”."
    >
      <SignInForm next={next} />
    </VisitorFrame>
  );
}
