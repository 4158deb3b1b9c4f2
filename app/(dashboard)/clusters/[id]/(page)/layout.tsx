import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ClusterHeader } from '@/components/clusters/cluster-header';
import { clusterDetailQuery } from '@/components/clusters/cluster-queries';
import { queryClient } from '@/components/providers/query-client';
import { stateLabels } from '@/domain/states';
import { readCluster } from '../read-cluster';

interface Props {
  params: Promise<{ id: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const cluster = await readCluster((await params).id);
  return { title: `${cluster.name} · ${stateLabels[cluster.state]} · Clusters` };
}

export default async function ClusterLayout({ params, children }: Props) {
  const cluster = await readCluster((await params).id);
  const client = queryClient();
  client.setQueryData(clusterDetailQuery(cluster.id).queryKey, cluster);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <ClusterHeader id={cluster.id} />
      <div className="pt-4">{children}</div>
    </HydrationBoundary>
  );
}
