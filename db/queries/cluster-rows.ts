/** Clusters as the list shows them: the row, who holds it, its nodes in numbers, what can be asked of it. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { lastUpgradeFailed } from '@/db/clusters';
import { clusters, kubernetesVersions } from '@/db/schema/clusters';
import { jobs } from '@/db/schema/jobs';
import { servers } from '@/db/schema/servers';
import { serverAvailability } from '@/db/servers';
import type { NodeRole } from '@/domain/nodes';
import { type OperationKind, operationKinds } from '@/domain/operations';
import { isOperationState } from '@/domain/states';
import { isOrphaned } from './cluster-conditions';
import type { ClusterRow, HolderView, RoleCount } from './cluster-dto';
import { lastEventOf, type NodeNumbers, nodeNumbers } from './cluster-numbers';
import { operationChoices } from './operation-choices';
import { iso, isoOrNull, type Reader, serverHealth } from './reader';
import { isUpgradeOffered, type VersionOption, versionOptions } from './versions';

const rowColumns = (reader: Reader) => ({
  id: clusters.id,
  name: clusters.name,
  state: clusters.state,
  stateSince: clusters.stateSince,
  operationId: clusters.operationId,
  operationSeq: clusters.operationSeq,
  nextOperationId: clusters.nextOperationId,
  version: kubernetesVersions.version,
  zoneId: clusters.zoneId,
  zoneName: clusters.zoneName,
  controlCount: clusters.controlCount,
  workerCount: clusters.workerCount,
  etcdCount: clusters.etcdCount,
  autoscaleEnabled: clusters.autoscaleEnabled,
  minSize: clusters.minSize,
  maxSize: clusters.maxSize,
  protected: clusters.protected,
  attention: clusters.attention,
  nextCheckAt: clusters.nextCheckAt,
  createdBy: clusters.createdBy,
  createdAt: clusters.createdAt,
  isOrphaned: isOrphaned(reader),
  interruptedUpgrade: lastUpgradeFailed,
  legacyHold: sql<boolean>`exists (select 1 from jobs legacy where legacy.cluster_id is null and legacy.status = 'in_progress'
    and position(${clusters.id}::text in lower(coalesce(legacy.legacy_parameters, ''))) > 0)`,
  owner: {
    kind: jobs.kind,
    status: jobs.status,
    actor: jobs.actor,
    note: jobs.note,
    acceptedAt: jobs.acceptedAt,
    startedAt: jobs.startedAt,
    deadlineAt: jobs.deadlineAt,
    currentStep: jobs.currentStep,
    stepsDone: jobs.stepsDone,
    stepsTotal: jobs.stepsTotal,
  },
  server: { id: servers.id, name: servers.name, lastBeatAt: servers.lastBeatAt, leaseUntil: servers.leaseUntil },
  serverHealth: serverHealth(reader.beatMs),
});

/** One page of rows in the order given. `sortText` is the sort value of each row, for the cursor. */
export async function readRows(
  db: Queryable,
  reader: Reader,
  page: { where: SQL | undefined; order: SQL[]; limit: number; sortText: SQL },
): Promise<readonly { row: ClusterRow; sortText: string }[]> {
  const found = await db
    .select({ ...rowColumns(reader), sortText: sql<string>`(${page.sortText})::text` })
    .from(clusters)
    .innerJoin(kubernetesVersions, eq(kubernetesVersions.id, clusters.kubernetesVersionId))
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(page.where)
    .orderBy(...page.order)
    .limit(page.limit);
  const ids = found.map((row) => row.id);
  const [numbers, lastEvents, availability, versions] = await Promise.all([
    nodeNumbers(db, ids),
    lastEventOf(db, ids),
    serverAvailability(db, reader.serverId),
    versionOptions(db),
  ]);
  return found.map((row) => ({
    sortText: row.sortText,
    row: toRow(row, {
      reader,
      numbers: numbers.get(row.id),
      lastEvent: lastEvents.get(row.id) ?? null,
      availability,
      versions,
    }),
  }));
}

