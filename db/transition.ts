/**
 * THE compare-and-set: the only file that writes `clusters.state` (CAS-1 to CAS-6). Each function is one conditional update;
 * `undefined` means that no row matched and nothing was written (CAS-2). Callers run it in a transaction that also writes the
 * job, and must act on the answer.
 */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Attention } from '@/domain/attention';
import type { TransitionCause } from '@/domain/jobs';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import type { Transaction } from './client';
import { clusters, transitions } from './schema/clusters';

/** A cluster as it was read; an entry, a recovery or a drift is refused when any of it has changed since. */
export interface AsRead {
  readonly clusterId: string;
  readonly state: ClusterState;
  readonly operationId: string | null;
  readonly operationSeq: number;
}

export interface Move {
  readonly to: ClusterState;
  readonly event: ClusterEvent | null;
  readonly cause: TransitionCause;
  readonly jobId: string | null;
  readonly serverId: string | null;
  readonly reason?: string | null;
}

export interface Moved {
  readonly token: number;
  readonly name: string;
}

/** The server that writes is up by the database's clock, in the same statement: a departed boot can enter nothing. */
function serverIsLive(serverId: string) {
  return sql`exists (select 1 from servers where servers.id = ${serverId} and servers.state = 'up' and servers.lease_until > clock_timestamp())`;
}

/** MIX-1: no job in progress of an older server names this cluster in its parameters. */
const namedByNoLegacyJob = sql`not exists (select 1 from jobs legacy where legacy.cluster_id is null and legacy.status = 'in_progress'
  and position(clusters.id::text in lower(coalesce(legacy.legacy_parameters, ''))) > 0)`;

const returned = { token: clusters.operationSeq, seq: clusters.transitionSeq, name: clusters.name };

/** Columns that every change of state sets. `foreign_write_at` is cleared: from here on somebody answers for the state. */
function changed(to: ClusterState) {
  return {
    state: to,
    stateSince: sql`clock_timestamp()`,
    transitionSeq: sql`${clusters.transitionSeq} + 1`,
    foreignWriteAt: null,
    healthCheck: null,
    nextCheckAt: null,
    driftFinding: null,
  };
}

/**
 * Takes an unowned cluster for a job: state, owner and next token in one write. `move` is null for a go-ahead operation, which
 * owns without changing the state (ENT-7). Nothing matches when the cluster moved on, is owned, is edited since (`editVersion`),
 * is protected (`unlessProtected`), is named by a legacy job, or when this server is not live.
 */
export async function enter(
  tx: Transaction,
  asRead: AsRead,
  owner: { jobId: string; serverId: string },
  options: { move: Move | null; editVersion?: number; unlessProtected?: boolean },
): Promise<Moved | undefined> {
  const { move } = options;
  const [row] = await tx
    .update(clusters)
    .set({
      ...(move === null ? {} : { ...changed(move.to), attention: null, checkFailures: 0 }),
      operationId: owner.jobId,
      operationSeq: sql`${clusters.operationSeq} + 1`,
    })
    .where(
      and(
        eq(clusters.id, asRead.clusterId),
        eq(clusters.state, asRead.state),
        eq(clusters.operationSeq, asRead.operationSeq),
        isNull(clusters.operationId),
        isNull(clusters.removedAt),
        options.editVersion === undefined ? undefined : eq(clusters.editVersion, options.editVersion),
        options.unlessProtected === true ? eq(clusters.protected, false) : undefined,
        serverIsLive(owner.serverId),
        namedByNoLegacyJob,
      ),
    )
    .returning(returned);
  if (row === undefined) return undefined;
  if (move !== null) await append(tx, asRead, row, move);
  return row;
}

/**
 * An owner's last write: state and release in one. `to` null leaves the state alone (HOLD-3). Matches only while the job still
 * owns the cluster under its token (HOLD-1, HOLD-5): a worker that was overtaken ends nothing (HOLD-2, HOLD-7).
 */
