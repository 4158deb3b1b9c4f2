/** Freeing an orphan, and *end this operation*: one conditional write on what was read (REC-7). */
import { and, eq, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Attention } from '@/domain/attention';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import type { Database, Transaction } from './client';
import { recordEvent } from './events';
import type { Hold } from './holds';
import { endJob, type JobEnd } from './jobs';
import { Missed, rolledBackWhenMissed } from './missed';
import { jobs } from './schema/jobs';
import { type AsRead, type Move, recover } from './transition';
import { startStop, takeForStop } from './waiting-stop';

export interface OrphanRecovery {
  readonly asRead: AsRead;
  readonly clusterName: string;
  /** Null: the state stays, only the owner goes. */
  readonly becomes: ClusterState | null;
  readonly event: ClusterEvent | null;
  readonly cause: 'recovery' | 'admin-end';
  readonly actor: Actor;
  readonly serverId: string;
  /** In words, for the transition, the event and the cluster's page. */
  readonly reason: string;
  readonly passId: number | null;
  /** The stop that waits for this cluster, if one does. */
  readonly waitingStopId: string | null;
  /** For *end this operation*: the owner that is still in progress and ends in the same transaction. */
  readonly endJobToo?: { readonly jobId: string; readonly end: JobEnd };
}

export type Recovered =
  | { readonly kind: 'missed' }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'stop-took-over'; readonly next: Hold };

/**
 * One conditional write on state, owner and token as read (REC-7). A waiting stop takes the cluster here. `missed` is no error:
 * the cluster moved on, and its new state is kept (REC-8, REC-9).
 */
export async function recoverOrphan(
  db: Database,
  recovery: OrphanRecovery,
  claim: (jobId: string) => void,
): Promise<Recovered> {
  const outcome = await rolledBackWhenMissed(() => db.transaction((tx) => recoverIn(tx, recovery, claim)));
  return outcome ?? { kind: 'missed' };
}

async function recoverIn(
  tx: Transaction,
  recovery: OrphanRecovery,
  claim: (jobId: string) => void,
): Promise<Recovered> {
  const { asRead, waitingStopId, clusterName, serverId } = recovery;
  if (waitingStopId !== null && asRead.state === 'Starting') {
    const taken = await takeForStop(tx, asRead, { stopJobId: waitingStopId, serverId, clusterName });
    if (taken === undefined) throw new Missed();
    await endOwnerToo(tx, recovery);
    await missWhileInProgress(tx, asRead.clusterId);
    await startStop(tx, taken, claim);
    return { kind: 'stop-took-over', next: taken };
  }
  const jobId = asRead.operationId;
  const attention: Attention = {
    code: recovery.cause === 'admin-end' ? 'ended-by-admin' : 'orphan-recovered',
    text: recovery.reason,
    jobId,
    at: new Date().toISOString(),
  };
  const move: Move | null =
    recovery.becomes === null
      ? null
      : {
          to: recovery.becomes,
          event: recovery.event,
          cause: recovery.cause,
          jobId,
          serverId,
          reason: recovery.reason,
        };
  const moved = await recover(tx, asRead, { move, attention });
  if (moved === undefined) throw new Missed();
  await endOwnerToo(tx, recovery);
  await missWhileInProgress(tx, asRead.clusterId);
  await recordEvent(tx, {
    type: recovery.cause === 'admin-end' ? 'operation.ended-by-admin' : 'recovery.decision',
    result: 'ok',
    actor: recovery.actor,
    clusterId: asRead.clusterId,
    clusterName,
    jobId,
    serverId,
    summary: `${clusterName}: ${asRead.state} → ${recovery.becomes ?? `${asRead.state} (owner released)`}. ${recovery.reason}`,
    detail: { passId: recovery.passId, token: moved.token },
  });
  return { kind: 'recovered' };
}

async function endOwnerToo(tx: Transaction, recovery: OrphanRecovery): Promise<void> {
  if (recovery.endJobToo === undefined) return;
  const ended = await endJob(tx, recovery.endJobToo.jobId, recovery.endJobToo.end);
  if (!ended) throw new Missed();
}

/**
 * REC-3, once more under the cluster's lock: an entry that committed while its server was being declared departed has a job that no
 * pass has failed yet. It is failed first; the next pass recovers the cluster.
 */
async function missWhileInProgress(tx: Transaction, clusterId: string): Promise<void> {
  const [open] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.clusterId, clusterId), sql`${jobs.status} = 'in_progress'`))
    .limit(1);
  if (open !== undefined) throw new Missed();
}
