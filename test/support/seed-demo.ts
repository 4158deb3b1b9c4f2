/**
 * Fills a migrated, empty database with a fleet in every state, for looking at pages: `tsx test/support/seed-demo.ts [--beat]`,
 * with DATABASE_URL. Made-up rows, no cloud. With --beat it goes on to beat for its servers that are up. Password of each
 * account (ana, ben, vera @example.org): correct horse battery.
 */
import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import postgres from 'postgres';
import type { ClusterState } from '@/domain/states';
import { type DemoCluster, demoCatalogue, demoClusters } from './demo-fleet';

const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('set DATABASE_URL');
const sql = postgres(url, { onnotice: () => undefined });
type Sql = postgres.TransactionSql;

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const servers = { up: randomUUID(), silent: randomUUID(), gone: randomUUID() };
const ana = { kind: 'user', id: 'ana', name: 'Ana', role: 'admin' };

async function seed(): Promise<void> {
  await sql.begin(async (tx) => {
    await seedAccounts(tx);
    await seedServers(tx);
    for (const [kind, data] of Object.entries(demoCatalogue)) {
      await tx`insert into cloud_catalogue (kind, data) values (${kind}, ${JSON.stringify(data)}::text::jsonb) on conflict (kind) do update set data = excluded.data`;
    }
    const versions = new Map<string, string>();
    for (const version of ['1.30.8', '1.31.4', '1.31.6', '1.32.1']) {
      const [row] = await tx<{ id: string }[]>`insert into kubernetes_versions (version, iso_id, iso_name)
        values (${version}, ${`iso-${version}`}, ${`v${version}-binaries`}) on conflict (version) do update set iso_id = excluded.iso_id returning id`;
      if (row !== undefined) versions.set(version, row.id);
    }
    for (const cluster of demoClusters) await seedCluster(tx, cluster, versions.get(cluster.version) ?? '');
    await tx`insert into passes (mode, trigger, actor_name, server_id, status, started_at, finished_at, looked_at, recovered)
      values ('apply', 'cron', 'cron', ${servers.up}, 'done', now() - interval '4 seconds', now(), 6, 1)`;
  });
}

async function seedAccounts(tx: Sql): Promise<void> {
  const hash = await hashPassword('correct horse battery');
  for (const [id, role] of [
    ['ana', 'admin'],
    ['ben', 'operator'],
    ['vera', 'viewer'],
  ] as const) {
    const name = id.charAt(0).toUpperCase() + id.slice(1);
    await tx`insert into users (id, name, email, role, email_verified) values (${id}, ${name}, ${`${id}@example.org`}, ${role}, true) on conflict do nothing`;
    await tx`insert into accounts (id, account_id, provider_id, user_id, password) values (${id}, ${id}, 'credential', ${id}, ${hash}) on conflict do nothing`;
  }
}

async function seedServers(tx: Sql): Promise<void> {
  const rows = [
    { id: servers.up, name: 'server-2', state: 'up', beat: 1, lease: 3600, departure: null },
    { id: servers.silent, name: 'server-3', state: 'up', beat: 7, lease: 3600, departure: null },
    { id: servers.gone, name: 'server-4', state: 'departed', beat: 340, lease: -332, departure: 'crashed' },
  ];
  for (const row of rows) {
    await tx`insert into servers (id, name, url, version, pid, state, started_at, last_beat_at, lease_until, departed_at, departure)
      values (${row.id}, ${row.name}, 'http://127.0.0.1', '0.1.0', 4242, ${row.state}, ${ago(7200)}, ${ago(row.beat)}, ${ago(-row.lease)},
        ${row.state === 'departed' ? ago(330) : null}, ${row.departure})`;
  }
}

