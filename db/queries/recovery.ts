/** Reads of the Recovery page: how the recoverer itself is doing, its passes, and one pass as it was decided. */
import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { passDecisions, passes } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import type { PassCounts, PassDecision, PassMode, PassTrigger } from '@/domain/passes';
import { iso, isoOrNull, type Reader } from './reader';

export type PassStatus = 'running' | 'done' | 'failed' | 'interrupted';

export interface PassRow extends PassCounts {
  readonly id: number;
  readonly mode: PassMode;
  readonly trigger: PassTrigger;
  readonly actorName: string;
  readonly serverId: string;
  readonly serverName: string;
  readonly status: PassStatus;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Of the database half: how long recovery itself took. Null while it runs. */
  readonly ownershipMs: number | null;
  /** Of both halves. */
  readonly tookMs: number | null;
  readonly cloud: 'running' | 'done' | 'skipped' | 'failed' | null;
  readonly cloudNote: string | null;
  readonly gate: string | null;
  readonly error: string | null;
}

const milliseconds = (until: SQL) => sql<number | null>`(extract(epoch from ${until} - ${passes.startedAt}) * 1000)::float8`;

const columns = {
  id: passes.id,
  mode: passes.mode,
  trigger: passes.trigger,
  actorName: passes.actorName,
  serverId: passes.serverId,
  serverName: servers.name,
  status: passes.status,
  startedAt: passes.startedAt,
  finishedAt: passes.finishedAt,
  ownershipMs: milliseconds(sql`${passes.ownershipDoneAt}`),
  tookMs: milliseconds(sql`${passes.finishedAt}`),
  cloud: passes.cloud,
  cloudNote: passes.cloudNote,
  gate: passes.gate,
  error: passes.error,
  lookedAt: passes.lookedAt,
  recovered: passes.recovered,
  left: passes.left,
  missed: passes.missed,
  errors: passes.errors,
  departed: passes.departed,
  alerted: passes.alerted,
  jobsStarted: passes.jobsStarted,
  swept: passes.swept,
};

function selectPasses(queryable: Queryable) {
  return queryable.select(columns).from(passes).innerJoin(servers, eq(servers.id, passes.serverId)).$dynamic();
}

type Selected = Awaited<ReturnType<typeof selectPasses>>[number];

function toRow(row: Selected): PassRow {
  return { ...row, startedAt: iso(row.startedAt), finishedAt: isoOrNull(row.finishedAt) };
}

const stripLength = 50;

/** The newest passes that applied, newest first; a square each in the strip. */
export async function passStrip(queryable: Queryable, _reader: Reader): Promise<readonly PassRow[]> {
  const rows = await selectPasses(queryable).where(eq(passes.mode, 'apply')).orderBy(desc(passes.id)).limit(stripLength);
  return rows.map(toRow);
}

export interface PassPage {
  readonly rows: readonly PassRow[];
  /** Id to pass as `after` for the next page; null on the last. */
  readonly next: number | null;
}

export interface PassFilter {
  /** `eventful`: those that did, missed or failed something. */
  readonly show: 'all' | 'eventful';
  readonly mode?: PassMode | undefined;
  readonly after?: number | undefined;
}

const pageSize = 50;
const isEventful = sql`(${passes.recovered} + ${passes.missed} + ${passes.errors} + ${passes.departed} + ${passes.alerted} + ${passes.jobsStarted} + ${passes.swept} > 0
  or ${passes.status} in ('failed', 'interrupted') or ${passes.gate} is not null or ${passes.mode} = 'preview')`;

export async function listPasses(queryable: Queryable, _reader: Reader, filter: PassFilter): Promise<PassPage> {
  const { show, mode, after } = filter;
  const rows = await selectPasses(queryable)
    .where(
      and(
        after === undefined ? undefined : lt(passes.id, after),
        mode === undefined ? undefined : eq(passes.mode, mode),
        show === 'all' ? undefined : isEventful,
      ),
    )
    .orderBy(desc(passes.id))
    .limit(pageSize + 1);
  const shown = rows.slice(0, pageSize);
  return { rows: shown.map(toRow), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null };
}

export interface PassDetail extends PassRow {
  /** As decided then. A pass by cron leaves out clusters that were left alone for the reason already on record. */
  readonly decisions: readonly PassDecision[];
}

export async function passDetail(queryable: Queryable, _reader: Reader, passId: number): Promise<PassDetail | undefined> {
  const [row] = await selectPasses(queryable).where(eq(passes.id, passId));
  if (row === undefined) return undefined;
  const decisions = await queryable
    .select({
      clusterId: passDecisions.clusterId,
      clusterName: passDecisions.clusterName,
      jobId: passDecisions.jobId,
      state: passDecisions.state,
      seenSeq: passDecisions.seenSeq,
      decision: passDecisions.decision,
      code: passDecisions.code,
      reason: passDecisions.reason,
      becomes: passDecisions.becomes,
      result: passDecisions.result,
    })
    .from(passDecisions)
    .where(eq(passDecisions.passId, passId))
    .orderBy(asc(passDecisions.ordinal));
  return { ...toRow(row), decisions };
}

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

export interface RecoverySettings {
  readonly cronPeriodMs: number;
  readonly leaseMs: number;
  readonly cronSecretIsSet: boolean;
}

/** A pass is called late after this many periods of the cron caller (interface B12). */
const latePeriods = 3;

export async function recoveryHealth(queryable: Queryable, _reader: Reader, settings: RecoverySettings): Promise<RecoveryHealth> {
  const age = sql<number>`extract(epoch from clock_timestamp() - ${passes.startedAt})::float8`;
  const newest = (where: SQL | undefined) =>
    queryable.select({ id: passes.id, age, status: passes.status }).from(passes).where(where).orderBy(desc(passes.id)).limit(1);
  const applied = eq(passes.mode, 'apply');
  const [[last], [cron], [running]] = await Promise.all([
    newest(applied),
    newest(and(applied, eq(passes.trigger, 'cron'))),
    newest(and(applied, eq(passes.status, 'running'))),
  ]);
  const [row] = last === undefined ? [] : await selectPasses(queryable).where(eq(passes.id, last.id));
  const { cronPeriodMs: periodMs, leaseMs: deadAfterMs } = settings;
  const isLate = cron === undefined || cron.age * 1000 > periodMs * latePeriods;
  return {
    lastPass: row === undefined ? null : toRow(row),
    lastPassAgeSeconds: last?.age ?? null,
    lastCronAgeSeconds: cron?.age ?? null,
    periodMs,
    isLate,
    lateReason: isLate ? lateReason(settings, cron) : null,
    runningPassId: running?.id ?? null,
    deadAfterMs,
  };
}

function lateReason({ cronSecretIsSet }: RecoverySettings, cron: { status: PassStatus } | undefined): string {
  if (!cronSecretIsSet) return 'CRON_SECRET is not set on this server, so /api/cron/recovery is closed.';
  if (cron === undefined) return 'The cron caller has never been let in: it does not run, or it has another CRON_SECRET.';
  if (cron.status === 'failed') return 'The last pass broke off with an error; the server log has it.';
  if (cron.status === 'interrupted') return 'The server that ran the last pass departed, and nobody has called since.';
  return 'The cron caller has stopped calling, or is answered 401 because of another CRON_SECRET.';
}
