/** What the cloud half of a pass reads and writes. Every write is conditional on state, token and "unowned" as read. */
import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { scannerActor } from '@/domain/actor';
import type { Attention, HealthCheck } from '@/domain/attention';
import type { ComponentFact } from '@/domain/components';
import type { RecordedCluster } from '@/domain/drift';
import type { JobReason, JobStatus } from '@/domain/jobs';
import type { ClusterState } from '@/domain/states';
import type { Database, Queryable } from './client';
import { recordEvent } from './events';
import { clusterComponents, clusters, kubernetesVersions, nodes } from './schema/clusters';
import { jobs } from './schema/jobs';
import { type AsRead, drift } from './transition';

export type ScannedState = Extract<ClusterState, 'Running' | 'Stopped' | 'Alert' | 'Error' | 'Destroying'>;
const scannedStates: readonly ScannedState[] = ['Running', 'Stopped', 'Alert', 'Error', 'Destroying'];

export interface ScannedCluster extends RecordedCluster {
  readonly id: string;
  readonly name: string;
  readonly state: ScannedState;
  readonly asRead: AsRead;
  readonly driftFinding: string | null;
  readonly healthCheck: HealthCheck | null;
  readonly checkFailures: number;
  readonly nextCheckAt: Date | null;
  /** By PostgreSQL's clock, as it was read. */
  readonly nextCheckIsDue: boolean;
  readonly addressId: string | null;
  readonly loadBalancerRuleId: string | null;
}

const idsAStatement = 1_000;

/** Unowned clusters that a pass checks, with everything recorded about them. `only`: these ids. Read before the cloud is asked. */
export async function clustersToScan(queryable: Queryable, only?: readonly string[]): Promise<readonly ScannedCluster[]> {
  if (only?.length === 0) return [];
  const rows = await queryable
    .select({ cluster: clusters, version: kubernetesVersions.version, due: sql<boolean>`coalesce(${clusters.nextCheckAt} <= clock_timestamp(), false)` })
    .from(clusters)
    .innerJoin(kubernetesVersions, eq(kubernetesVersions.id, clusters.kubernetesVersionId))
    .where(
      and(
        inArray(clusters.state, [...scannedStates]),
        isNull(clusters.operationId),
        isNull(clusters.removedAt),
        only === undefined ? undefined : inArray(clusters.id, [...only]),
      ),
    )
    .orderBy(asc(clusters.id));
  const ids = rows.map((row) => row.cluster.id);
  const [nodesOf, componentsOf] = await Promise.all([nodesByCluster(queryable, ids), componentsByCluster(queryable, ids)]);
  return rows.map(({ cluster, version, due }) => ({
    id: cluster.id,
    name: cluster.name,
    state: scannedState(cluster.state),
    asRead: { clusterId: cluster.id, state: cluster.state, operationId: cluster.operationId, operationSeq: cluster.operationSeq },
    version,
    counts: { control: cluster.controlCount, worker: cluster.workerCount, etcd: cluster.etcdCount },
    nodes: nodesOf.get(cluster.id) ?? [],
    components: componentsOf.get(cluster.id) ?? [],
    driftFinding: cluster.driftFinding,
    healthCheck: cluster.healthCheck,
    checkFailures: cluster.checkFailures,
    nextCheckAt: cluster.nextCheckAt,
    nextCheckIsDue: due,
    addressId: cluster.addressId,
    loadBalancerRuleId: cluster.loadBalancerRuleId,
  }));
}

function scannedState(state: ClusterState): ScannedState {
  const known = scannedStates.find((each) => each === state);
  if (known === undefined) throw new Error(`a cluster in ${state} is not scanned`);
  return known;
}

async function nodesByCluster(queryable: Queryable, ids: readonly string[]) {
  const rows = await inParts(ids, (part) =>
    queryable.select().from(nodes).where(inArray(nodes.clusterId, part)).orderBy(asc(nodes.role), asc(nodes.ordinal)),
  );
  return byClusterId(rows);
}

