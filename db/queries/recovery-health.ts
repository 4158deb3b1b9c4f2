/** The watchdog is watched (interface B12): whether passes are asked for, and the likely reason when they are not. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { passes } from '@/db/schema/records';
import type { Reader } from './reader';
import { type PassRow, type PassStatus, selectPasses, toPassRow } from './recovery';

export interface RecoveryHealth {
  readonly lastPass: PassRow | null;
  /** Seconds since it began, by PostgreSQL's clock. */
  readonly lastPassAgeSeconds: number | null;
  /** Of the last one by cron; another trigger does not make a silent cron healthy. */
  readonly lastCronAgeSeconds: number | null;
  readonly periodMs: number;
  readonly isLate: boolean;
  /** The most likely reason, and where to look; null unless late. */
  readonly lateReason: string | null;
  /** The pass that applies now, if one does. */
  readonly runningPassId: number | null;
  /** After this long without a beat a server has departed. */
  readonly deadAfterMs: number;
}

/** A pass is called late after this many periods of the cron caller (interface B12). */
const latePeriods = 3;

export async function recoveryHealth(
  queryable: Queryable,
  reader: Reader,
  cronSecretIsSet: boolean,
): Promise<RecoveryHealth> {
  const age = sql<number>`extract(epoch from clock_timestamp() - ${passes.startedAt})::float8`;
  const newest = (where: SQL | undefined) =>
    queryable
      .select({ id: passes.id, age, status: passes.status })
      .from(passes)
      .where(where)
      .orderBy(desc(passes.id))
      .limit(1);
  const applied = eq(passes.mode, 'apply');
  const [[last], [cron], [running]] = await Promise.all([
    newest(applied),
    newest(and(applied, eq(passes.trigger, 'cron'))),
    newest(and(applied, eq(passes.status, 'running'))),
  ]);
  const [row] = last === undefined ? [] : await selectPasses(queryable).where(eq(passes.id, last.id));
  const { cronPeriodMs: periodMs, leaseMs: deadAfterMs } = reader;
  const isLate = cron === undefined || cron.age * 1000 > periodMs * latePeriods;
  return {
    lastPass: row === undefined ? null : toPassRow(row),
    lastPassAgeSeconds: last?.age ?? null,
    lastCronAgeSeconds: cron?.age ?? null,
    periodMs,
    isLate,
    lateReason: isLate ? lateReason(cronSecretIsSet, cron) : null,
    runningPassId: running?.id ?? null,
    deadAfterMs,
  };
}

function lateReason(cronSecretIsSet: boolean, cron: { status: PassStatus } | undefined): string {
  if (!cronSecretIsSet) return 'CRON_SECRET is not set on this server, so /api/cron/recovery is closed.';
  if (cron === undefined)
    return 'The cron caller has never been let in: it does not run, or it has another CRON_SECRET.';
  if (cron.status === 'failed') return 'The last pass broke off with an error; the server log has it.';
  if (cron.status === 'interrupted') return 'The server that ran the last pass departed, and nobody has called since.';
  return 'The cron caller has stopped calling, or is answered 401 because of another CRON_SECRET.';
}
