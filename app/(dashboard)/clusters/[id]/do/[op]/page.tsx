import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { readCluster } from '@/app/(dashboard)/clusters/[id]/read-cluster';
import { freshFormOptions } from '@/app/(dashboard)/clusters/form-options';
import { clusterDetailQuery } from '@/components/clusters/cluster-queries';
import { OperationForm } from '@/components/clusters/forms/operation-form';
import { queryClient } from '@/components/providers/query-client';
import { clusterFacts } from '@/db/clusters';
import { menuOperations, operations } from '@/domain/operations';
import { runtime } from '@/runtime';
import { planFacts } from '@/worker/plan-facts';
import { addCandidates } from './add-candidates';

interface Props {
  params: Promise<{ id: string; op: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id, op } = await params;
  const kind = menuOperations.find((each) => each === op);
  const cluster = await readCluster(id);
  return { title: `${kind === undefined ? 'Operation' : operations[kind].label} · ${cluster.name}` };
}

export default async function OperationPage({ params, searchParams }: Props) {
  const { id, op } = await params;
  const kind = menuOperations.find((each) => each === op);
  if (kind === undefined) notFound();
  const cluster = await readCluster(id);
  const { worker, db } = runtime();
  const [recorded, options, candidates] = await Promise.all([
    clusterFacts(db, cluster.id),
    freshFormOptions(),
    kind === 'add-nodes' ? addCandidates(cluster) : [],
  ]);
  if (recorded === undefined) notFound();
  const facts = await planFacts(worker, recorded, { fromState: recorded.cluster.state, input: {} });
  const continues = z.uuid().safeParse((await searchParams)['continues']);
  const client = queryClient();
  client.setQueryData(clusterDetailQuery(cluster.id).queryKey, cluster);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <OperationForm
        id={cluster.id}
        kind={kind}
        openedSeq={cluster.operationSeq}
        facts={facts}
        options={options}
        candidates={candidates}
        continuesJobId={continues.success ? continues.data : undefined}
      />
    </HydrationBoundary>
  );
}
