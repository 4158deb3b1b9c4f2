import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { clustersToScan } from '@/db/cloud-scan';
import { enterOperation } from '@/db/entry';
import type { PassReport } from '@/domain/passes';
import { ana, insertServer, newEntry } from '@/test/support/fixtures';
import { clusterRow, jobsOf, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { looseCall } from '@/worker/catalogue';
import { checkCluster } from './check-now';
import { checkOne, openCheck } from './cloud-pass';
import type { ScannerContext, ScannerSettings } from './context';
import { Fleet, type FleetCluster } from './fleet-for-tests';
import type { PassRequest } from './pass-run';
import { runPass, runPassWithin } from './run-pass';
import { testScanner } from './scanner-for-tests';

const scratch = scratchDatabase();
let serverId: string;
let fleet: Fleet;
let scanner: ScannerContext;

beforeEach(async () => {
  await scratch.sql`truncate clusters, jobs, servers, passes, stray_machines cascade`;
  serverId = await insertServer(scratch.sql);
  fleet = new Fleet(scratch.sql);
  scanner = scannerWith({});
});

function scannerWith(settings: Partial<ScannerSettings>): ScannerContext {
  const { cloud, connectKubernetes } = fleet;
  return testScanner({
    db: scratch.db,
    serverId,
    cloud,
    connectKubernetes,
    runsJobs: false,
    settings: { strayAfterMs: 0, ...settings },
  });
}

async function pass(more: Partial<PassRequest> = {}): Promise<PassReport> {
  const outcome = await runPass(scanner, { mode: 'apply', trigger: 'test', actor: ana, ...more });
  if (outcome.kind !== 'done') throw new Error(`the pass answered ${outcome.kind}`);
  return outcome.report;
}

const decisionOn = (report: PassReport, id: string) => report.decisions.find((decision) => decision.clusterId === id);
const stateOf = async (id: string) => (await clusterRow(scratch.sql, id)).state;
const kindsOf = async (id: string) => (await jobsOf(scratch.sql, id)).map((job) => job.kind);

/** What a worker would write: the job's end, and the cluster back where its failure leads. */
async function failJob(clusterId: string, to: string): Promise<void> {
  const [row] =
    await scratch.sql`select operation_id, operation_seq, transition_seq, state from clusters where id = ${clusterId}`;
  await scratch.sql.begin(async (tx) => {
    const moves = row?.['state'] !== to;
    await tx`update clusters set state = ${to}, operation_id = null, health_check = null, next_check_at = ${moves ? null : tx`next_check_at`},
      transition_seq = transition_seq + ${moves ? 1 : 0} where id = ${clusterId}`;
    await tx`update jobs set status = 'failed', reason = 'step-failed', finished_at = clock_timestamp() where id = ${row?.['operation_id']}`;
    if (moves)
      await tx`insert into transitions (cluster_id, seq, job_id, token, server_id, from_state, to_state, event, cause)
        values (${clusterId}, ${Number(row?.['transition_seq']) + 1}, ${row?.['operation_id']}, ${row?.['operation_seq']}, ${serverId},
          ${row?.['state']}, ${to}, ${to === 'Error' ? 'CreateFailed' : 'OperationFailed'}, 'end')`;
  });
}

describe('drift', () => {
  it('takes a Running cluster to Alert when two passes find the same machine stopped', async () => {
    const cluster = await fleet.cluster('Running');
    fleet.power(cluster.machines['worker-1'], 'stopped');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ decision: 'leave', code: 'DRIFT' });
    expect(await stateOf(cluster.id)).toBe('Running');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      decision: 'recover',
      code: 'DRIFT',
      becomes: 'Alert',
      result: 'done',
    });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: 'Alert',
      attention: { code: 'drift-machines' },
    });
    expect(await pathOf(scratch.sql, cluster.id)).toEqual(['drift Running → Alert']);
  });

  it('needs two equal findings: another one in between begins anew', async () => {
    const cluster = await fleet.cluster('Running');
    fleet.power(cluster.machines['worker-1'], 'stopping');
    await pass();
    fleet.power(cluster.machines['worker-1'], 'stopped');
    await pass();
    expect(await stateOf(cluster.id)).toBe('Running');
    fleet.power(cluster.machines['worker-1'], 'running');
    await pass();
    expect((await clusterRow(scratch.sql, cluster.id))['drift_finding']).toBeNull();
  });

  it('sees a Stopped cluster whose machine runs', async () => {
    const cluster = await fleet.cluster('Stopped', { machines: 'stopped' });
    fleet.power(cluster.machines['control-1'], 'running');
    await pass();
    await pass();
    expect(await stateOf(cluster.id)).toBe('Alert');
  });

  it('asks once more by id before a machine that is not listed counts as gone', async () => {
    const cluster = await fleet.cluster('Running');
    fleet.unlisted.add(cluster.machines['worker-2'] ?? '');
    await pass();
    await pass();
    expect(await stateOf(cluster.id)).toBe('Running');
    fleet.machines.delete(cluster.machines['worker-2'] ?? '');
    await pass();
    await pass();
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: 'Alert',
      attention: { text: expect.stringContaining('worker-2: machine gone') },
    });
  });

  for (const [code, change] of [
    ['drift-versions', `update nodes set version = '1.30.2' where ordinal = 2`],
    ['drift-components', `update cluster_components set installed_at = null where component = 'cloud-provider'`],
    ['drift-nodes', 'delete from nodes where ordinal = 2'],
  ] as const) {
    it(`counts recorded facts at once: ${code}`, async () => {
      const cluster = await fleet.cluster('Running');
      await scratch.sql.unsafe(change);
      await pass();
      expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Alert', attention: { code } });
    });
  }

  it('moves nothing while the cloud is away, however often it looks', async () => {
    const running = await fleet.cluster('Running');
    const alert = await fleet.cluster('Alert');
    fleet.power(running.machines['worker-1'], 'stopped');
    fleet.away = true;
    for (let times = 0; times < 3; times += 1) {
      const report = await pass();
      expect(report.cloud).toBe('failed');
      expect(decisionOn(report, alert.id)).toMatchObject({ code: 'UNREACHABLE', result: 'none' });
      expect(report.cloudNote).toContain('the management server is away');
    }
    expect([await stateOf(running.id), await stateOf(alert.id)]).toEqual(['Running', 'Alert']);
    expect(await clusterRow(scratch.sql, alert.id)).toMatchObject({ health_check: { verdict: 'unreachable' } });
  });

  it('is not concluded on a cluster that an operation took meanwhile', async () => {
    const cluster = await fleet.cluster('Running');
    fleet.power(cluster.machines['worker-1'], 'stopped');
    await pass();
    const [listed] = await clustersToScan(scratch.db, [cluster.id]);
    await enterOperation(scratch.db, newEntry(cluster, 'stop', serverId));
    expect(await checkListed(listed)).toMatchObject({ code: 'MOVED_ON', result: 'missed' });
    expect(await stateOf(cluster.id)).toBe('Stopping');
  });
});

