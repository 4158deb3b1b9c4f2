/** Rows of the scanner's passes: begun under a live server's lease, one ownership half and one cloud half at a time. */
import { and, asc, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import { scannerActor } from '@/domain/actor';
import type { PassCounts, PassDecision, PassMode, PassTrigger } from '@/domain/passes';
import type { Database, Queryable, Transaction } from './client';
import { violatesUnique } from './errors';
import { recordEvent } from './events';
import { passDecisions, passes } from './schema/records';
import { servers } from './schema/servers';
import { type Departed, markDeparted } from './servers';

export interface Judge {
  readonly serverId: string;
  readonly leaseMs: number;
  readonly beatMs: number;
}

export interface NewPass {
  readonly mode: PassMode;
  readonly trigger: PassTrigger;
  readonly actorName: string;
  /** Passes that the asking process runs; other open rows of its boot were left behind by an error. */
  readonly ownPasses: readonly number[];
}

export type Opened =
  | { readonly kind: 'opened'; readonly passId: number; readonly departed: readonly Departed[] }
  | { readonly kind: 'already-running'; readonly passId: number }
  | { readonly kind: 'not-live' };

/**
 * Begins a pass in one transaction: departed servers are marked (apply only), passes of departed servers are closed as interrupted,
 * then the row is inserted; the unique index lets one apply through. `not-live`: the asking server's own lease is over.
 */
export async function openPass(db: Database, judge: Judge, pass: NewPass): Promise<Opened> {
  return db.transaction(async (tx): Promise<Opened> => {
    if (!(await isLive(tx, judge.serverId))) return { kind: 'not-live' };
    const departed = pass.mode === 'apply' ? await markDeparted(tx, judge) : [];
    for (const server of departed) await recordDeparture(tx, server);
    await closeInterrupted(tx, judge.serverId, pass.ownPasses);
    const { mode, trigger, actorName } = pass;
    const [row] = await tx
      .insert(passes)
      .values({ mode, trigger, actorName, serverId: judge.serverId, departed: departed.length })
      .onConflictDoNothing()
      .returning({ id: passes.id });
    if (row !== undefined) return { kind: 'opened', passId: row.id, departed };
    return { kind: 'already-running', passId: await runningPassId(tx) };
  });
}

async function isLive(tx: Transaction, serverId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: servers.id })
    .from(servers)
    .where(and(eq(servers.id, serverId), sql`${servers.state} <> 'departed' and ${servers.leaseUntil} > clock_timestamp()`));
  return rows.length === 1;
}

async function recordDeparture(tx: Transaction, server: Departed): Promise<void> {
  const why = server.departure === 'replaced' ? 'a later boot of the same name is up and it has missed two beats' : 'its lease ran out';
  await recordEvent(tx, {
    type: 'server.departed',
    result: 'ok',
    actor: scannerActor,
    serverId: server.id,
    summary: `${server.name} has departed: ${why}`,
    detail: { departure: server.departure },
  });
}

/** Rows whose server has departed, or which this boot left open without running them any more, hold back nobody. */
async function closeInterrupted(tx: Transaction, serverId: string, ownPasses: readonly number[]): Promise<void> {
  const departed = tx.select({ id: servers.id }).from(servers).where(eq(servers.state, 'departed'));
  await tx
    .update(passes)
    .set({ status: 'interrupted', finishedAt: sql`clock_timestamp()`, error: 'Its server departed, or lost it to an error, while it ran.' })
    .where(
      and(
        eq(passes.status, 'running'),
        or(
          inArray(passes.serverId, departed),
          and(eq(passes.serverId, serverId), ownPasses.length === 0 ? undefined : notInArray(passes.id, [...ownPasses])),
        ),
      ),
    );
}

/** The pass that was in the way; if it has ended since, the newest. */
async function runningPassId(tx: Transaction): Promise<number> {
  const [row] = await tx
    .select({ id: passes.id })
    .from(passes)
    .where(eq(passes.mode, 'apply'))
    .orderBy(sql`(${passes.status} = 'running' and ${passes.ownershipDoneAt} is null) desc, ${passes.id} desc`)
    .limit(1);
  if (row === undefined) throw new Error('a pass was in the way and yet there is none');
  return row.id;
}