async function seedCluster(tx: Sql, cluster: DemoCluster, versionId: string): Promise<void> {
  const id = randomUUID();
  const jobId = cluster.operation === undefined ? null : randomUUID();
  const attention =
    cluster.attention === undefined
      ? null
      : tx.json({ ...cluster.attention, jobId: null, at: ago(cluster.sinceSeconds) });
  const health =
    cluster.missing === undefined
      ? null
      : tx.json({
          at: ago(40),
          verdict: 'not-yet',
          missing: cluster.missing,
          advice: 'Start the machine in the cloud, or start the cluster: a start brings back what is missing.',
        });
  await tx`insert into clusters ${tx({
    id,
    name: cluster.name,
    description: cluster.description ?? '',
    state: cluster.state,
    state_since: ago(cluster.sinceSeconds),
    operation_id: jobId,
    operation_seq: 3,
    transition_seq: 3,
    zone_id: `zone-${cluster.zone}`,
    zone_name: cluster.zone,
    kubernetes_version_id: versionId,
    control_count: cluster.control ?? 1,
    worker_count: cluster.workers,
    control_offering_id: 'offering-m',
    worker_offering_id: 'offering-l',
    template_id: 'template-1',
    autoscale_enabled: cluster.autoscale !== undefined,
    min_size: cluster.autoscale?.[0] ?? null,
    max_size: cluster.autoscale?.[1] ?? null,
    protected: cluster.protected ?? false,
    public_ip: cluster.state === 'Created' ? null : '203.0.113.17',
    endpoint: cluster.state === 'Created' ? null : 'https://203.0.113.17:6443',
    attention,
    health_check: health,
    next_check_at: cluster.attention === undefined ? null : ago(-95),
    created_by: cluster.createdBy ?? 'Ana',
    created_at: ago(86_400 * 9 + cluster.sinceSeconds),
    removed_at: cluster.state === 'Destroyed' ? ago(cluster.sinceSeconds) : null,
  } as unknown as Record<string, string>)}`;
  await seedNodes(tx, id, cluster);
  await seedHistory(tx, id, cluster);
  if (jobId !== null && cluster.operation !== undefined)
    await seedOwner(tx, { id, jobId, cluster, operation: cluster.operation });
}

async function seedNodes(tx: Sql, clusterId: string, cluster: DemoCluster): Promise<void> {
  if (cluster.state === 'Created' || cluster.state === 'Destroyed') return;
  for (const [role, count] of [
    ['control', cluster.control ?? 1],
    ['worker', cluster.workers],
  ] as const) {
    for (let ordinal = 1; ordinal <= count; ordinal += 1) {
      const isUnbuilt = cluster.state === 'Starting' && role === 'worker' && ordinal > 1;
      const version = cluster.mixedVersion !== undefined && ordinal === 1 ? cluster.mixedVersion : cluster.version;
      await tx`insert into nodes (cluster_id, role, ordinal, name, machine_id, stage, offering_id, version, ip, external, created_at, ready_at)
        values (${clusterId}, ${role}, ${ordinal}, ${`${cluster.name}-${role}-${ordinal}`}, ${isUnbuilt ? null : randomUUID()},
          ${isUnbuilt ? 'planned' : 'ready'}, ${role === 'control' ? 'offering-m' : 'offering-l'}, ${isUnbuilt ? null : version},
          ${isUnbuilt ? null : `10.1.1.${10 + ordinal + (role === 'worker' ? 20 : 0)}`}, ${cluster.external === true && ordinal === 3},
          ${ago(86_400 * 9)}, ${isUnbuilt ? null : ago(86_400 * 9 - 300)})`;
    }
  }
  for (const component of ['dashboard', 'cloud-provider']) {
    await tx`insert into cluster_components (cluster_id, component, wanted, installed_at) values (${clusterId}, ${component}, true, ${cluster.state === 'Starting' ? null : ago(86_400)})`;
  }
}

