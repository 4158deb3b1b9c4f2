import type { NextRequest } from 'next/server';
import { answerRead } from '@/app/api/v1/answer';
import { nameIsTaken } from '@/db/clusters';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** Whether a name is free; asked while it is typed. The unique index decides in the end. */
export function GET(request: NextRequest): Promise<Response> {
  const name = request.nextUrl.searchParams.get('name') ?? '';
  return answerRead('viewer', async () => accepted({ name, isTaken: await nameIsTaken(runtime().db, name) }));
}
