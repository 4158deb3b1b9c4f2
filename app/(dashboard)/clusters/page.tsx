import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { readerOf } from '@/app/reader';
import { requireActor } from '@/auth/session';
import { ClusterList } from '@/components/clusters/cluster-list';
import { clusterListQuery } from '@/components/clusters/cluster-queries';
import { queryClient } from '@/components/providers/query-client';
import { routes } from '@/components/routes';
import { ButtonLink } from '@/components/ui/button';
import { PageHeader } from '@/components/ui/page-header';
import { clusterSearch } from '@/db/queries/cluster-conditions';
import { listClusters } from '@/db/queries/clusters';
import { hasRole } from '@/domain/actor';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'Clusters' };

export default async function ClustersPage({ searchParams }: PageProps<'/clusters'>) {
  const actor = await requireActor('viewer');
  const search = clusterSearch.parse(await searchParams);
  const client = queryClient();
  await client.prefetchQuery({
    ...clusterListQuery(search),
    queryFn: () => listClusters(runtime().db, readerOf(actor), search),
  });
  const mayCreate = hasRole(actor, 'operator');
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Clusters"
        actions={
          <ButtonLink
            variant="primary"
            href={routes.newCluster}
            icon={<Plus aria-hidden className="size-4" />}
            reason={mayCreate ? undefined : 'Needs the role operator.'}
          >
            Create cluster
          </ButtonLink>
        }
      />
      <HydrationBoundary state={dehydrate(client)}>
        <Suspense>
          <ClusterList mayCreate={mayCreate} />
        </Suspense>
      </HydrationBoundary>
    </div>
  );
}