/** Thrown when a pass's row was closed under it: its server was taken for departed. It stops at once. */
export class PassLost extends Error {
  constructor(passId: number) {
    super(`pass ${passId} was closed as interrupted while it ran`);
    this.name = 'PassLost';
  }
}

/** The database half is complete: the next pass may begin. */
export async function ownershipDone(queryable: Queryable, passId: number, counts: PassCounts, gate: string | null): Promise<void> {
  const rows = await queryable
    .update(passes)
    .set({ ...counts, gate, ownershipDoneAt: sql`clock_timestamp()` })
    .where(and(eq(passes.id, passId), eq(passes.status, 'running'), isNull(passes.ownershipDoneAt)))
    .returning({ id: passes.id });
  if (rows.length === 0) throw new PassLost(passId);
}

/** Takes the cloud half for this pass. False: that of an earlier pass is still under way. */
export async function takeCloudHalf(queryable: Queryable, passId: number): Promise<boolean> {
  try {
    const rows = await queryable
      .update(passes)
      .set({ cloud: 'running' })
      .where(and(eq(passes.id, passId), eq(passes.status, 'running')))
      .returning({ id: passes.id });
    if (rows.length === 0) throw new PassLost(passId);
    return true;
  } catch (error) {
    if (violatesUnique(error, 'passes_one_cloud_half')) return false;
    throw error;
  }
}

export interface PassEnd {
  readonly status: 'done' | 'failed';
  readonly counts: PassCounts;
  readonly cloud: 'done' | 'skipped' | 'failed' | null;
  readonly cloudNote: string | null;
  readonly error: string | null;
}

/** Ends a pass that is still open. False: it was closed as interrupted before. */
export async function finishPass(queryable: Queryable, passId: number, end: PassEnd): Promise<boolean> {
  const { counts, ...rest } = end;
  const rows = await queryable
    .update(passes)
    .set({ ...counts, ...rest, finishedAt: sql`clock_timestamp()` })
    .where(and(eq(passes.id, passId), eq(passes.status, 'running')))
    .returning({ id: passes.id });
  return rows.length === 1;
}

const rowsAStatement = 500;

/** Stores decisions under ordinals from `first`; each decision has one row a pass. */
export async function storeDecisions(queryable: Queryable, passId: number, first: number, decisions: readonly PassDecision[]): Promise<void> {
  for (let from = 0; from < decisions.length; from += rowsAStatement) {
    const rows = decisions.slice(from, from + rowsAStatement);
    await queryable.insert(passDecisions).values(rows.map((row, index) => ({ ...row, passId, ordinal: first + from + index })));
  }
}

export interface LastDecision {
  readonly code: string;
  readonly jobId: string | null;
  readonly reason: string;
}

/** What the newest apply pass that wrote about each cluster said: so that a pass every five seconds repeats nothing. */
export async function lastDecisions(queryable: Queryable, clusterIds: readonly string[]): Promise<ReadonlyMap<string, LastDecision>> {
  const found = new Map<string, LastDecision>();
  for (let from = 0; from < clusterIds.length; from += rowsAStatement) {
    const ids = clusterIds.slice(from, from + rowsAStatement);
    const rows = await queryable
      .selectDistinctOn([passDecisions.clusterId], {
        clusterId: passDecisions.clusterId,
        code: passDecisions.code,
        jobId: passDecisions.jobId,
        reason: passDecisions.reason,
      })
      .from(passDecisions)
      .innerJoin(passes, and(eq(passes.id, passDecisions.passId), eq(passes.mode, 'apply')))
      .where(inArray(passDecisions.clusterId, [...ids]))
      .orderBy(asc(passDecisions.clusterId), sql`${passDecisions.passId} desc, ${passDecisions.ordinal} desc`);
    for (const row of rows) if (row.clusterId !== null) found.set(row.clusterId, row);
  }
  return found;
}
