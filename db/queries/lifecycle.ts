/** Reads of the state machine's page: how many clusters are in each state, how often each edge was taken, how long states last. */
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters, transitions } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import type { TransitionCause } from '@/domain/jobs';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import type { Usual } from './job-usual';
import type { Reader } from './reader';

export interface EdgeUse {
  readonly from: ClusterState;
  readonly event: ClusterEvent;
  readonly to: ClusterState;
  /** In the last 24 hours. */
  readonly count: number;
}

export interface LifecycleFleet {
  readonly counts: Readonly<Partial<Record<ClusterState, number>>>;
  readonly uses: readonly EdgeUse[];
  /** How long a cluster stays in an operation's state, over thirty days. */
  readonly dwell: Readonly<Record<string, Usual>>;
}

const fewestStays = 5;

export async function lifecycleFleet(queryable: Queryable, _reader: Reader): Promise<LifecycleFleet> {
  const [counts, uses, dwell] = await Promise.all([
    queryable
      .select({ state: clusters.state, count: sql<number>`count(*)::int` })
      .from(clusters)
      .where(isNull(clusters.removedAt))
      .groupBy(clusters.state),
    queryable
      .select({
        from: transitions.fromState,
        event: transitions.event,
        to: transitions.toState,
        count: sql<number>`count(*)::int`,
      })
      .from(transitions)
      .where(sql`${transitions.at} > now() - interval '24 hours'`)
      .groupBy(transitions.fromState, transitions.event, transitions.toState),
    queryable.execute<{ state: string; p50: number; p95: number; runs: number }>(sql`
      select state, count(*)::int as runs, percentile_cont(0.5) within group (order by stay)::float8 as p50,
        percentile_cont(0.95) within group (order by stay)::float8 as p95
      from (
        select to_state::text as state,
          extract(epoch from lead(at) over (partition by cluster_id order by seq) - at) * 1000 as stay
        from (select * from transitions where at > now() - interval '30 days' order by at desc limit 20000) lately
      ) stays
      where stay is not null and state in ('Starting','Stopping','Scaling','ScalingStoppedCluster','Upgrading','Importing','RemovingNodes','Recovering','Destroying')
      group by state having count(*) >= ${fewestStays}`),
  ]);
  return {
    counts: Object.fromEntries(counts.map((row) => [row.state, row.count])),
    uses: uses.flatMap(({ event, ...row }) => (event === null ? [] : [{ ...row, event }])),
    dwell: Object.fromEntries(dwell.map((row) => [row.state, { p50Ms: row.p50, p95Ms: row.p95, runs: row.runs }])),
  };
}

export interface PathStep {
  readonly seq: number;
  readonly from: ClusterState;
  readonly to: ClusterState;
  readonly event: ClusterEvent | null;
  readonly cause: TransitionCause;
  readonly reason: string | null;
  readonly token: number;
  readonly jobId: string | null;
  readonly jobKind: string | null;
  readonly actorName: string | null;
  readonly at: string;
}

export interface ClusterPath {
  readonly clusterId: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly stateSince: string;
  readonly createdAt: string;
  readonly isRemoved: boolean;
  /** Oldest first; of a long life the newest part. */
  readonly steps: readonly PathStep[];
  /** Steps before the first one shown. */
  readonly earlier: number;
}

const mostSteps = 300;

/** The life of one cluster as its transitions tell it. Undefined: there is no such cluster. */
export async function clusterPath(
  queryable: Queryable,
  _reader: Reader,
  clusterId: string,
): Promise<ClusterPath | undefined> {
  const [cluster] = await queryable
    .select({
      name: clusters.name,
      state: clusters.state,
      stateSince: clusters.stateSince,
      createdAt: clusters.createdAt,
      removedAt: clusters.removedAt,
    })
    .from(clusters)
    .where(eq(clusters.id, clusterId));
  if (cluster === undefined) return undefined;
  const rows = await queryable
    .select({
      seq: transitions.seq,
      from: transitions.fromState,
      to: transitions.toState,
      event: transitions.event,
      cause: transitions.cause,
      reason: transitions.reason,
      token: transitions.token,
      jobId: transitions.jobId,
      jobKind: jobs.kind,
      actor: jobs.actor,
      at: transitions.at,
    })
    .from(transitions)
    .leftJoin(jobs, eq(jobs.id, transitions.jobId))
    .where(and(eq(transitions.clusterId, clusterId)))
    .orderBy(desc(transitions.seq))
    .limit(mostSteps);
  const steps = rows
    .reverse()
    .map(({ actor, ...row }) => ({ ...row, actorName: actor?.name ?? null, at: row.at.toISOString() }));
  return {
    clusterId,
    name: cluster.name,
    state: cluster.state,
    stateSince: cluster.stateSince.toISOString(),
    createdAt: cluster.createdAt.toISOString(),
    isRemoved: cluster.removedAt !== null,
    steps,
    earlier: Math.max(0, (steps[0]?.seq ?? 1) - 1),
  };
}
