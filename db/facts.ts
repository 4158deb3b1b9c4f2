/** Facts that workers record. Each function runs inside `whileHeld`: nothing here checks ownership by itself. */
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { ComponentName } from '@/domain/components';
import type { NodeRole } from '@/domain/nodes';
import type { Queryable, Transaction } from './client';
import { clusterComponents, clusterSecrets, clusters, nodes } from './schema/clusters';

export interface NetworkFacts {
  networkId?: string | null;
  addressId?: string | null;
  publicIp?: string | null;
  publicPort?: number | null;
  loadBalancerRuleId?: string | null;
  endpoint?: string | null;
}

export async function recordNetwork(tx: Transaction, clusterId: string, facts: NetworkFacts): Promise<void> {
  await tx.update(clusters).set(facts).where(eq(clusters.id, clusterId));
}

export interface PlannedNode {
  readonly role: NodeRole;
  readonly ordinal: number;
  readonly generation: number;
  readonly name: string;
  readonly offeringId: string;
  readonly machineId?: string;
  readonly ip?: string | null;
  readonly external?: boolean;
  readonly manualUpgrade?: boolean;
}

/** Stores the intent before any machine is asked for. A node that is there already stays as it is. */
export async function planNodes(tx: Transaction, clusterId: string, planned: readonly PlannedNode[]): Promise<void> {
  if (planned.length === 0) return;
  await tx
    .insert(nodes)
    .values(planned.map((node) => ({ ...node, clusterId })))
    .onConflictDoNothing();
}

export interface NodeChange {
  machineId?: string | null;
  stage?: 'planned' | 'built' | 'ready' | 'removing';
  version?: string | null;
  ip?: string | null;
  offeringId?: string;
  generation?: number;
  name?: string;
  manualUpgrade?: boolean;
}

export async function recordNode(tx: Transaction, nodeId: string, change: NodeChange): Promise<void> {
  await tx
    .update(nodes)
    .set({
      ...change,
      ...(change.stage === 'ready' ? { readyAt: sql`coalesce(${nodes.readyAt}, clock_timestamp())` } : {}),
    })
    .where(eq(nodes.id, nodeId));
}

/** Says how many there were: of a repeated write the second finds none. */
export async function forgetNodes(tx: Transaction, nodeIds: readonly string[]): Promise<number> {
  if (nodeIds.length === 0) return 0;
  const gone = await tx
    .delete(nodes)
    .where(inArray(nodes.id, [...nodeIds]))
    .returning({ id: nodes.id });
  return gone.length;
}

/** False: it was ready before, so this write is a repetition. */
export async function markReady(tx: Transaction, nodeId: string, version: string): Promise<boolean> {
  const rows = await tx
    .update(nodes)
    .set({ stage: 'ready', version, readyAt: sql`coalesce(${nodes.readyAt}, clock_timestamp())` })
    .where(and(eq(nodes.id, nodeId), ne(nodes.stage, 'ready')))
    .returning({ id: nodes.id });
  return rows.length === 1;
}

export async function recordInstalled(
  tx: Transaction,
  clusterId: string,
  component: ComponentName,
  installed: boolean,
): Promise<void> {
  await tx
    .insert(clusterComponents)
    .values({ clusterId, component, wanted: true, installedAt: installed ? sql`clock_timestamp()` : null })
    .onConflictDoUpdate({
      target: [clusterComponents.clusterId, clusterComponents.component],
      set: { installedAt: installed ? sql`clock_timestamp()` : null },
    });
}

type SecretKind = typeof clusterSecrets.$inferSelect.kind;

/** Keeps a sealed secret; the first one wins, so that two attempts of a step agree on one CA. Returns what is kept. */
export async function keepSecret(tx: Transaction, clusterId: string, kind: SecretKind, value: Buffer): Promise<Buffer> {
  await tx.insert(clusterSecrets).values({ clusterId, kind, value }).onConflictDoNothing();
  const kept = await readSecret(tx, clusterId, kind);
  if (kept === null) throw new Error(`secret ${kind} of cluster ${clusterId} vanished in its own transaction`);
  return kept;
}

export async function replaceSecret(
  tx: Transaction,
  clusterId: string,
  kind: SecretKind,
  value: Buffer,
): Promise<void> {
  await tx
    .insert(clusterSecrets)
    .values({ clusterId, kind, value })
    .onConflictDoUpdate({
      target: [clusterSecrets.clusterId, clusterSecrets.kind],
      set: { value, updatedAt: sql`clock_timestamp()` },
    });
}

export async function readSecret(queryable: Queryable, clusterId: string, kind: SecretKind): Promise<Buffer | null> {
  const [row] = await queryable
    .select({ value: clusterSecrets.value })
    .from(clusterSecrets)
    .where(and(eq(clusterSecrets.clusterId, clusterId), eq(clusterSecrets.kind, kind)));
  return row?.value ?? null;
}

/** Everything that a deleted cluster needs no longer: secrets and node rows; its history stays. */
export async function forgetCluster(tx: Transaction, clusterId: string): Promise<void> {
  await tx.delete(clusterSecrets).where(eq(clusterSecrets.clusterId, clusterId));
  await tx.delete(nodes).where(eq(nodes.clusterId, clusterId));
  await tx.delete(clusterComponents).where(eq(clusterComponents.clusterId, clusterId));
}