async function componentsByCluster(queryable: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, readonly ComponentFact[]>> {
  const rows = await inParts(ids, (part) => queryable.select().from(clusterComponents).where(inArray(clusterComponents.clusterId, part)));
  const facts = rows.map(({ clusterId, component, wanted, installedAt }) => ({ clusterId, component, wanted, installed: installedAt !== null }));
  return byClusterId(facts);
}

function byClusterId<T extends { clusterId: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.clusterId);
    if (group === undefined) groups.set(row.clusterId, [row]);
    else group.push(row);
  }
  return groups;
}

async function inParts<T>(ids: readonly string[], read: (part: string[]) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let from = 0; from < ids.length; from += idsAStatement) all.push(...(await read(ids.slice(from, from + idsAStatement))));
  return all;
}

function asReadUnowned(asRead: AsRead) {
  return and(
    eq(clusters.id, asRead.clusterId),
    eq(clusters.state, asRead.state),
    eq(clusters.operationSeq, asRead.operationSeq),
    isNull(clusters.operationId),
  );
}

/** Keeps, or with null forgets, what this pass found; only if the finding is still the one that was read. False: it moved on. */
export async function keepFinding(queryable: Queryable, cluster: ScannedCluster, finding: string | null): Promise<boolean> {
  const rows = await queryable
    .update(clusters)
    .set({ driftFinding: finding })
    .where(and(asReadUnowned(cluster.asRead), sql`${clusters.driftFinding} is not distinct from ${cluster.driftFinding}`))
    .returning({ id: clusters.id });
  return rows.length === 1;
}

/** FaultsDetected: Running or Stopped → Alert with its cause, in one transaction with its event. False: it moved on. */
export async function takeToAlert(db: Database, cluster: ScannedCluster, attention: Attention, serverId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const moved = await drift(
      tx,
      cluster.asRead,
      { to: 'Alert', event: 'FaultsDetected', cause: 'drift', jobId: null, serverId, reason: attention.text },
      attention,
    );
    if (moved === undefined) return false;
    await recordEvent(tx, {
      type: 'cluster.transition',
      result: 'ok',
      actor: scannerActor,
      clusterId: cluster.id,
      clusterName: cluster.name,
      serverId,
      summary: `${cluster.name}: ${cluster.state} → Alert. ${attention.text}`,
      detail: { code: attention.code, token: moved.token },
    });
    return true;
  });
}

export interface CheckNote {
  readonly healthCheck: HealthCheck;
  readonly checkFailures: number;
  /** Until the next attempt, counted by PostgreSQL's clock; null: the next pass looks. `keep`: as it is. */
  readonly waitMs: number | null | 'keep';
}

/** Notes what a check found; never touches the state. False: the cluster moved on, and what was found says nothing about it now. */
export async function noteCheck(queryable: Queryable, cluster: ScannedCluster, note: CheckNote): Promise<boolean> {
  const { healthCheck, checkFailures, waitMs } = note;
  const rows = await queryable
    .update(clusters)
    .set({
      healthCheck,
      checkFailures,
      ...(waitMs === 'keep' ? {} : { nextCheckAt: waitMs === null ? null : sql`clock_timestamp() + ${Math.round(waitMs)} * interval '1 millisecond'` }),
    })
    .where(asReadUnowned(cluster.asRead))
    .returning({ id: clusters.id });
  return rows.length === 1;
}

export interface Attempt {
  readonly id: string;
  readonly kind: string;
  readonly status: JobStatus;
  readonly reason: JobReason | null;
  readonly input: Record<string, unknown>;
  /** Milliseconds since it ended, by PostgreSQL's clock; null while it has not. */
  readonly endedAgoMs: number | null;
}

const attemptsLookedAt = 12;

/** The cluster's latest jobs, newest first: how often the scanner's own attempts failed in a row. */
export async function latestJobs(queryable: Queryable, clusterId: string): Promise<readonly Attempt[]> {
  return queryable
    .select({
      id: jobs.id,
      kind: jobs.kind,
      status: jobs.status,
      reason: jobs.reason,
      input: jobs.input,
      endedAgoMs: sql<number | null>`(extract(epoch from clock_timestamp() - ${jobs.finishedAt}) * 1000)::float8`,
    })
    .from(jobs)
    .where(eq(jobs.clusterId, clusterId))
    .orderBy(desc(jobs.acceptedAt), desc(jobs.id))
    .limit(attemptsLookedAt);
}
