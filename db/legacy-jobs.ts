/** Ends a job of an older server by hand, where its server is unknown, silent or gone (design 7.3). */
import { and, eq, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { Database } from './client';
import { recordEvent } from './events';
import { endJob } from './jobs';
import { jobs } from './schema/jobs';
import { servers } from './schema/servers';

export interface LegacyEnd {
  readonly jobId: string;
  readonly actor: Actor;
  readonly reason: string;
  readonly beatMs: number;
}

/** Refuses when there is no such job in progress, when it records its cluster, and while its server is heard of. */
export async function endLegacyJob(
  db: Database,
  { jobId, actor, reason, beatMs }: LegacyEnd,
): Promise<Result<true, Refusal>> {
  return db.transaction(async (tx): Promise<Result<true, Refusal>> => {
    // Locks the job first: whoever else ends it has then done so, and its status says it.
    const [job] = await tx
      .select({ kind: jobs.kind, clusterId: jobs.clusterId, status: jobs.status, serverId: jobs.serverId })
      .from(jobs)
      .where(eq(jobs.id, jobId))
      .for('no key update');
    if (job === undefined) return refused({ code: 'not-found', message: 'There is no such job.' });
    if (job.clusterId !== null)
      return no('This job records its cluster. End its operation on the page of the cluster.');
    if (job.status !== 'in_progress') return no('This job has ended already.');
    const alive = await tx
      .select({ id: servers.id })
      .from(servers)
      .where(
        and(
          job.serverId === null ? sql`false` : eq(servers.id, job.serverId),
          sql`${servers.state} <> 'departed' and ${servers.lastBeatAt} > clock_timestamp() - ${beatMs * 2} * interval '1 millisecond'`,
        ),
      );
    if (alive.length > 0) return no('Its server is up. It ends by itself, or when that server stops.');
    const message = `Ended by ${actor.name}: ${reason}`;
    await endJob(tx, jobId, { status: 'failed', reason: 'ended-by-admin', message });
    await recordEvent(tx, {
      type: 'operation.ended-by-admin',
      result: 'ok',
      actor,
      jobId,
      serverId: job.serverId,
      summary: `${actor.name} ended job ${jobId} (${job.kind}) of an older server: ${reason}`,
    });
    return accepted(true);
  });
}

function no(message: string): Result<true, Refusal> {
  return refused({ code: 'refused', reason: 'moved-on', message, also: [], holder: null });
}
