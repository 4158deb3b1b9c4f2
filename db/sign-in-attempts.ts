/** Counters of failed sign-ins, on the database's clock and shared by all servers. Fixed windows of one minute. */
import { eq, or, sql } from 'drizzle-orm';
import type { Queryable } from './client';
import { rateLimits } from './schema/auth';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

/** Far longer than any window of ours or of better-auth. */
const staleMs = 3_600_000;
const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Takes one attempt under `key` before the password is looked at, so that concurrent guesses cannot all pass a stale
 * count. Null: taken. A number: nothing was taken, and the seconds until there is one again.
 */
export async function takeAttempt(queryable: Queryable, key: string, limit: AttemptLimit): Promise<number | null> {
  const over = sql`${rateLimits.lastRequest} <= ${nowMs} - ${limit.windowMs}`;
  // One statement: reads, decides and counts under the row's lock. No row back means the window is used up.
  const taken = await queryable
    .insert(rateLimits)
    .values({ id: crypto.randomUUID(), key, count: 1, lastRequest: nowMs as unknown as number })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${over} then 1 else ${rateLimits.count} + 1 end`,
        lastRequest: sql`case when ${over} then excluded.last_request else ${rateLimits.lastRequest} end`,
      },
      setWhere: sql`${over} or ${rateLimits.count} < ${limit.max}`,
    })
    .returning({ count: rateLimits.count });
  if (taken.length > 0) return null;
  return (await secondsUntilFree(queryable, key, limit)) ?? 1;
}

/** Seconds until `key` has an attempt again; null when it has one now. Takes nothing. */
export async function secondsUntilFree(queryable: Queryable, key: string, limit: AttemptLimit): Promise<number | null> {
  const [row] = await queryable
    .select({
      count: rateLimits.count,
      leftMs: sql<number>`(${rateLimits.lastRequest} + ${limit.windowMs} - ${nowMs})::float8`,
    })
    .from(rateLimits)
    .where(eq(rateLimits.key, key));
  if (row === undefined || row.count < limit.max || row.leftMs <= 0) return null;
  return Math.max(1, Math.ceil(row.leftMs / 1000));
}

/** A right password ends the count of its account. Rows that nobody can be waiting for any more go with it. */
export async function forgetAttempts(queryable: Queryable, key: string): Promise<void> {
  await queryable
    .delete(rateLimits)
    .where(or(eq(rateLimits.key, key), sql`${rateLimits.lastRequest} < ${nowMs} - ${staleMs}::bigint`));
}
