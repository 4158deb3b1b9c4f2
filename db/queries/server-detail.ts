/** One boot of a server: what it holds and what recovery would make of that, its other boots, its events. */
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { events } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import type { EventResult, EventType } from '@/domain/events';
import { failureTarget } from '@/domain/orphans';
import type { ClusterState } from '@/domain/states';
import { iso, isoOrNull, type Reader } from './reader';
import { type ServerRow, selectServers, toServerRow } from './servers';

/** A job in progress, and what would become of its cluster if this server died now (interface B10). */
export interface HeldWork {
  readonly jobId: string;
  readonly kind: string;
  readonly actorName: string;
  readonly currentStep: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly startedAt: string | null;
  /** Null: a job of an older server that names no cluster. */
  readonly cluster: { readonly id: string; readonly name: string; readonly state: ClusterState } | null;
  /** The state that recovery would give it; null: its state stays and it only loses its owner. */
  readonly wouldBecome: ClusterState | null;
  readonly stopWaits: boolean;
}

export interface ServerDetail extends ServerRow {
  readonly held: readonly HeldWork[];
  /** Other boots of the same name, newest first. */
  readonly boots: readonly ServerRow[];
  readonly events: readonly ServerEvent[];
}

export interface ServerEvent {
  readonly id: number;
  readonly at: string;
  readonly type: EventType;
  readonly result: EventResult;
  readonly actorName: string;
  readonly summary: string;
}

const bootsShown = 10;
const eventsShown = 50;

export async function serverDetail(
  queryable: Queryable,
  reader: Reader,
  serverId: string,
): Promise<ServerDetail | undefined> {
  const [row] = await selectServers(queryable, reader).where(eq(servers.id, serverId));
  if (row === undefined) return undefined;
  const [held, boots, seen] = await Promise.all([
    heldWork(queryable, serverId),
    selectServers(queryable, reader)
      .where(and(eq(servers.name, row.name), ne(servers.id, serverId)))
      .orderBy(desc(servers.startedAt))
      .limit(bootsShown),
    serverEvents(queryable, serverId),
  ]);
  return { ...toServerRow(row, reader), held, boots: boots.map((boot) => toServerRow(boot, reader)), events: seen };
}

async function heldWork(queryable: Queryable, serverId: string): Promise<readonly HeldWork[]> {
  const rows = await queryable
    .select({
      jobId: jobs.id,
      kind: jobs.kind,
      actorName: sql<string>`coalesce(${jobs.actor}->>'name', 'unknown')`,
      currentStep: jobs.currentStep,
      stepsDone: jobs.stepsDone,
      stepsTotal: jobs.stepsTotal,
      startedAt: jobs.startedAt,
      failureEvent: jobs.failureEvent,
      clusterId: clusters.id,
      clusterName: clusters.name,
      clusterState: clusters.state,
      stopWaits: sql<boolean>`${clusters.nextOperationId} is not null`,
    })
    .from(jobs)
    .leftJoin(clusters, eq(clusters.id, jobs.clusterId))
    .where(and(eq(jobs.serverId, serverId), sql`${jobs.status} = 'in_progress'`))
    .orderBy(asc(jobs.acceptedAt));
  return rows.map(({ clusterId, clusterName, clusterState, failureEvent, startedAt, ...job }) => {
    const cluster =
      clusterId === null || clusterName === null || clusterState === null
        ? null
        : { id: clusterId, name: clusterName, state: clusterState };
    const target = cluster === null ? null : failureTarget(cluster.state, failureEvent);
    return {
      ...job,
      startedAt: isoOrNull(startedAt),
      cluster,
      wouldBecome: job.stopWaits && cluster?.state === 'Starting' ? 'Stopping' : target,
    };
  });
}

async function serverEvents(queryable: Queryable, serverId: string): Promise<readonly ServerEvent[]> {
  const rows = await queryable
    .select({
      id: events.id,
      at: events.at,
      type: events.type,
      result: events.result,
      actorName: events.actorName,
      summary: events.summary,
    })
    .from(events)
    .where(
      and(inArray(events.type, ['server.started', 'server.departed', 'server.drain']), eq(events.serverId, serverId)),
    )
    .orderBy(desc(events.id))
    .limit(eventsShown);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}
