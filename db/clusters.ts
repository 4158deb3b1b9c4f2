/** Reads of a cluster for deciding: what the policy, an entry and a plan need. Pages read through `queries/`. */
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import type { ComponentFact } from '@/domain/components';
import type { NodeFact } from '@/domain/nodes';
import { type OperationKind, operationKinds } from '@/domain/operations';
import type { Holder } from '@/domain/refusals';
import { isOperationState } from '@/domain/states';
import type { Queryable } from './client';
import { clusterComponents, clusters, kubernetesVersions, nodes, transitions } from './schema/clusters';
import { jobs } from './schema/jobs';
import { servers } from './schema/servers';
import type { AsRead } from './transition';

type ClusterRow = typeof clusters.$inferSelect;

/** Everything recorded about one cluster, read in one go; the input of plans. */
export interface ClusterFacts {
  readonly cluster: ClusterRow;
  readonly version: string;
  readonly isoId: string;
  readonly nodes: readonly NodeFact[];
  readonly components: readonly ComponentFact[];
}

export async function clusterFacts(queryable: Queryable, clusterId: string): Promise<ClusterFacts | undefined> {
  const [row] = await queryable
    .select({ cluster: clusters, version: kubernetesVersions.version, isoId: kubernetesVersions.isoId })
    .from(clusters)
    .innerJoin(kubernetesVersions, eq(kubernetesVersions.id, clusters.kubernetesVersionId))
    .where(eq(clusters.id, clusterId));
  if (row === undefined) return undefined;
  const nodeRows = await queryable
    .select()
    .from(nodes)
    .where(eq(nodes.clusterId, clusterId))
    .orderBy(asc(nodes.role), asc(nodes.ordinal));
  const componentRows = await queryable
    .select()
    .from(clusterComponents)
    .where(eq(clusterComponents.clusterId, clusterId));
  return {
    ...row,
    nodes: nodeRows,
    components: componentRows.map(({ component, wanted, installedAt }) => ({
      component,
      wanted,
      installed: installedAt !== null,
    })),
  };
}

/** Whether the last upgrade of a cluster ended otherwise than well; for select lists over `clusters`. */
export const lastUpgradeFailed = sql<boolean>`coalesce((select upgrades.status in ('failed', 'cancelled') from jobs upgrades
  where upgrades.cluster_id = ${clusters.id} and upgrades.kind = 'upgrade' order by upgrades.accepted_at desc limit 1), false)`;

export interface DecisionFacts {
  readonly asRead: AsRead;
  readonly name: string;
  readonly editVersion: number;
  readonly protected: boolean;
  readonly nextOperationId: string | null;
  /** A job that owns the cluster and is in progress. */
  readonly held: boolean;
  readonly orphaned: boolean;
  readonly externalNodeCount: number;
  readonly interruptedUpgrade: boolean;
  readonly legacyHold: boolean;
}

/** What an acceptance decides on. Undefined: there is no such cluster. A deleted one is found, in Destroyed. */
export async function decisionFacts(queryable: Queryable, clusterId: string): Promise<DecisionFacts | undefined> {
  const [row] = await queryable
    .select({
      state: clusters.state,
      operationId: clusters.operationId,
      operationSeq: clusters.operationSeq,
      name: clusters.name,
      editVersion: clusters.editVersion,
      protected: clusters.protected,
      nextOperationId: clusters.nextOperationId,
      ownerStatus: jobs.status,
      externalNodeCount: sql<number>`(select count(*)::int from nodes where nodes.cluster_id = ${clusters.id} and nodes.external)`,
      interruptedUpgrade: lastUpgradeFailed,
      legacyHold: sql<boolean>`exists (select 1 from jobs legacy where legacy.cluster_id is null and legacy.status = 'in_progress'
        and position(${clusters.id}::text in lower(coalesce(legacy.legacy_parameters, ''))) > 0)`,
    })
    .from(clusters)
    .leftJoin(jobs, eq(jobs.id, clusters.operationId))
    .where(eq(clusters.id, clusterId));
  if (row === undefined) return undefined;
  const held = row.ownerStatus === 'in_progress';
  return {
    asRead: { clusterId, state: row.state, operationId: row.operationId, operationSeq: row.operationSeq },
    name: row.name,
    editVersion: row.editVersion,
    protected: row.protected,
    nextOperationId: row.nextOperationId,
    held,
    orphaned: !held && (row.operationId !== null || isOperationState(row.state)),
    externalNodeCount: row.externalNodeCount,
    interruptedUpgrade: row.interruptedUpgrade,
    legacyHold: row.legacyHold,
  };
}

