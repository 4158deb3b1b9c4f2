import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { requireActor } from '@/auth/session';
import { narrowCookie } from '@/components/shell/narrow-cookie';
import { Shell } from '@/components/shell/shell';
import { env } from '@/env';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor('viewer');
  const startsNarrow = (await cookies()).get(narrowCookie)?.value === '1';
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  return (
    <Shell
      user={{ name: actor.name, role }}
      environmentLabel={env().HOLDFAST_ENVIRONMENT_LABEL}
      isCloudSimulated={env().HOLDFAST_SIMULATED_CLOUD}
      startsNarrow={startsNarrow}
      live={null}
      banners={null}
    >
      {children}
    </Shell>
  );
}
