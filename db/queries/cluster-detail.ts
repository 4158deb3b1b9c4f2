/** One cluster with everything its page shows. */
import { asc, eq, sql } from 'drizzle-orm';
import { readCatalogue } from '@/db/catalogue';
import type { Queryable } from '@/db/client';
import { clusterSecrets, clusters } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { hasRole } from '@/domain/actor';
import type { Offering } from '@/domain/cloud-catalogue';
import { failureTarget } from '@/domain/orphans';
import type { ClusterDetail } from './cluster-dto';
import { readComponents, readEvents, readJobs, readNodes, readTransitions } from './cluster-parts';
import { byId, readRows } from './cluster-rows';
import { isoOrNull, type Reader } from './reader';

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
