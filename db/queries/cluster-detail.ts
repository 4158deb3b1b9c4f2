/** One cluster with everything its page shows. */
import { asc, desc, eq, sql } from 'drizzle-orm';
import { readCatalogue } from '@/db/catalogue';
import type { Queryable } from '@/db/client';
import { clusterComponents, clusterSecrets, clusters, nodes, transitions } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { events } from '@/db/schema/records';
import { servers } from '@/db/schema/servers';
import { hasRole } from '@/domain/actor';
import type { Offering } from '@/domain/cloud-catalogue';
import { failureTarget } from '@/domain/orphans';
import type { ClusterDetail, ComponentView, EventLine, JobLine, NodeView, TransitionLine } from './cluster-dto';
import { byId, readRows } from './cluster-rows';
import { iso, isoOrNull, type Reader } from './reader';

const jobCount = 20;
const eventCount = 50;
const transitionCount = 100;

/** Undefined: there never was such a cluster. A deleted one is found, in Destroyed. */
export async function clusterDetail(db: Queryable, reader: Reader, id: string): Promise<ClusterDetail | undefined> {
  const [found] = await readRows(db, reader, {
    where: byId(id),
    order: [asc(clusters.id)],
    limit: 1,
    sortText: sql`${clusters.name}`,
  });
  if (found === undefined) return undefined;
  const { row } = found;
  const [more, nodeList, components, jobList, eventList, transitionList, offeringNames, usualMs] = await Promise.all([
    readMore(db, id),
    readNodes(db, id),
    readComponents(db, id),
    readJobs(db, id),
    readEvents(db, id),
    readTransitions(db, id),
    readOfferingNames(db),
    row.holder === null ? null : usualDuration(db, row.holder.kind),
  ]);
  const { removedAt, healthCheck, failureEvent, ...rest } = more;
  return {
    ...row,
    ...rest,
    removedAt: isoOrNull(removedAt),
    healthCheck,
    nodeList,
    components,
    jobs: jobList,
    events: eventList,
    transitions: transitionList,
    offeringNames,
    usualMs,
    recoveredTo: failureTarget(row.state, failureEvent),
    timing: { leaseMs: reader.leaseMs, cronPeriodMs: reader.cronPeriodMs },
    mayDownload: hasRole(reader.actor, 'operator'),
    mayProtect: hasRole(reader.actor, 'admin'),
  };
}

async function readMore(db: Queryable, id: string) {
  const [row] = await db
    .select({
      description: clusters.description,
      removedAt: clusters.removedAt,
      editVersion: clusters.editVersion,
      endpoint: clusters.endpoint,
      publicIp: clusters.publicIp,
      networkId: clusters.networkId,
      zoneId: clusters.zoneId,
      controlOfferingId: clusters.controlOfferingId,
      workerOfferingId: clusters.workerOfferingId,
      etcdOfferingId: clusters.etcdOfferingId,
      templateId: clusters.templateId,
      rootDiskGb: clusters.rootDiskGb,
      sshKeyPair: clusters.sshKeyPair,
      csiEnabled: clusters.csiEnabled,
      kubernetesVersionId: clusters.kubernetesVersionId,
      healthCheck: clusters.healthCheck,
      checkFailures: clusters.checkFailures,
      failureEvent: jobs.failureEvent,
      // Only that it is there; the secret itself is never selected for a page.
      hasKubeconfig: sql<boolean>`exists (select 1 from ${clusterSecrets} where ${clusterSecrets.clusterId} = ${clusters.id} and ${clusterSecrets.kind} = 'pki') and ${clusters.endpoint} is not null`,
    })
    .from(clusters)
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .where(eq(clusters.id, id));
  if (row === undefined) throw new Error(`cluster ${id} vanished between two reads`);
  return row;
}

async function readNodes(db: Queryable, id: string): Promise<readonly NodeView[]> {
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

async function readComponents(db: Queryable, id: string): Promise<readonly ComponentView[]> {
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

async function readJobs(db: Queryable, id: string): Promise<readonly JobLine[]> {
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

async function readEvents(db: Queryable, id: string): Promise<readonly EventLine[]> {
  const { id: eventId, at, type, result, actorName, actorKind, summary, jobId } = events;
  const rows = await db
    .select({ id: eventId, at, type, result, actorName, actorKind, summary, jobId })
    .from(events)
    .where(eq(events.clusterId, id))
    .orderBy(desc(events.id))
    .limit(eventCount);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}

async function readTransitions(db: Queryable, id: string): Promise<readonly TransitionLine[]> {
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

async function readOfferingNames(db: Queryable): Promise<Readonly<Record<string, string>>> {
  const kept = (await readCatalogue(db)).get('offerings');
  // The row holds what the catalogue reader stored: this process's own type, as JSON.
  const offerings = (kept?.data ?? []) as readonly Offering[];
  return Object.fromEntries(offerings.map((offering) => [offering.id, offering.name]));
}

/** Too few runs say nothing. */
const fewestRuns = 3;

/** Half of the last hundred that succeeded took at most this. */
async function usualDuration(db: Queryable, kind: string): Promise<number | null> {
  const rows = await db.execute<{ runs: number; usual: number | null }>(sql`
    select count(*)::int as runs, (percentile_cont(0.5) within group (order by took) * 1000)::float8 as usual
    from (select extract(epoch from finished_at - started_at) as took from jobs
      where kind = ${kind} and status = 'succeeded' and started_at is not null order by accepted_at desc limit 100) as recent`);
  const row = rows[0];
  return row === undefined || row.runs < fewestRuns ? null : row.usual;
}
