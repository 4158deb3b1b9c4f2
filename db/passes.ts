/** Rows of the scanner's passes: begun under a live server's lease, one ownership half and one cloud half at a time. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { scannerActor } from '@/domain/actor';
import type { PassCounts, PassMode, PassTrigger } from '@/domain/passes';
import type { Database, Queryable, Transaction } from './client';
import { violatesUnique } from './errors';
import { recordEvent } from './events';
import { passes } from './schema/records';
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
  /** The asking process's passes: told of this one before its commit, so that no other caller can see the row and not the memory. */
  readonly memory: { has(passId: number): boolean; add(passId: number): unknown };
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
    await closeInterrupted(tx, judge.serverId, pass.memory);
    const { mode, trigger, actorName } = pass;
    const [row] = await tx
      .insert(passes)
      .values({ mode, trigger, actorName, serverId: judge.serverId, departed: departed.length })
      .onConflictDoNothing()
      .returning({ id: passes.id });
    if (row !== undefined) {
      pass.memory.add(row.id);
      return { kind: 'opened', passId: row.id, departed };
    }
    return { kind: 'already-running', passId: await runningPassId(tx) };
  });
}

async function isLive(tx: Transaction, serverId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: servers.id })
    .from(servers)
    .where(
      and(eq(servers.id, serverId), sql`${servers.state} <> 'departed' and ${servers.leaseUntil} > clock_timestamp()`),
    );
  return rows.length === 1;
}

async function recordDeparture(tx: Transaction, server: Departed): Promise<void> {
  const why =
    server.departure === 'replaced'
      ? 'a later boot of the same name is up and it has missed two beats'
      : 'its lease ran out';
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
async function closeInterrupted(tx: Transaction, serverId: string, memory: NewPass['memory']): Promise<void> {
  const open = await tx
    .select({ id: passes.id, serverId: passes.serverId, departed: sql<boolean>`${servers.state} = 'departed'` })
    .from(passes)
    .innerJoin(servers, eq(servers.id, passes.serverId))
    .where(eq(passes.status, 'running'));
  const left = open.filter((pass) => pass.departed || (pass.serverId === serverId && !memory.has(pass.id)));
  if (left.length === 0) return;
  const error = 'Its server departed, or lost it to an error, while it ran.';
  await tx
    .update(passes)
    .set({ status: 'interrupted', finishedAt: sql`clock_timestamp()`, error })
    .where(
      and(
        eq(passes.status, 'running'),
        inArray(
          passes.id,
          left.map((pass) => pass.id),
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
export async function ownershipDone(
  queryable: Queryable,
  passId: number,
  counts: PassCounts,
  gate: string | null,
): Promise<void> {
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
