import type { NextRequest } from 'next/server';
import { createClusterRequest } from '@/app/actions/cluster-requests';
import { submitCreate } from '@/app/actions/submit-operation';
import { answerRead } from '@/app/api/v1/answer';
import { answerChange } from '@/app/api/v1/answer-change';
import { readerOf } from '@/app/reader';
import { clusterSearch } from '@/db/queries/cluster-conditions';
import { listClusters } from '@/db/queries/clusters';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** Filters: preset, state, version, zone (comma separated), q; sort, order, limit, cursor. Unknown values are left out. */
export function GET(request: NextRequest): Promise<Response> {
  const search = clusterSearch.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerRead('viewer', async (actor) => accepted(await listClusters(runtime().db, readerOf(actor), search)));
}

/** Records a cluster and, with `startNow` (the default), begins to build it. 202 with cluster and job, or a refusal. */
export function POST(request: NextRequest): Promise<Response> {
  return answerChange(request, 'operator', createClusterRequest, ({ actor, input }) => submitCreate(actor, input));
}
