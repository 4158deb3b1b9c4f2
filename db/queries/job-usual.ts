/** How long operations and their steps usually take: medians and 95th percentiles of the last thirty days. */
import { sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import type { Reader } from './reader';

export interface Usual {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** How many runs that is taken from. */
  readonly runs: number;
}

/** Fewer runs than this say nothing about what is usual. */
const fewestRuns = 5;

interface UsualRow extends Record<string, unknown> {
  name: string;
  p50: number;
  p95: number;
  runs: number;
}

const toUsual = (rows: readonly UsualRow[]): Readonly<Record<string, Usual>> =>
  Object.fromEntries(rows.map((row) => [row.name, { p50Ms: row.p50, p95Ms: row.p95, runs: row.runs }]));

/** By kind of operation; only runs that succeeded on a server count, not settings that were complete when accepted. */
export async function usualOfJobs(queryable: Queryable, _reader: Reader): Promise<Readonly<Record<string, Usual>>> {
  const rows = await queryable.execute<UsualRow>(sql`
    select kind as name, count(*)::int as runs,
      percentile_cont(0.5) within group (order by took)::float8 as p50, percentile_cont(0.95) within group (order by took)::float8 as p95
    from (
      select kind, extract(epoch from finished_at - started_at) * 1000 as took from jobs
      where status = 'succeeded' and server_id is not null and finished_at > now() - interval '30 days'
      order by finished_at desc limit 5000
    ) lately group by kind having count(*) >= ${fewestRuns}`);
  return toUsual(rows);
}

/** By step of one kind of operation, whatever node it worked on: `build-node` for `build-node worker-2`. */
export async function usualOfSteps(
  queryable: Queryable,
  _reader: Reader,
  kind: string,
): Promise<Readonly<Record<string, Usual>>> {
  const rows = await queryable.execute<UsualRow>(sql`
    select split_part(job_steps.name, ' ', 1) as name, count(*)::int as runs,
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - job_steps.started_at) * 1000)::float8 as p50,
      percentile_cont(0.95) within group (order by extract(epoch from ended_at - job_steps.started_at) * 1000)::float8 as p95
    from (
      select id from jobs where kind = ${kind} and status = 'succeeded' and finished_at > now() - interval '30 days'
      order by finished_at desc limit 500
    ) lately join job_steps on job_steps.job_id = lately.id and job_steps.status = 'done' and job_steps.ended_at is not null
    group by 1 having count(*) >= ${fewestRuns}`);
  return toUsual(rows);
}
