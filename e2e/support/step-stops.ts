/**
 * Makes a server stand still at the end of a chosen step: what the step does is done, and that it is done is not yet on record. A
 * trigger in the proof's own database waits for a lock that the proof holds; the product knows nothing of it.
 */
import type { Records } from './records';

const lockId = 20_111_968;

export type StepStops = Awaited<ReturnType<typeof installStepStops>>;

export async function installStepStops(records: Records) {
  const { sql } = records;
  await sql.unsafe(`
    create schema if not exists proofs;
    create table if not exists proofs.stops (job_id uuid, kind text, step text not null);
    create or replace function proofs.stand_still() returns trigger language plpgsql as $$
    begin
      if exists (
        select 1 from proofs.stops s join public.jobs j on j.id = new.job_id
        where (s.job_id is null or s.job_id = j.id) and s.kind = j.kind and s.step = new.name
      ) then
        perform pg_advisory_xact_lock_shared(${lockId});
      end if;
      return new;
    end $$;
    drop trigger if exists stand_still on public.job_steps;
    create trigger stand_still before update of status on public.job_steps
      for each row when (old.status = 'running' and new.status = 'done') execute function proofs.stand_still();`);
  const holder = await sql.reserve();

  const waiting = () => sql<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and not granted and ((classid::bigint << 32) | objid::bigint) = ${lockId}`;

  return {
    /** Every job of this kind stands still at the end of this step from now on. */
    arm: async (kind: string, step: string): Promise<void> => {
      await holder`select pg_advisory_lock(${lockId})`;
      await sql`insert into proofs.stops (kind, step) values (${kind}, ${step})`;
    },
    reached: (withinMs: number) =>
      records.until('a server stands still at the end of the step', async () => (await waiting())[0], { withinMs }),
    /** After the kill: what the dead server's connections had begun is undone, as it is when a socket closes. */
    disarm: async (): Promise<void> => {
      await sql`delete from proofs.stops`;
      for (const { pid } of await waiting()) await sql`select pg_terminate_backend(${pid})`;
      await holder`select pg_advisory_unlock(${lockId})`;
    },
    close: () => holder.release(),
  };
}