/** The cluster as a pass had listed it, checked now: everything that happened in between happened after the list. */
async function checkListed(listed: Awaited<ReturnType<typeof clustersToScan>>[number] | undefined) {
  if (listed === undefined) throw new Error('it was not listed');
  const check = await openCheck(scanner, { serverId, isPreview: false, forced: false, wouldDepart: new Set() });
  const checked = await checkOne(check, looseCall(check.signal, 'test'), listed, new Map(fleet.machines));
  return checked?.decision;
}

describe('Alert', () => {
  it('SCN-1 becomes Stopping by a stop of the scanner when every planned machine is stopped', async () => {
    const cluster = await fleet.cluster('Alert', { machines: 'stopped' });
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      code: 'ALL_STOPPED',
      becomes: 'Stopping',
      result: 'done',
    });
    expect(await stateOf(cluster.id)).toBe('Stopping');
    expect(await jobsOf(scratch.sql, cluster.id)).toMatchObject([{ kind: 'stop', actor: { kind: 'scanner' } }]);
  });

  it('SCN-1 moves the cluster as listed: a start between list and move is unharmed', async () => {
    const cluster = await fleet.cluster('Alert', { machines: 'stopped' });
    const [listed] = await clustersToScan(scratch.db, [cluster.id]);
    const start = newEntry(cluster, 'start', serverId);
    await enterOperation(scratch.db, start);
    expect(await checkListed(listed)).toMatchObject({ code: 'MOVED_ON', result: 'missed' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Starting', operation_id: start.job.id });
  });

  it('SCN-2 completes only a recovery it began itself: an import between checks and entry stays Importing', async () => {
    const cluster = await fleet.cluster('Alert');
    const [listed] = await clustersToScan(scratch.db, [cluster.id]);
    await enterOperation(scratch.db, newEntry(cluster, 'add-nodes', serverId));
    expect(await checkListed(listed)).toMatchObject({ code: 'MOVED_ON', result: 'missed' });
    expect(await stateOf(cluster.id)).toBe('Importing');
    expect(await pathOf(scratch.sql, cluster.id)).toEqual(['entry Alert → Importing']);
  });

  it('SCN-3 a Starting cluster is no matter of the cloud half, however old', async () => {
    const cluster = await fleet.cluster('Alert', { machines: 'stopped' });
    await enterOperation(scratch.db, newEntry(cluster, 'start', serverId));
    await scratch.sql`update clusters set created_at = now() - interval '1 day', state_since = now() - interval '1 day' where id = ${cluster.id}`;
    await pass();
    expect(await stateOf(cluster.id)).toBe('Starting');
  });

  it('begins a Recovering job when every node runs, is Ready and of the version', async () => {
    const cluster = await fleet.cluster('Alert');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      code: 'HEALTHY',
      becomes: 'Recovering',
      result: 'done',
    });
    expect(await stateOf(cluster.id)).toBe('Recovering');
    expect(await kindsOf(cluster.id)).toEqual(['recover']);
  });

  it('OUT-4 with components missing it is never called Running by the pass: their installation is the job', async () => {
    const cluster = await fleet.cluster('Alert', { componentsInstalled: false });
    const report = await pass();
    expect(decisionOn(report, cluster.id)).toMatchObject({
      becomes: 'Recovering',
      reason: expect.stringContaining('Cloud provider'),
    });
    await failJob(cluster.id, 'Alert');
    expect(await pathOf(scratch.sql, cluster.id)).toEqual(['entry Alert → Recovering', 'end Recovering → Alert']);
  });

  it('OUT-7 nodes of another version keep it in Alert, and the page says which', async () => {
    const cluster = await fleet.cluster('Alert');
    const nodes = [...fleet.nodesOf.values()][0] ?? [];
    fleet.nodesOf.set(
      [...fleet.nodesOf.keys()][0] ?? '',
      nodes.map((node, index) => (index === 0 ? { ...node, kubeletVersion: '1.32.0' } : node)),
    );
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      code: 'STILL_MISSING',
      reason: expect.stringContaining('version 1.32.0'),
    });
    expect(await stateOf(cluster.id)).toBe('Alert');
  });

  it('says what is missing and what helps, without touching the state', async () => {
    const cluster = await fleet.cluster('Alert');
    fleet.power(cluster.machines['worker-1'], 'stopped');
    await pass();
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: 'Alert',
      operation_seq: '0',
      health_check: {
        verdict: 'not-yet',
        missing: ['worker-1: machine stopped'],
        advice: expect.stringContaining('Start it'),
      },
    });
  });

  it('a cluster with no machine never becomes Stopped', async () => {
    const cluster = await fleet.cluster('Alert', { nodes: 0 });
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'STILL_MISSING' });
    expect(await stateOf(cluster.id)).toBe('Alert');
  });

  it('with fewer machines than planned, all stopped, it does not become Stopped', async () => {
    const cluster = await fleet.cluster('Alert', { nodes: 2, machines: 'stopped' });
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'STILL_MISSING' });
  });

  it('waits longer after each failed recovery, and no longer when somebody asks', async () => {
    const cluster = await fleet.cluster('Alert');
    await pass();
    await failJob(cluster.id, 'Alert');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'WAITING_BACK_OFF' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      check_failures: 1,
      next_check_at: expect.anything(),
    });
    await passTime(cluster, '61 seconds');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'HEALTHY', result: 'done' });
    await failJob(cluster.id, 'Alert');
    await passTime(cluster, '61 seconds');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      code: 'WAITING_BACK_OFF',
      reason: expect.stringContaining('2 times'),
    });
    expect(await checkCluster(scanner, cluster.id)).toMatchObject({
      kind: 'decided',
      decision: { code: 'HEALTHY', result: 'done' },
    });
  });

  it('tries again at once when facts changed since the failed recovery', async () => {
    const cluster = await fleet.cluster('Alert');
    await pass();
    await failJob(cluster.id, 'Alert');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'WAITING_BACK_OFF' });
    fleet.power(cluster.machines['worker-1'], 'stopped');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'STILL_MISSING' });
    fleet.power(cluster.machines['worker-1'], 'running');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'HEALTHY', result: 'done' });
  });

  it('is left alone by a draining server, without a refusal each time', async () => {
    const cluster = await fleet.cluster('Alert');
    await scratch.sql`update servers set state = 'draining' where id = ${serverId}`;
    await pass();
    expect(await stateOf(cluster.id)).toBe('Alert');
    expect(await scratch.sql`select 1 from events where cluster_id = ${cluster.id}`).toHaveLength(0);
  });
});

