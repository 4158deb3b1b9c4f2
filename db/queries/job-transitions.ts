/** Transitions that a job made, and the states its cluster went through meanwhile. */
import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters, transitions } from '@/db/schema/clusters';
import { servers } from '@/db/schema/servers';
import type { TransitionCause } from '@/domain/jobs';
import type { ClusterEvent, ClusterState } from '@/domain/states';

export interface JobTransition {
  readonly seq: number;
  readonly token: number;
  readonly event: ClusterEvent | null;
  readonly from: ClusterState;
  readonly to: ClusterState;
  readonly cause: TransitionCause;
  readonly reason: string | null;
  readonly serverName: string | null;
  readonly at: string;
}

export interface BandPart {
  readonly state: ClusterState;
  readonly from: string;
  /** Null: it goes on. */
  readonly to: string | null;
}

export async function transitionsOfJob(queryable: Queryable, jobId: string): Promise<readonly JobTransition[]> {
  const rows = await queryable
    .select({
      seq: transitions.seq,
      token: transitions.token,
      event: transitions.event,
      from: transitions.fromState,
      to: transitions.toState,
      cause: transitions.cause,
      reason: transitions.reason,
      serverName: servers.name,
      at: transitions.at,
    })
    .from(transitions)
    .leftJoin(servers, eq(servers.id, transitions.serverId))
    .where(eq(transitions.jobId, jobId))
    .orderBy(asc(transitions.at));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** A moment before and after, so that the state it came from and the one it left behind are seen. */
const marginMs = 1000;

export async function bandOf(
  queryable: Queryable,
  clusterId: string,
  window: { from: Date; to: Date | null },
): Promise<readonly BandPart[]> {
  const from = new Date(window.from.getTime() - marginMs);
  const to = window.to === null ? null : new Date(window.to.getTime() + marginMs);
  const read = { state: transitions.toState, at: transitions.at };
  const [before, within, [cluster]] = await Promise.all([
    queryable
      .select(read)
      .from(transitions)
      .where(and(eq(transitions.clusterId, clusterId), lte(transitions.at, from)))
      .orderBy(desc(transitions.seq))
      .limit(1),
    queryable
      .select({ ...read, fromState: transitions.fromState })
      .from(transitions)
      .where(
        and(
          eq(transitions.clusterId, clusterId),
          gt(transitions.at, from),
          to === null ? undefined : lte(transitions.at, to),
        ),
      )
      .orderBy(asc(transitions.seq))
      .limit(200),
    queryable
      .select({ state: clusters.state, seq: sql<number>`${clusters.transitionSeq}::int` })
      .from(clusters)
      .where(eq(clusters.id, clusterId)),
  ]);
  const first = before[0]?.state ?? within[0]?.fromState ?? cluster?.state;
  if (first === undefined) return [];
  const starts = [{ state: first, at: from }, ...within];
  return starts.map((part, index) => ({
    state: part.state,
    from: part.at.toISOString(),
    to: (starts[index + 1]?.at ?? to)?.toISOString() ?? null,
  }));
}
