import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { signOut } from '@/app/actions/sign-in';
import { safeNextPath, visitorRoutes } from '@/auth/request-headers';
import { currentActor } from '@/auth/session';
import { VisitorFrame } from '@/components/auth/visitor-frame';
import { Button, ButtonLink } from '@/components/ui/button';
import { hasRole, roles } from '@/domain/actor';

export const metadata: Metadata = { title: 'Not allowed' };

/** The 403 page (the proxy gives it the status). It names the role that would do; nobody is sent round in circles. */
export default async function NoAccessPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const from = safeNextPath(query['from']);
  const needed = roles.find((role) => role === query['role']) ?? 'admin';
  const actor = await currentActor();
  if (actor === null) redirect(visitorRoutes.signInThen(from));
  if (hasRole(actor, needed)) redirect(from);
  const own = actor.kind === 'user' ? actor.role : 'viewer';
  return (
    <VisitorFrame
      title={`Needs the role ${needed}`}
      text={
        <>
          <p>
            You are signed in as {actor.name} with the role {own}. The page{' '}
            <code className="font-mono text-xs break-all">{from}</code> is for the role {needed}.
          </p>
          <p className="mt-2">
            Nothing was changed. An admin can change your role under Settings, Users and roles; it counts at once.
          </p>
        </>
      }
    >
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={visitorRoutes.home} variant="primary">
          Go to the overview
        </ButtonLink>
        <form action={signOut}>
          <Button type="submit">Sign in as somebody else</Button>
        </form>
      </div>
    </VisitorFrame>
  );
}
