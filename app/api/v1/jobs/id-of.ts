import 'server-only';
import { z } from 'zod';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';

/** The id of the address and what is found under it, or 404: what is no id names nothing. */
export async function foundById<T>(
  params: Promise<{ id: string }>,
  what: string,
  find: (id: string) => Promise<T | undefined>,
): Promise<Result<T, Refusal>> {
  const id = z.uuid().safeParse((await params).id);
  const found = id.success ? await find(id.data) : undefined;
  return found === undefined ? refused({ code: 'not-found', message: `There is no such ${what}.` }) : accepted(found);
}
