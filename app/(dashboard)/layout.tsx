import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { deploymentId } from '@/app/api/live/deployment';
import { requireActor } from '@/auth/session';
import { LiveBanner, LiveDim } from '@/components/live/live-banner';
import { LiveControl } from '@/components/live/live-control';
import { LiveProvider } from '@/components/live/live-provider';
import { narrowCookie } from '@/components/shell/narrow-cookie';
import { Shell } from '@/components/shell/shell';
import { env } from '@/env';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor('viewer');
  const startsNarrow = (await cookies()).get(narrowCookie)?.value === '1';
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  return (
    <LiveProvider deployment={deploymentId()}>
      <Shell
        user={{ name: actor.name, role }}
        environmentLabel={env().HOLDFAST_ENVIRONMENT_LABEL}
        isCloudSimulated={env().HOLDFAST_SIMULATED_CLOUD}
        startsNarrow={startsNarrow}
        live={<LiveControl />}
        banners={<LiveBanner />}
      >
        <LiveDim>{children}</LiveDim>
      </Shell>
    </LiveProvider>
  );
}
