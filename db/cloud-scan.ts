/** What the cloud half of a pass reads: unowned clusters with everything recorded about them. */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { HealthCheck } from '@/domain/attention';
import type { ComponentFact } from '@/domain/components';
import type { RecordedCluster } from '@/domain/drift';
import type { ClusterState } from '@/domain/states';
import type { Queryable } from './client';
import { clusterComponents, clusters, kubernetesVersions, nodes } from './schema/clusters';
import type { AsRead } from './transition';

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
export async function clustersToScan(
  queryable: Queryable,
  only?: readonly string[],
): Promise<readonly ScannedCluster[]> {
  if (only?.length === 0) return [];
  const rows = await queryable
    .select({
      cluster: clusters,
      version: kubernetesVersions.version,
      due: sql<boolean>`coalesce(${clusters.nextCheckAt} <= clock_timestamp(), false)`,
    })
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
  const [nodesOf, componentsOf] = await Promise.all([
    nodesByCluster(queryable, ids),
    componentsByCluster(queryable, ids),
  ]);
  return rows.map(({ cluster, version, due }) => ({
    id: cluster.id,
    name: cluster.name,
    state: scannedState(cluster.state),
    asRead: {
      clusterId: cluster.id,
      state: cluster.state,
      operationId: cluster.operationId,
      operationSeq: cluster.operationSeq,
    },
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

async function componentsByCluster(
  queryable: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ComponentFact[]>> {
  const rows = await inParts(ids, (part) =>
    queryable.select().from(clusterComponents).where(inArray(clusterComponents.clusterId, part)),
  );
  const facts = rows.map(({ clusterId, component, wanted, installedAt }) => ({
    clusterId,
    component,
    wanted,
    installed: installedAt !== null,
  }));
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

async function inParts<T>(
  ids: readonly string[],
  read: (part: string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let from = 0; from < ids.length; from += idsAStatement)
    all.push(...(await read(ids.slice(from, from + idsAStatement))));
  return all;
}
