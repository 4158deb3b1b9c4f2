import type { NextRequest } from 'next/server';
import { answerRead } from '@/app/api/v1/answer';
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
