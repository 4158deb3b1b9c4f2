import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Attention, HealthCheck } from '@/domain/attention';
import type { ComponentName } from '@/domain/components';
import type { NodeRole, NodeStage } from '@/domain/nodes';
import { at, clusterEvent, clusterState, sealed, transitionCause } from './enums';
import { servers } from './servers';

export const kubernetesVersions = pgTable('kubernetes_versions', {
  id: uuid().primaryKey().defaultRandom(),
  /** `1.31.4`, without a `v`. */
  version: text().notNull().unique(),
  isoId: text('iso_id').notNull(),
  isoName: text('iso_name').notNull(),
  /** Null: offered in every zone. */
  zoneId: text('zone_id'),
  minCpuCount: integer('min_cpu_count').notNull().default(2),
  minMemoryMb: integer('min_memory_mb').notNull().default(2048),
  enabled: boolean().notNull().default(true),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const clusters = pgTable(
  'clusters',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    state: clusterState().notNull().default('Created'),
    stateSince: at('state_since').notNull().defaultNow(),

    // Ownership (design section 5). `operation_seq` is the fencing token; `transition_seq` counts transition rows (I4).
    // Both ids refer to jobs, deferrable and restricting deletes: drizzle/0001 adds what drizzle cannot say.
    operationId: uuid('operation_id'),
    operationSeq: bigint('operation_seq', { mode: 'number' }).notNull().default(0),
    nextOperationId: uuid('next_operation_id'),
    editVersion: integer('edit_version').notNull().default(0),
    transitionSeq: bigint('transition_seq', { mode: 'number' }).notNull().default(0),
    foreignWriteAt: at('foreign_write_at'),

    // Wanted.
    zoneId: text('zone_id').notNull(),
    zoneName: text('zone_name').notNull(),
    kubernetesVersionId: uuid('kubernetes_version_id')
      .notNull()
      .references(() => kubernetesVersions.id),
    controlCount: integer('control_count').notNull(),
    workerCount: integer('worker_count').notNull(),
    etcdCount: integer('etcd_count').notNull().default(0),
    controlOfferingId: text('control_offering_id').notNull(),
    workerOfferingId: text('worker_offering_id').notNull(),
    etcdOfferingId: text('etcd_offering_id'),
    templateId: text('template_id').notNull(),
    networkOfferingId: text('network_offering_id'),
    rootDiskGb: integer('root_disk_gb').notNull().default(8),
    sshKeyPair: text('ssh_key_pair'),
    csiEnabled: boolean('csi_enabled').notNull().default(false),
    autoscaleEnabled: boolean('autoscale_enabled').notNull().default(false),
    minSize: integer('min_size'),
    maxSize: integer('max_size'),
    protected: boolean().notNull().default(false),

    // Recorded facts; written under the owner's token only.
    networkId: text('network_id'),
    /** Whether Holdfast made the network, and so takes it away with the cluster. */
    networkOwned: boolean('network_owned').notNull().default(true),
    addressId: text('address_id'),
    publicIp: text('public_ip'),
    publicPort: integer('public_port'),
    loadBalancerRuleId: text('load_balancer_rule_id'),
    endpoint: text(),

    // What the pages say about it.
    attention: jsonb().$type<Attention>(),
    healthCheck: jsonb('health_check').$type<HealthCheck>(),
    nextCheckAt: at('next_check_at'),
    checkFailures: integer('check_failures').notNull().default(0),
    /** A finding of the last pass; drift needs two equal ones. */
    driftFinding: text('drift_finding'),

    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    removedAt: at('removed_at'),
  },
  (table) => [
    uniqueIndex('clusters_name_live').on(table.name).where(sql`removed_at is null`),
    index('clusters_created').on(table.createdAt, table.id).where(sql`removed_at is null`),
    // REC-10: the candidates of a pass come from one query; this index holds only clusters that are held or orphaned.
    index('clusters_in_operation')
      .on(table.id)
      .where(
        sql`operation_id is not null or state in ('Starting','Stopping','Scaling','ScalingStoppedCluster','Upgrading','Importing','RemovingNodes','Recovering')`,
      ),
    index('clusters_to_check')
      .on(table.id)
      .where(sql`state in ('Alert','Error','Destroying') and operation_id is null`),
    index('clusters_state').on(table.state).where(sql`removed_at is null`),
    check(
      'operation_state_has_owner',
      sql`state not in ('Starting','Stopping','Scaling','ScalingStoppedCluster','Upgrading','Importing','RemovingNodes','Recovering') or operation_id is not null or foreign_write_at is not null`,
    ),
    check(
      'waiting_stop_only_while_starting',
      sql`next_operation_id is null or (state = 'Starting' and operation_id is not null)`,
    ),
    check('counts_make_sense', sql`control_count >= 1 and worker_count >= 1 and etcd_count >= 0`),
    check('autoscale_bounds', sql`not autoscale_enabled or (min_size >= 1 and max_size > min_size)`),
  ],
);

export const transitions = pgTable(
  'transitions',
  {
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    seq: bigint({ mode: 'number' }).notNull(),
    jobId: uuid('job_id'),
    /** The fencing token in force when it was made. */
    token: bigint({ mode: 'number' }).notNull(),
    serverId: uuid('server_id').references(() => servers.id),
    event: clusterEvent(),
    fromState: clusterState('from_state').notNull(),
    toState: clusterState('to_state').notNull(),
    cause: transitionCause().notNull(),
    reason: text(),
    at: at('at').notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.clusterId, table.seq] }),
    index('transitions_at').on(table.at),
    index('transitions_job').on(table.jobId),
  ],
);

export const nodes = pgTable(
  'nodes',
  {
    id: uuid().primaryKey().defaultRandom(),
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    role: text().$type<NodeRole>().notNull(),
    ordinal: integer().notNull(),
    /** A machine that was destroyed comes back under the next generation, with another name. */
    generation: integer().notNull().default(1),
    name: text().notNull(),
    machineId: text('machine_id'),
    stage: text().$type<NodeStage>().notNull().default('planned'),
    offeringId: text('offering_id').notNull(),
    /** Kubernetes version without `v`; null until the node was seen Ready. */
    version: text(),
    ip: text(),
    external: boolean().notNull().default(false),
    manualUpgrade: boolean('manual_upgrade').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
    readyAt: at('ready_at'),
  },
  (table) => [
    uniqueIndex('nodes_place').on(table.clusterId, table.role, table.ordinal),
    uniqueIndex('nodes_machine').on(table.machineId).where(sql`machine_id is not null`),
  ],
);

export const clusterComponents = pgTable(
  'cluster_components',
  {
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    component: text().$type<ComponentName>().notNull(),
    wanted: boolean().notNull(),
    installedAt: at('installed_at'),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.component] })],
);

/** CAs, tokens, kubeconfigs: encrypted with HOLDFAST_SECRET_KEY, never selected by a page. */
export const clusterSecrets = pgTable(
  'cluster_secrets',
  {
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    kind: text().$type<'pki' | 'admin-access' | 'bootstrap-token' | 'autoscaler-key'>().notNull(),
    value: sealed().notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.kind] })],
);
