/** Reads of the Recovery page: passes, and one pass as it was decided. */
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

const milliseconds = (until: SQL) =>
  sql<number | null>`(extract(epoch from ${until} - ${passes.startedAt}) * 1000)::float8`;

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

/** Also for the health of recovery. */
export function selectPasses(queryable: Queryable) {
  return queryable.select(columns).from(passes).innerJoin(servers, eq(servers.id, passes.serverId)).$dynamic();
}

type Selected = Awaited<ReturnType<typeof selectPasses>>[number];

export function toPassRow(row: Selected): PassRow {
  return { ...row, startedAt: iso(row.startedAt), finishedAt: isoOrNull(row.finishedAt) };
}

const stripLength = 50;

/** The newest passes that applied, newest first; a square each in the strip. */
export async function passStrip(queryable: Queryable, _reader: Reader): Promise<readonly PassRow[]> {
  const rows = await selectPasses(queryable)
    .where(eq(passes.mode, 'apply'))
    .orderBy(desc(passes.id))
    .limit(stripLength);
  return rows.map(toPassRow);
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
  return { rows: shown.map(toPassRow), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null };
}

export interface PassDetail extends PassRow {
  /** As decided then. A pass by cron leaves out clusters that were left alone for the reason already on record. */
  readonly decisions: readonly PassDecision[];
}

export async function passDetail(
  queryable: Queryable,
  _reader: Reader,
  passId: number,
): Promise<PassDetail | undefined> {
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
  return { ...toPassRow(row), decisions };
}