type Found = Awaited<ReturnType<typeof selectShape>>[number];
/** Never called: says the type of a selected row without writing it down twice. */
const selectShape = (db: Queryable, reader: Reader) =>
  db
    .select(rowColumns(reader))
    .from(clusters)
    .innerJoin(kubernetesVersions, eq(kubernetesVersions.id, clusters.kubernetesVersionId))
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .leftJoin(servers, eq(servers.id, jobs.serverId));

interface Surroundings {
  reader: Reader;
  numbers: NodeNumbers | undefined;
  lastEvent: { at: string; summary: string } | null;
  availability: { available: boolean; draining: boolean };
  versions: readonly VersionOption[];
}

function toRow(found: Found, around: Surroundings): ClusterRow {
  const { reader, numbers, availability } = around;
  const holder = toHolder(found);
  const held = found.owner?.status === 'in_progress';
  const facts = {
    state: found.state,
    held,
    orphaned: !held && (found.operationId !== null || isOperationState(found.state)),
    protected: found.protected,
    externalNodeCount: numbers?.external ?? 0,
    interruptedUpgrade: found.interruptedUpgrade,
    legacyHold: found.legacyHold,
    serverAvailable: availability.available,
    draining: availability.draining,
  };
  const total = { control: found.controlCount, worker: found.workerCount, etcd: found.etcdCount };
  const count = (role: NodeRole): RoleCount => ({
    ready: numbers?.ready[role] ?? 0,
    total: Math.max(total[role], numbers?.recorded[role] ?? 0),
  });
  return {
    id: found.id,
    name: found.name,
    state: found.state,
    stateSince: iso(found.stateSince),
    operationSeq: found.operationSeq,
    version: found.version,
    nodeVersions: numbers?.versions ?? [],
    isUpgradeOffered: isUpgradeOffered(found, around.versions),
    nodes: { control: count('control'), worker: count('worker'), etcd: count('etcd') },
    autoscale:
      found.autoscaleEnabled && found.minSize !== null && found.maxSize !== null
        ? { min: found.minSize, max: found.maxSize }
        : null,
    zoneName: found.zoneName,
    protected: found.protected,
    createdBy: found.createdBy,
    createdAt: iso(found.createdAt),
    holder,
    isOrphaned: found.isOrphaned,
    waitingStopId: found.nextOperationId,
    attention: found.attention,
    nextCheckAt: isoOrNull(found.nextCheckAt),
    lastEvent: around.lastEvent,
    operations: operationChoices(facts, reader.actor, holder),
  };
}

function toHolder(found: Found): HolderView | null {
  const { owner, server, operationId } = found;
  if (owner === null || operationId === null) return null;
  return {
    jobId: operationId,
    kind: knownKind(owner.kind),
    actorName: owner.actor.name,
    serverName: server?.name ?? null,
    since: iso(owner.startedAt ?? owner.acceptedAt),
    currentStep: owner.currentStep,
    stepsDone: owner.stepsDone,
    stepsTotal: owner.stepsTotal,
    ended: owner.status !== 'in_progress',
    serverId: server?.id ?? null,
    serverHealth: found.serverHealth,
    lastBeatAt: isoOrNull(server?.lastBeatAt ?? null),
    leaseUntil: isoOrNull(server?.leaseUntil ?? null),
    deadlineAt: isoOrNull(owner.deadlineAt),
    note: owner.note,
  };
}

/** Jobs of unknown kinds own no cluster. */
function knownKind(kind: string): OperationKind {
  const known = operationKinds.find((each) => each === kind);
  if (known === undefined) throw new Error(`job kind ${kind} holds a cluster and is not known`);
  return known;
}

export const byId = (id: string): SQL | undefined => and(eq(clusters.id, id));
