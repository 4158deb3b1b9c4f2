import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { deploymentId } from '@/app/api/live/deployment';
import { readerOf } from '@/app/reader';
import { requireActor } from '@/auth/session';
import { LiveBanner, LiveDim } from '@/components/live/live-banner';
import { LiveControl } from '@/components/live/live-control';
import { LiveProvider } from '@/components/live/live-provider';
import { queryClient } from '@/components/providers/query-client';
import { narrowCookie } from '@/components/shell/narrow-cookie';
import { Shell } from '@/components/shell/shell';
import { summaryQuery } from '@/components/summary/summary-queries';
import { fleetSummary } from '@/db/queries/summary';
import { env } from '@/env';
import { runtime } from '@/runtime';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor('viewer');
  const startsNarrow = (await cookies()).get(narrowCookie)?.value === '1';
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  const client = queryClient();
  // A prefetch that fails is tried again by the browser; the page is not held up by it.
  await client.prefetchQuery({
    ...summaryQuery,
    queryFn: () => fleetSummary(runtime().db, readerOf(actor), env().HOLDFAST_CRON_PERIOD_MS),
  });
  return (
    <HydrationBoundary state={dehydrate(client)}>
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
    </HydrationBoundary>
  );
}
