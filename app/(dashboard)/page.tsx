import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { readerOf } from '@/app/reader';
import { requireActor } from '@/auth/session';
import { Overview } from '@/components/overview/overview';
import { overviewQuery } from '@/components/overview/overview-queries';
import { queryClient } from '@/components/providers/query-client';
import { PageHeader } from '@/components/ui/page-header';
import { readOverview } from '@/db/queries/overview';
import { fleetSummary } from '@/db/queries/summary';
import { hasRole } from '@/domain/actor';
import { env } from '@/env';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'Overview' };

export default async function OverviewPage() {
  const actor = await requireActor('viewer');
  const client = queryClient();
  const { db } = runtime();
  const [summary, overview] = await Promise.all([
    fleetSummary(db, readerOf(actor), env().HOLDFAST_CRON_PERIOD_MS),
    readOverview(db, readerOf(actor)),
  ]);
  client.setQueryData(overviewQuery.queryKey, overview);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Overview" />
      <HydrationBoundary state={dehydrate(client)}>
        <Overview mayCreate={hasRole(actor, 'operator')} firstSummary={summary} />
      </HydrationBoundary>
    </div>
  );
}
