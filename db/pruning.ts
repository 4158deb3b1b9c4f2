/** Retention: bounded deletes of what nobody refers to any more. Each call removes one batch and tells how many rows went. */
import { sql } from 'drizzle-orm';
import type { Queryable } from './client';

/**
 * Finished jobs past retention. Kept are: jobs in progress or waiting (OUT-8 closed: recovery never meets a job that vanished), each
 * cluster's last of each kind, the one its cluster's page or ownership refers to, and one that a later job continues.
 */
export async function pruneJobs(queryable: Queryable, retentionHours: number, batch: number): Promise<number> {
  const rows = await queryable.execute(sql`
    delete from jobs where id in (
      select old.id from jobs old
      where old.finished_at < clock_timestamp() - ${retentionHours} * interval '1 hour'
        and old.status not in ('in_progress', 'waiting')
        and (old.cluster_id is null or exists (
          select 1 from jobs later where later.cluster_id = old.cluster_id and later.kind = old.kind
            and (later.accepted_at, later.id) > (old.accepted_at, old.id)))
        and not exists (select 1 from clusters where clusters.id = old.cluster_id
          and (clusters.operation_id = old.id or clusters.next_operation_id = old.id or clusters.attention->>'jobId' = old.id::text))
        and not exists (select 1 from jobs resumed where resumed.cluster_id = old.cluster_id and resumed.continues_job_id = old.id)
      order by old.finished_at
      limit ${batch}
      for update skip locked)
    returning id`);
  return rows.length;
}

/** Passes, with their decisions, older than `keepDays`; not one that runs or that a job names as what ended it. */
export async function prunePasses(queryable: Queryable, keepDays: number, batch: number): Promise<number> {
  const rows = await queryable.execute(sql`
    delete from passes where id in (
      select old.id from passes old
      where old.started_at < clock_timestamp() - ${keepDays} * interval '1 day'
        and old.status <> 'running'
        and not exists (select 1 from jobs where jobs.ended_by_pass_id = old.id)
      order by old.id
      limit ${batch}
      for update skip locked)
    returning id`);
  return rows.length;
}
