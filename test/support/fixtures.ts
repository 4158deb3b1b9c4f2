import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import type { Entry } from '@/db/entry';
import type { Hold } from '@/db/holds';
import type { NewJob } from '@/db/jobs';
import type { AsRead } from '@/db/transition';
import type { Actor } from '@/domain/actor';
import { type OperationKind, operations } from '@/domain/operations';
import { byState } from '@/domain/policy';
import { type ClusterEvent, type ClusterState, isOperationState, type OperationState } from '@/domain/states';

type Sql = postgres.Sql;

export const ana: Actor = { kind: 'user', id: 'user-ana', name: 'Ana', role: 'operator' };
export const ben: Actor = { kind: 'user', id: 'user-ben', name: 'Ben', role: 'admin' };

export const leaseMs = 8000;
export const beatMs = 2000;

let counter = 0;
/** A name that no other fixture of this process has. */
export function uniqueName(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

/** A server that is up, beats just now and has renewed without a gap for a minute, so that its passes may judge others. */
export async function insertServer(
  sql: Sql,
  more: { name?: string; protocol?: number; state?: 'up' | 'draining' | 'departed' } = {},
): Promise<string> {
  const id = randomUUID();
  const state = more.state ?? 'up';
  const departed = state === 'departed';
  await sql`insert into servers (id, name, version, protocol, state, lease_until, started_at, renewed_since, departed_at, departure)
    values (${id}, ${more.name ?? uniqueName('server')}, '0.1.0', ${more.protocol ?? 2}, ${state},
      clock_timestamp() + ${departed ? 0 : leaseMs} * interval '1 millisecond',
      clock_timestamp() - interval '1 minute', clock_timestamp() - interval '1 minute',
      ${departed ? sql`clock_timestamp()` : null}, ${departed ? 'crashed' : null})`;
  return id;
}

/** As if a server had not beaten for this long; its lease is as old as its beat. */
export async function backdateBeat(sql: Sql, serverId: string, silentMs: number): Promise<void> {
  await sql`update servers set last_beat_at = clock_timestamp() - ${silentMs} * interval '1 millisecond',
    lease_until = clock_timestamp() + ${leaseMs - silentMs} * interval '1 millisecond' where id = ${serverId}`;
}

/** As a pass would leave a server that crashed: departed for good. Its jobs are as they were. */
export async function departNow(sql: Sql, serverId: string): Promise<void> {
  await sql`update servers set state = 'departed', departed_at = clock_timestamp(), departure = 'crashed'
    where id = ${serverId} and state <> 'departed'`;
}

export async function insertVersion(sql: Sql, version = '1.31.4'): Promise<string> {
  const [row] = await sql<{ id: string }[]>`insert into kubernetes_versions (version, iso_id, iso_name)
    values (${version}, ${`iso-${version}`}, ${`kubernetes-${version}`})
    on conflict (version) do update set version = excluded.version returning id`;
  if (row === undefined) throw new Error('no version was written');
  return row.id;
}

/** How a cluster comes into each operation state, the usual way. */
const usualWay: Readonly<Record<OperationState, { kind: OperationKind; from: ClusterState; event: ClusterEvent }>> = {
  Starting: { kind: 'start', from: 'Stopped', event: 'StartRequested' },
  Stopping: { kind: 'stop', from: 'Running', event: 'StopRequested' },
  Scaling: { kind: 'scale', from: 'Running', event: 'ScaleUpRequested' },
  ScalingStoppedCluster: { kind: 'scale', from: 'Stopped', event: 'ScaleUpRequested' },
  Upgrading: { kind: 'upgrade', from: 'Running', event: 'UpgradeRequested' },
  Importing: { kind: 'add-nodes', from: 'Running', event: 'AddNodeRequested' },
  RemovingNodes: { kind: 'remove-nodes', from: 'Running', event: 'RemoveNodeRequested' },
  Recovering: { kind: 'recover', from: 'Alert', event: 'RecoveryRequested' },
};

export interface NewCluster {
  readonly state: ClusterState;
  /** Where its job runs; needed in an operation state, and for an owner at rest. */
  readonly serverId?: string;
  /** At rest: the operation that goes ahead from there and owns it. */
  readonly ownedBy?: OperationKind;
  readonly name?: string;
  readonly protected?: boolean;
  /** Recovering only: from Error, so that its failure leads back there. */
  readonly from?: ClusterState;
  readonly failureEvent?: ClusterEvent;
}

export interface FixtureCluster {
  readonly id: string;
  readonly name: string;
  readonly asRead: AsRead;
}

export interface HeldFixture extends FixtureCluster {
  readonly hold: Hold;
}

/** A cluster at rest that nobody owns. */
export async function insertCluster(sql: Sql, wanted: NewCluster): Promise<FixtureCluster> {
  const inserted = await insertAnyCluster(sql, wanted);
  return { id: inserted.id, name: inserted.name, asRead: inserted.asRead };
}

/** A cluster that a job in progress holds: with job, token and the transition of its entry. */
export async function insertHeldCluster(sql: Sql, wanted: NewCluster & { serverId: string }): Promise<HeldFixture> {
  const { id, name, asRead, jobId } = await insertAnyCluster(sql, wanted);
  if (jobId === null) throw new Error(`a cluster in ${wanted.state} is held only with ownedBy`);
  return { id, name, asRead, hold: { clusterId: id, jobId, token: asRead.operationSeq, serverId: wanted.serverId } };
}

/** Written by SQL of its own, so that what is under test does not set its own stage; one transaction, every constraint in force. */
async function insertAnyCluster(sql: Sql, wanted: NewCluster): Promise<FixtureCluster & { jobId: string | null }> {
  const versionId = await insertVersion(sql);
  const id = randomUUID();
  const name = wanted.name ?? uniqueName('cluster');
  const { state } = wanted;
  const way = isOperationState(state) ? usualWay[state] : null;
  const kind = wanted.ownedBy ?? way?.kind ?? null;
  const jobId = kind === null ? null : randomUUID();
  const token = kind === null ? 0 : 1;
  const from = wanted.from ?? way?.from ?? state;
  const failureEvent = wanted.failureEvent ?? (way === null ? null : 'OperationFailed');
  if (kind !== null && wanted.serverId === undefined) throw new Error(`a cluster held in ${state} needs a server`);
  await sql.begin(async (tx) => {
    await tx`insert into clusters (id, name, state, operation_id, operation_seq, transition_seq, zone_id, zone_name, kubernetes_version_id,
        control_count, worker_count, control_offering_id, worker_offering_id, template_id, protected, created_by, removed_at)
      values (${id}, ${name}, ${state}, ${jobId}, ${token}, ${way === null ? 0 : 1}, 'zone-1', 'Zone 1', ${versionId},
        1, 2, 'medium', 'medium', 'template-1', ${wanted.protected ?? false}, 'Ana', ${state === 'Destroyed' ? tx`clock_timestamp()` : null})`;
    if (jobId === null || kind === null) return;
    await tx`insert into jobs (id, cluster_id, kind, status, token, server_id, actor, failure_event, from_state, held_state, started_at, deadline_at)
      values (${jobId}, ${id}, ${kind}, 'in_progress', ${token}, ${wanted.serverId ?? null}, ${JSON.stringify(ana)}::jsonb, ${failureEvent},
        ${from}, ${state}, clock_timestamp(), clock_timestamp() + interval '1 hour')`;
    if (way === null) return;
    await tx`insert into transitions (cluster_id, seq, job_id, token, server_id, event, from_state, to_state, cause)
      values (${id}, 1, ${jobId}, ${token}, ${wanted.serverId ?? null}, ${way.event}, ${from}, ${state}, 'entry')`;
  });
  return { id, name, jobId, asRead: { clusterId: id, state, operationId: jobId, operationSeq: token } };
}

export interface NewLegacyJob {
  readonly kind?: string;
  readonly serverId?: string;
  readonly parameters: string | null;
}

/** A job in progress of an older server: it records no cluster and no token (MIX-1, MIX-2). */
export async function insertLegacyJob(sql: Sql, wanted: NewLegacyJob): Promise<string> {
  const id = randomUUID();
  await sql`insert into jobs (id, kind, status, server_id, actor, started_at, legacy_parameters)
    values (${id}, ${wanted.kind ?? 'upgrade'}, 'in_progress', ${wanted.serverId ?? null}, ${JSON.stringify(ana)}::jsonb, clock_timestamp(), ${wanted.parameters})`;
  return id;
}

export function newJob(clusterId: string, kind: OperationKind, more: Partial<NewJob> = {}): NewJob {
  return {
    id: randomUUID(),
    kind,
    clusterId,
    actor: ana,
    input: {},
    note: null,
    continuesJobId: null,
    idempotencyKey: null,
    timeoutSeconds: operations[kind].timeoutSeconds,
    ...more,
  };
}

/** The entry that the policy allows for this operation in this state; throws when it allows none. */
export function newEntry(
  cluster: FixtureCluster,
  kind: OperationKind,
  serverId: string,
  more: Partial<Entry> = {},
): Entry {
  const verdict = byState(kind, cluster.asRead.state);
  if (verdict.kind !== 'enter' && verdict.kind !== 'go-ahead')
    throw new Error(`${kind} has no entry from ${cluster.asRead.state}`);
  return {
    asRead: cluster.asRead,
    clusterName: cluster.name,
    job: newJob(cluster.id, kind),
    serverId,
    move: verdict.kind === 'enter' ? { event: verdict.event, to: verdict.to } : null,
    failureEvent: verdict.kind === 'enter' ? operations[kind].failed : null,
    ...more,
  };
}