export async function end(
  tx: Transaction,
  asRead: AsRead,
  options: { move: Move | null; attention?: Attention | null; removed?: boolean },
): Promise<Moved | undefined> {
  const { move } = options;
  const [row] = await tx
    .update(clusters)
    .set({
      ...(move === null ? {} : changed(move.to)),
      ...(options.attention === undefined ? {} : { attention: options.attention }),
      ...(options.removed === true ? { removedAt: sql`clock_timestamp()` } : {}),
      operationId: null,
    })
    .where(sameAsRead(asRead))
    .returning(returned);
  if (row === undefined) return undefined;
  if (move !== null) await append(tx, asRead, row, move);
  return row;
}

/** Hands an owned Starting cluster to the stop that waits for it; the start's token is over (OUT-1 closed). */
export async function handOver(
  tx: Transaction,
  asRead: AsRead,
  stopJobId: string,
  move: Move,
): Promise<Moved | undefined> {
  const [row] = await tx
    .update(clusters)
    .set({
      ...changed(move.to),
      attention: null,
      operationId: stopJobId,
      nextOperationId: null,
      operationSeq: sql`${clusters.operationSeq} + 1`,
    })
    .where(and(sameAsRead(asRead), eq(clusters.nextOperationId, stopJobId), eq(clusters.state, 'Starting')))
    .returning(returned);
  if (row === undefined) return undefined;
  await append(tx, asRead, row, move);
  return row;
}

/**
 * Frees an orphan (REC-4, REC-7): state, owner and token exactly as read. Takes the next token, so whatever the lost worker still
 * does comes too late. `move` null: it only loses its owner (a go-ahead operation, or one at rest). Misses while a stop waits, which
 * moves no token when it is stored: it would wait for ever; `handOver` is its way.
 */
export async function recover(
  tx: Transaction,
  asRead: AsRead,
  options: { move: Move | null; attention: Attention },
): Promise<Moved | undefined> {
  const { move } = options;
  const [row] = await tx
    .update(clusters)
    .set({
      ...(move === null ? {} : changed(move.to)),
      attention: options.attention,
      operationId: null,
      operationSeq: sql`${clusters.operationSeq} + 1`,
    })
    .where(and(sameAsRead(asRead), isNull(clusters.nextOperationId)))
    .returning(returned);
  if (row === undefined) return undefined;
  if (move !== null) await append(tx, asRead, row, move);
  return row;
}

/** Running or Stopped, unowned, found otherwise than recorded → Alert (FaultsDetected). Takes the next token. */
export async function drift(
  tx: Transaction,
  asRead: AsRead,
  move: Move,
  attention: Attention,
): Promise<Moved | undefined> {
  const [row] = await tx
    .update(clusters)
    .set({ ...changed(move.to), attention, operationSeq: sql`${clusters.operationSeq} + 1` })
    .where(and(sameAsRead(asRead), isNull(clusters.operationId)))
    .returning(returned);
  if (row === undefined) return undefined;
  await append(tx, asRead, row, move);
  return row;
}

function sameAsRead(asRead: AsRead) {
  return and(
    eq(clusters.id, asRead.clusterId),
    eq(clusters.state, asRead.state),
    eq(clusters.operationSeq, asRead.operationSeq),
    asRead.operationId === null ? isNull(clusters.operationId) : eq(clusters.operationId, asRead.operationId),
  );
}

/** I4: one row a change, numbered by a counter on the cluster row, in the same transaction. */
async function append(tx: Transaction, asRead: AsRead, row: Moved & { seq: number }, move: Move): Promise<void> {
  await tx.insert(transitions).values({
    clusterId: asRead.clusterId,
    seq: row.seq,
    jobId: move.jobId,
    token: row.token,
    serverId: move.serverId,
    event: move.event,
    fromState: asRead.state,
    toState: move.to,
    cause: move.cause,
    reason: move.reason ?? null,
  });
}
