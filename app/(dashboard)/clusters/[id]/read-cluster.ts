import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { z } from 'zod';
import { readerOf } from '@/app/reader';
import { requireActor } from '@/auth/session';
import { clusterDetail } from '@/db/queries/cluster-detail';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import { runtime } from '@/runtime';

/** The cluster of this request, read once; the 404 page where there never was one. */
export const readCluster = cache(async (id: string): Promise<ClusterDetail> => {
  const actor = await requireActor('viewer');
  const parsed = z.uuid().safeParse(id);
  const found = parsed.success ? await clusterDetail(runtime().db, readerOf(actor), parsed.data) : undefined;
  return found ?? notFound();
});