/** As if the cluster's last job had ended this much earlier. */
async function passTime(cluster: FleetCluster, interval: string): Promise<void> {
  await scratch.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update jobs set finished_at = finished_at - ${interval}::interval, started_at = started_at - ${interval}::interval,
      accepted_at = accepted_at - ${interval}::interval where cluster_id = ${cluster.id}`;
    await tx`update clusters set next_check_at = next_check_at - ${interval}::interval where id = ${cluster.id}`;
  });
}

describe('Error', () => {
  it('ENT-8 whose components are missing stays Error, however healthy its nodes are', async () => {
    const cluster = await fleet.cluster('Error', { componentsInstalled: false });
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      code: 'STILL_MISSING',
      reason: expect.stringContaining('Cloud provider'),
    });
    expect(await stateOf(cluster.id)).toBe('Error');
  });

  it('whose every create step is done is recovered, and a failure leads back to Error', async () => {
    const cluster = await fleet.cluster('Error');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'HEALTHY', becomes: 'Recovering' });
    expect(await jobsOf(scratch.sql, cluster.id)).toMatchObject([{ kind: 'recover', failure_event: 'CreateFailed' }]);
  });
});

describe('Destroying', () => {
  it('SCN-4 without an owner its delete is tried again, by one job only', async () => {
    const cluster = await fleet.cluster('Destroying');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'DESTROY_RETRY', result: 'done' });
    await pass();
    expect(await kindsOf(cluster.id)).toEqual(['delete']);
    expect(await stateOf(cluster.id)).toBe('Destroying');
  });

  it('waits longer after each failed delete, unless that destroyed something', async () => {
    const cluster = await fleet.cluster('Destroying');
    await pass();
    await failJob(cluster.id, 'Destroying');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'WAITING_BACK_OFF' });
    await passTime(cluster, '61 seconds');
    await pass();
    expect(await kindsOf(cluster.id)).toEqual(['delete', 'delete']);
    await failJob(cluster.id, 'Destroying');
    await passTime(cluster, '61 seconds');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'WAITING_BACK_OFF' });
    fleet.machines.delete(cluster.machines['worker-1'] ?? '');
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'DESTROY_RETRY', result: 'done' });
  });

  it('that is protected meanwhile is left alone, and says why', async () => {
    const cluster = await fleet.cluster('Destroying');
    await scratch.sql`update clusters set protected = true where id = ${cluster.id}`;
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({
      code: 'STILL_MISSING',
      reason: expect.stringContaining('Protected'),
    });
  });
});

describe('left-over machines', () => {
  it('are destroyed when found twice on a cluster that nobody owns, with an event', async () => {
    const cluster = await fleet.cluster('Running');
    fleet.machine('late', 'worker-9-late', cluster.id);
    await pass();
    expect(fleet.machines.has('late')).toBe(true);
    expect((await pass()).counts.swept).toBe(1);
    expect(fleet.machines.has('late')).toBe(false);
    expect(
      await scratch.sql`select summary from events where type = 'machine.swept' and cluster_id = ${cluster.id}`,
    ).toHaveLength(1);
    expect(fleet.machines.size).toBe(3);
  });

  it('of a cluster that is gone are destroyed too', async () => {
    fleet.machine('late', 'worker-9-late', randomUUID());
    await pass();
    await pass();
    expect(fleet.machines.has('late')).toBe(false);
  });

  it('stay while they are younger than any call that may make them somebody’s', async () => {
    scanner = scannerWith({ strayAfterMs: 600_000 });
    fleet.machine('late', 'worker-9-late', randomUUID());
    for (let times = 0; times < 3; times += 1) await pass();
    expect(fleet.machines.has('late')).toBe(true);
    await scratch.sql`update stray_machines set first_seen_at = first_seen_at - interval '11 minutes'`;
    await pass();
    expect(fleet.machines.has('late')).toBe(false);
  });

  it('stay while an operation holds the cluster, and when a planned node bears the name', async () => {
    const held = await fleet.cluster('Running');
    fleet.machine('late', 'worker-9-late', held.id);
    await pass();
    await enterOperation(scratch.db, newEntry(held, 'stop', serverId));
    const planned = await fleet.cluster('Running');
    await scratch.sql`update clusters set worker_count = 3 where id = ${planned.id}`;
    await scratch.sql`insert into nodes (cluster_id, role, ordinal, name, offering_id) values (${planned.id}, 'worker', 3, 'worker-3-planned', 'medium')`;
    fleet.machine('planned', 'worker-3-planned', planned.id);
    for (let times = 0; times < 3; times += 1) await pass();
    expect([fleet.machines.has('late'), fleet.machines.has('planned')]).toEqual([true, true]);
  });
});

it('a cluster whose API hangs delays no other: the wait is bounded and the others are checked meanwhile', async () => {
  scanner = scannerWith({ kubernetesCheckMs: 300 });
  const hanging = await fleet.cluster('Alert');
  await fleet.mood(hanging, 'hangs');
  const others = await Promise.all([fleet.cluster('Alert'), fleet.cluster('Alert')]);
  const began = performance.now();
  const report = await pass();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(decisionOn(report, hanging.id)).toMatchObject({
    code: 'STILL_MISSING',
    reason: expect.stringContaining('no answer within 0.3 s'),
  });
  for (const other of others) expect(await stateOf(other.id)).toBe('Recovering');
});

it('an error on one cluster is told as its own, and the others are checked', async () => {
  const broken = await fleet.cluster('Alert');
  await scratch.sql`update cluster_secrets set value = 'nonsense' where cluster_id = ${broken.id}`;
  const other = await fleet.cluster('Alert');
  const report = await pass();
  expect(decisionOn(report, broken.id)).toMatchObject({ code: 'UNREACHABLE', result: 'failed' });
  expect(await stateOf(other.id)).toBe('Recovering');
});

it('a slow cloud does not delay the ownership half, nor the next pass', async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { cloud } = fleet;
  const slow = {
    ...cloud,
    listMachines: (...args: Parameters<typeof cloud.listMachines>) => gate.then(() => cloud.listMachines(...args)),
  };
  scanner = testScanner({ db: scratch.db, serverId, cloud: slow, runsJobs: false });
  const request = { mode: 'apply', trigger: 'test', actor: ana } as const;
  const first = await runPassWithin(scanner, request, 0);
  expect(first).toMatchObject({ kind: 'done', report: { cloud: 'running' } });
  const second = await runPass(scanner, request);
  expect(second).toMatchObject({ kind: 'done', report: { cloud: 'skipped' } });
  goOn();
  await expect.poll(() => scanner.runningPasses.size).toBe(0);
  expect(await scratch.sql`select status, cloud from passes order by id`).toMatchObject([
    { status: 'done', cloud: 'done' },
    { status: 'done', cloud: 'skipped' },
  ]);
});

it('a preview of the cloud half decides as an apply does and writes nothing', async () => {
  const stopped = await fleet.cluster('Alert', { machines: 'stopped' });
  const healthy = await fleet.cluster('Alert');
  const drifted = await fleet.cluster('Running');
  await scratch.sql`update nodes set version = '1.30.0' where cluster_id = ${drifted.id} and ordinal = 2`;
  const destroying = await fleet.cluster('Destroying');
  const clusters = [stopped, healthy, drifted, destroying];
  const before = await Promise.all(clusters.map(({ id }) => clusterRow(scratch.sql, id)));
  const preview = await pass({ mode: 'preview' });
  expect(await Promise.all(clusters.map(({ id }) => clusterRow(scratch.sql, id)))).toEqual(before);
  const applied = await pass();
  for (const { id } of clusters) {
    const { decision, code, becomes } = decisionOn(preview, id) ?? {};
    expect(decisionOn(applied, id)).toMatchObject({ decision, code, becomes });
  }
  expect(await readAgain(scratch.sql, drifted.id)).toMatchObject({ state: 'Alert' });
});