async function seedHistory(tx: Sql, clusterId: string, cluster: DemoCluster): Promise<void> {
  const created = randomUUID();
  const begun = 86_400 * 9;
  await tx`insert into jobs (id, cluster_id, kind, status, token, server_id, actor, steps_total, steps_done, accepted_at, started_at, finished_at)
    values (${created}, ${clusterId}, 'create', 'succeeded', 1, ${servers.gone}, ${tx.json(ana)}, 18, 18, ${ago(begun)}, ${ago(begun)}, ${ago(begun - 412)})`;
  const last: ClusterState = cluster.state;
  const steps = [
    ['Created', 'Starting', 'StartRequested', 'entry', begun],
    ['Starting', 'Running', 'OperationSucceeded', 'end', begun - 412],
    ...(last === 'Running'
      ? []
      : [
          [
            'Running',
            last,
            null,
            cluster.attention === undefined ? 'entry' : 'recovery',
            cluster.sinceSeconds,
          ] as const,
        ]),
  ] as const;
  let seq = 0;
  for (const [from, to, event, cause, seconds] of steps) {
    seq += 1;
    await tx`insert into transitions (cluster_id, seq, job_id, token, from_state, to_state, event, cause, at)
      values (${clusterId}, ${seq}, ${created}, ${seq}, ${from}, ${to}, ${event}, ${cause}, ${ago(seconds)})`;
  }
  const lines = [
    ['operation.accepted', 'ok', `Create of ${cluster.name} accepted`, begun],
    ['operation.ended', 'ok', `Create of ${cluster.name} succeeded after 6 min 52 s`, begun - 412],
    ...(cluster.attention === undefined
      ? []
      : [['recovery.decision', 'ok', cluster.attention.text, cluster.sinceSeconds] as const]),
  ] as const;
  for (const [type, result, summary, seconds] of lines) {
    await tx`insert into events (at, type, result, cluster_id, cluster_name, job_id, actor_kind, actor_id, actor_name, summary)
      values (${ago(seconds)}, ${type}, ${result}, ${clusterId}, ${cluster.name}, ${created}, 'user', 'ana', 'Ana', ${summary})`;
  }
}

interface OwnerOf {
  id: string;
  jobId: string;
  cluster: DemoCluster;
  operation: NonNullable<DemoCluster['operation']>;
}

async function seedOwner(tx: Sql, { id, jobId, cluster, operation }: OwnerOf): Promise<void> {
  const actor =
    operation.by === 'scanner' ? { kind: 'scanner', id: 'scanner', name: 'scanner' } : { ...ana, name: operation.by };
  await tx`insert into jobs (id, cluster_id, kind, status, token, server_id, actor, failure_event, from_state, held_state, steps_total, steps_done,
      current_step, progress_at, accepted_at, started_at, deadline_at, note)
    values (${jobId}, ${id}, ${operation.kind}, 'in_progress', 3, ${servers[operation.server]}, ${tx.json(actor)}, 'OperationFailed', 'Running', ${cluster.state},
      ${operation.steps[1]}, ${operation.steps[0]}, ${operation.step}, ${ago(3)}, ${ago(cluster.sinceSeconds)}, ${ago(cluster.sinceSeconds)},
      ${ago(cluster.sinceSeconds - 3600)}, ${operation.note ?? null})`;
  await tx`insert into events (at, type, result, cluster_id, cluster_name, job_id, actor_kind, actor_id, actor_name, summary)
    values (${ago(cluster.sinceSeconds)}, 'operation.accepted', 'ok', ${id}, ${cluster.name}, ${jobId}, 'user', 'ana', ${operation.by}, ${`${operation.kind} of ${cluster.name} accepted`})`;
}

await seed();
console.log('seeded');
if (process.argv.includes('--beat')) {
  setInterval(() => {
    const lively = sql`update servers set last_beat_at = clock_timestamp(), lease_until = clock_timestamp() + interval '1 hour' where id = ${servers.up}`;
    const late = sql`update servers set last_beat_at = clock_timestamp() - interval '7 seconds' where id = ${servers.silent}`;
    Promise.all([lively, late]).catch((error: unknown) => console.error(error));
  }, 1000);
} else {
  await sql.end();
}
