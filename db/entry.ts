/** Accept and enter: one transaction in the lock order cluster → job → transitions (design section 5). */
import { operations } from '@/domain/operations';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import type { Database, Transaction } from './client';
import { recordEvent } from './events';
import type { Hold } from './holds';
import { insertRunningJob, type NewJob } from './jobs';
import { Missed, rolledBackWhenMissed } from './missed';
import { type AsRead, enter, type Move } from './transition';

export interface Entry {
  readonly asRead: AsRead;
  readonly clusterName: string;
  readonly job: NewJob;
  readonly serverId: string;
  /** Null for a go-ahead operation (ENT-7). */
  readonly move: { readonly event: ClusterEvent; readonly to: ClusterState } | null;
  readonly failureEvent: ClusterEvent | null;
  readonly editVersion?: number;
  readonly unlessProtected?: boolean;
}

/**
 * Accept and enter: state, owner, token, job, transition and event in one transaction. Undefined: another operation got there
 * first (or the cluster was edited, protected, named by a legacy job, or this server is not live); nothing was written (ENT-1 to ENT-4).
 */
export async function enterOperation(db: Database, entry: Entry): Promise<Hold | undefined> {
  return rolledBackWhenMissed(() => db.transaction((tx) => enterIn(tx, entry)));
}

/** As `enterOperation`, in a transaction that has more to write (a create's own row). Throws `Missed` to roll it back. */
export async function enterIn(tx: Transaction, entry: Entry): Promise<Hold> {
  const { asRead, job, serverId } = entry;
  const move: Move | null =
    entry.move === null
      ? null
      : {
          ...entry.move,
          cause: 'entry',
          jobId: job.id,
          serverId,
          reason: `${operations[job.kind].label} by ${job.actor.name}`,
        };
  const moved = await enter(
    tx,
    asRead,
    { jobId: job.id, serverId },
    {
      move,
      ...(entry.editVersion === undefined ? {} : { editVersion: entry.editVersion }),
      ...(entry.unlessProtected === undefined ? {} : { unlessProtected: entry.unlessProtected }),
    },
  );
  if (moved === undefined) throw new Missed();
  await insertRunningJob(tx, job, {
    token: moved.token,
    serverId,
    fromState: asRead.state,
    heldState: entry.move?.to ?? asRead.state,
    failureEvent: entry.failureEvent,
  });
  await recordEvent(tx, {
    type: 'operation.accepted',
    result: 'ok',
    actor: job.actor,
    clusterId: asRead.clusterId,
    clusterName: entry.clusterName,
    jobId: job.id,
    serverId,
    summary: `${operations[job.kind].label} of ${entry.clusterName} accepted: ${asRead.state} → ${entry.move?.to ?? `${asRead.state} (state unchanged)`}`,
    detail: { token: moved.token, ...(job.note === null ? {} : { note: job.note }) },
  });
  return { clusterId: asRead.clusterId, jobId: job.id, token: moved.token, serverId };
}
