/** The fleet in numbers, for the badges of the side bar and the cards of the overview. */
import { desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { passes } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import type { ClusterState } from '@/domain/states';
import { presetCondition } from './cluster-conditions';
import { iso, type Reader } from './reader';

export interface FleetSummary {
  readonly clusters: number;
  readonly attention: number;
  readonly operating: number;
  readonly orphaned: number;
  readonly jobsInProgress: number;
  readonly serversUp: number;
  /** Silent or draining. */
  readonly serversNotUp: number;
  readonly states: Partial<Readonly<Record<ClusterState, number>>>;
  readonly recovery: {
    /** When the last applied pass began; null: none ever ran. */
    readonly lastPassAt: string | null;
    readonly isLate: boolean;
    readonly lastStatus: string | null;
  };
}

/** A pass is called late after this many periods of the cron caller. */
const latePeriods = 3;

export async function fleetSummary(db: Queryable, reader: Reader, cronPeriodMs: number): Promise<FleetSummary> {
  const [numbers, states, fleet, pass, open] = await Promise.all([
    clusterNumbers(db, reader),
    stateCounts(db),
    serverNumbers(db, reader),
    lastPass(db, cronPeriodMs),
    db.select({ count: sql<number>`count(*)::int` }).from(jobs).where(sql`${jobs.status} in ('in_progress','waiting')`),
  ]);
  return { ...numbers, ...fleet, states, recovery: pass, jobsInProgress: open[0]?.count ?? 0 };
}

async function clusterNumbers(db: Queryable, reader: Reader) {
  const count = (preset: 'all' | 'attention' | 'operating' | 'orphaned') =>
    sql<number>`(count(*) filter (where ${presetCondition(preset, reader)}))::int`;
  const [row] = await db
    .select({
      clusters: count('all'),
      attention: count('attention'),
      operating: count('operating'),
      orphaned: count('orphaned'),
    })
    .from(clusters)
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(sql`${clusters.removedAt} is null`);
  return row ?? { clusters: 0, attention: 0, operating: 0, orphaned: 0 };
}

async function stateCounts(db: Queryable): Promise<FleetSummary['states']> {
  const rows = await db
    .select({ state: clusters.state, count: sql<number>`count(*)::int` })
    .from(clusters)
    .where(sql`${clusters.removedAt} is null`)
    .groupBy(clusters.state);
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

async function serverNumbers(db: Queryable, reader: Reader) {
  const isUp = sql`(${servers.state} = 'up' and ${servers.lastBeatAt} >= clock_timestamp() - ${reader.beatMs * 2}::float8 * interval '1 millisecond')`;
  const [row] = await db
    .select({
      serversUp: sql<number>`(count(*) filter (where ${isUp}))::int`,
      serversNotUp: sql<number>`(count(*) filter (where not ${isUp}))::int`,
    })
    .from(servers)
    .where(sql`${servers.state} <> 'departed'`);
  return row ?? { serversUp: 0, serversNotUp: 0 };
}

async function lastPass(db: Queryable, cronPeriodMs: number): Promise<FleetSummary['recovery']> {
  const [row] = await db
    .select({
      at: passes.startedAt,
      status: passes.status,
      isLate: sql<boolean>`${passes.startedAt} < clock_timestamp() - ${cronPeriodMs * latePeriods}::float8 * interval '1 millisecond'`,
    })
    .from(passes)
    .where(eq(passes.mode, 'apply'))
    .orderBy(desc(passes.id))
    .limit(1);
  if (row === undefined) return { lastPassAt: null, isLate: true, lastStatus: null };
  return { lastPassAt: iso(row.at), isLate: row.isLate, lastStatus: row.status };
}
