/** An owner's end: the cluster's last transition, the release and the job's final status in one transaction (design section 5). */
import { and } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Attention } from '@/domain/attention';
import { type OperationKind, operations } from '@/domain/operations';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import type { Database, Transaction } from './client';
import { recordEvent } from './events';
import { type HeldCluster, type Hold, whileHeld } from './holds';
import { endJob, type JobEnd } from './jobs';
import { type AsRead, end } from './transition';
import { startStop, takeForStop } from './waiting-stop';

export interface OperationEnd extends JobEnd {
  readonly kind: OperationKind;
  readonly actor: Actor;
  /** Fired from the state the cluster is in; null leaves the state alone (HOLD-3). */
  readonly event: ClusterEvent | null;
  /** Set, or cleared with null; undefined leaves it. */
  readonly attention?: Attention | null;
}

export type Ended =
  /** The hold was lost before; nothing was written (HOLD-1, HOLD-2). */
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended'; readonly state: ClusterState }
  /** A stop waited: the job ended as cancelled and this server now runs the stop. */
  | { readonly kind: 'handed-over'; readonly next: Hold };

/**
 * The cluster's last transition, the release of ownership, the promotion of a waiting stop and the job's final status: one
 * transaction. `claim` is called with the stop's id before the commit that makes it this server's.
 */
export async function endOperation(
  db: Database,
  hold: Hold,
  ending: OperationEnd,
  claim: (jobId: string) => void,
): Promise<Ended> {
  const outcome = await whileHeld(db, hold, async (tx, cluster): Promise<Ended> => {
    if (cluster.nextOperationId !== null && cluster.state === 'Starting') {
      return handOverIn(tx, hold, cluster, cluster.nextOperationId, claim);
    }
    return endIn(tx, hold, cluster, ending);
  });
  return outcome.held ? outcome.value : { kind: 'lost' };
}

async function endIn(tx: Transaction, hold: Hold, cluster: HeldCluster, ending: OperationEnd): Promise<Ended> {
  const to = ending.event === null ? undefined : nextState(cluster.state, ending.event);
  const asRead: AsRead = {
    clusterId: hold.clusterId,
    state: cluster.state,
    operationId: hold.jobId,
    operationSeq: hold.token,
  };
  const moved = await end(tx, asRead, {
    move:
      to === undefined
        ? null
        : { to, event: ending.event, cause: 'end', jobId: hold.jobId, serverId: hold.serverId, reason: ending.message },
    ...(ending.attention === undefined ? {} : { attention: ending.attention }),
    removed: to === 'Destroyed',
  });
  const ended = await endJob(tx, hold.jobId, ending);
  if (moved === undefined || !ended) throw new Error(`job ${hold.jobId} was locked and yet did not end`);
  const state = to ?? cluster.state;
  await recordEvent(tx, {
    type: 'operation.ended',
    result: ending.status === 'succeeded' ? 'ok' : 'failed',
    actor: ending.actor,
    clusterId: hold.clusterId,
    clusterName: cluster.name,
    jobId: hold.jobId,
    serverId: hold.serverId,
    summary: `${operations[ending.kind].label} of ${cluster.name} ${ending.status}: ${cluster.state} → ${state}`,
    detail: { reason: ending.reason, message: ending.message },
  });
  return { kind: 'ended', state };
}

/** Ends the start as cancelled and gives its cluster to the stop that waits, run by this server. */
async function handOverIn(
  tx: Transaction,
  hold: Hold,
  cluster: HeldCluster,
  stopJobId: string,
  claim: (jobId: string) => void,
): Promise<Ended> {
  const asRead: AsRead = {
    clusterId: hold.clusterId,
    state: cluster.state,
    operationId: hold.jobId,
    operationSeq: hold.token,
  };
  const next = await takeForStop(tx, asRead, { stopJobId, serverId: hold.serverId, clusterName: cluster.name });
  const ended = await endJob(tx, hold.jobId, {
    status: 'cancelled',
    reason: 'handed-over',
    message: 'It gave way to a stop that waited for it.',
  });
  if (next === undefined || !ended) throw new Error(`job ${hold.jobId} was locked and yet could not hand over`);
  await startStop(tx, next, claim);
  return { kind: 'handed-over', next };
}