const holderColumns = {
  jobId: jobs.id,
  kind: jobs.kind,
  actor: jobs.actor,
  serverName: servers.name,
  startedAt: jobs.startedAt,
  acceptedAt: jobs.acceptedAt,
  currentStep: jobs.currentStep,
  stepsDone: jobs.stepsDone,
  stepsTotal: jobs.stepsTotal,
  status: jobs.status,
};

/** Who holds a cluster; if nobody does any more, the job of its last transition (the winner that has ended already). */
export async function holderOf(queryable: Queryable, clusterId: string): Promise<Holder | null> {
  const [owner] = await queryable
    .select(holderColumns)
    .from(clusters)
    .innerJoin(jobs, eq(jobs.id, clusters.operationId))
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(eq(clusters.id, clusterId));
  if (owner !== undefined) return toHolder(owner);
  const [last] = await queryable
    .select(holderColumns)
    .from(transitions)
    .innerJoin(jobs, eq(jobs.id, transitions.jobId))
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(eq(transitions.clusterId, clusterId))
    .orderBy(desc(transitions.seq))
    .limit(1);
  if (last !== undefined) return toHolder(last);
  // A cluster that was never taken: whoever changed its settings last.
  const [newest] = await queryable
    .select(holderColumns)
    .from(jobs)
    .leftJoin(servers, eq(servers.id, jobs.serverId))
    .where(eq(jobs.clusterId, clusterId))
    .orderBy(desc(jobs.acceptedAt))
    .limit(1);
  return newest === undefined ? null : toHolder(newest);
}

interface HolderRow {
  jobId: string;
  kind: string;
  actor: { name: string };
  serverName: string | null;
  startedAt: Date | null;
  acceptedAt: Date;
  currentStep: string | null;
  stepsDone: number;
  stepsTotal: number;
  status: string;
}

function toHolder(row: HolderRow): Holder {
  return {
    jobId: row.jobId,
    kind: knownKind(row.kind),
    actorName: row.actor.name,
    serverName: row.serverName,
    since: (row.startedAt ?? row.acceptedAt).toISOString(),
    currentStep: row.currentStep,
    stepsDone: row.stepsDone,
    stepsTotal: row.stepsTotal,
    ended: row.status !== 'in_progress',
  };
}

/** A holder's kind is always one of ours: jobs of unknown kinds own no cluster. */
function knownKind(kind: string): OperationKind {
  const known = operationKinds.find((each) => each === kind);
  if (known === undefined) throw new Error(`job kind ${kind} holds a cluster and is not known`);
  return known;
}

/** Whether a live cluster has this name already: checked while typing, and again by the unique index. */
export async function nameIsTaken(queryable: Queryable, name: string): Promise<boolean> {
  const [row] = await queryable
    .select({ id: clusters.id })
    .from(clusters)
    .where(and(eq(clusters.name, name), isNull(clusters.removedAt)));
  return row !== undefined;
}

export async function installationId(queryable: Queryable): Promise<string> {
  const rows = await queryable.execute<{ id: string }>(sql`select id from installation`);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the database has no installation row: run the migrations');
  return id;
}

/** A cluster's name, deleted or not; null when there never was one. */
export async function clusterName(queryable: Queryable, clusterId: string): Promise<string | null> {
  const [row] = await queryable.select({ name: clusters.name }).from(clusters).where(eq(clusters.id, clusterId));
  return row?.name ?? null;
}

/** The live cluster that a machine is a node of, and whether it has not become Ready there yet. */
export async function clusterOfMachine(queryable: Queryable, machineId: string) {
  const [row] = await queryable
    .select({
      clusterId: clusters.id,
      name: clusters.name,
      joining: sql<boolean>`${nodes.external} and ${nodes.stage} <> 'ready'`,
    })
    .from(nodes)
    .innerJoin(clusters, eq(clusters.id, nodes.clusterId))
    .where(and(eq(nodes.machineId, machineId), isNull(clusters.removedAt)));
  return row;
}
