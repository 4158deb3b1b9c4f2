/** The parts of a cluster's page: nodes, components, and what happened last. */
import { asc, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { clusterComponents, nodes, transitions } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { events } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import type { ComponentView, EventLine, JobLine, NodeView, TransitionLine } from './cluster-dto';
import { iso, isoOrNull } from './reader';

const jobCount = 20;
const eventCount = 50;
const transitionCount = 100;

export async function readNodes(db: Queryable, id: string): Promise<readonly NodeView[]> {
  const rows = await db
    .select({
      id: nodes.id,
      role: nodes.role,
      ordinal: nodes.ordinal,
      name: nodes.name,
      stage: nodes.stage,
      version: nodes.version,
      ip: nodes.ip,
      offeringId: nodes.offeringId,
      external: nodes.external,
      manualUpgrade: nodes.manualUpgrade,
      machineId: nodes.machineId,
      createdAt: nodes.createdAt,
      readyAt: nodes.readyAt,
    })
    .from(nodes)
    .where(eq(nodes.clusterId, id))
    .orderBy(sql`array_position(array['control','etcd','worker'], ${nodes.role})`, asc(nodes.ordinal));
  return rows.map((row) => ({ ...row, createdAt: iso(row.createdAt), readyAt: isoOrNull(row.readyAt) }));
}

export async function readComponents(db: Queryable, id: string): Promise<readonly ComponentView[]> {
  const rows = await db
    .select({
      component: clusterComponents.component,
      wanted: clusterComponents.wanted,
      installedAt: clusterComponents.installedAt,
    })
    .from(clusterComponents)
    .where(eq(clusterComponents.clusterId, id))
    .orderBy(asc(clusterComponents.component));
  return rows.map((row) => ({ ...row, installedAt: isoOrNull(row.installedAt) }));
}

export async function readJobs(db: Queryable, id: string): Promise<readonly JobLine[]> {
  const rows = await db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      status: jobs.status,
      actor: jobs.actor,
      serverId: servers.id,
      serverName: servers.name,
      stepsDone: jobs.stepsDone,
      stepsTotal: jobs.stepsTotal,
      currentStep: jobs.currentStep,
      acceptedAt: jobs.acceptedAt,
      startedAt: jobs.startedAt,
      finishedAt: jobs.finishedAt,
      reason: jobs.reason,
      message: jobs.message,
      lateResultAt: jobs.lateResultAt,
    })
    .from(jobs)
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(eq(jobs.clusterId, id))
    .orderBy(desc(jobs.acceptedAt), desc(jobs.id))
    .limit(jobCount);
  return rows.map(({ actor, acceptedAt, startedAt, finishedAt, lateResultAt, ...row }) => ({
    ...row,
    actorName: actor.name,
    acceptedAt: iso(acceptedAt),
    startedAt: isoOrNull(startedAt),
    finishedAt: isoOrNull(finishedAt),
    lateResultAt: isoOrNull(lateResultAt),
  }));
}

export async function readEvents(db: Queryable, id: string): Promise<readonly EventLine[]> {
  const { id: eventId, at, type, result, actorName, actorKind, summary, jobId } = events;
  const rows = await db
    .select({ id: eventId, at, type, result, actorName, actorKind, summary, jobId })
    .from(events)
    .where(eq(events.clusterId, id))
    .orderBy(desc(events.id))
    .limit(eventCount);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}

export async function readTransitions(db: Queryable, id: string): Promise<readonly TransitionLine[]> {
  const rows = await db
    .select({
      seq: transitions.seq,
      at: transitions.at,
      from: transitions.fromState,
      to: transitions.toState,
      event: transitions.event,
      cause: transitions.cause,
      reason: transitions.reason,
      jobId: transitions.jobId,
      jobKind: jobs.kind,
      actor: jobs.actor,
    })
    .from(transitions)
    .leftJoin(jobs, eq(jobs.id, transitions.jobId))
    .where(eq(transitions.clusterId, id))
    .orderBy(desc(transitions.seq))
    .limit(transitionCount);
  return rows.map(({ actor, ...row }) => ({ ...row, at: iso(row.at), actorName: actor?.name ?? null }));
}
