/** PostgreSQL goes away in mid-operation: workers wait and go on, and nothing is done or counted twice (issue 2; R6, R7). */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { disagreements, leftOf } from '@/test/support/agreement';
import { cuttingProxy } from '@/test/support/cutting-proxy';
import { ana } from '@/test/support/fixtures';
import { granted, Lane, offeringAt } from '@/test/support/lane';
import { type TestServer, testServer, untilIdle } from '@/test/support/server';
import { startPostgres, stopPostgres } from '../scripts/postgres.mjs';
import { foreignMachine } from '../test/faults/operations';
import { acceptOperation, type OperationRequest } from './accept';
import { acceptCreate } from './accept-create';
import { patiently, realClock } from './patience';

/** Asks again under the same key while the database is away, as a person or a script does. */
async function insist<T>(ask: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const key = randomUUID();
  return patiently(realClock, new AbortController().signal, () => ask(key));
}

/** The life of a cluster in which sizes change in every way there is; what is counted twice shows. */
async function wholeLife(lane: Lane, server: TestServer): Promise<void> {
  const input = await lane.createInput();
  const made = await insist((idempotencyKey) => acceptCreate(server.worker, ana, { input, idempotencyKey }));
  const { clusterId: id, jobId } = granted(made);
  await untilIdle(server);
  expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded', message: null });
  const run = async (kind: OperationRequest['kind'], change: Record<string, unknown> = {}) => {
    const answer = await insist((idempotencyKey) => lane.ask(server, kind, id, change, { idempotencyKey }));
    await untilIdle(server);
    expect(await lane.job(granted(answer).jobId)).toMatchObject({ status: 'succeeded', message: null });
  };
  await run('scale', { workerCount: 3 });
  await run('scale', { workerCount: 2 });
  await run('add-nodes', foreignMachine(await lane.facts(id), lane));
  expect((await lane.facts(id)).cluster.workerCount).toBe(3);
  expect(await disagreements(lane, id)).toEqual([]);
  const added = (await lane.facts(id)).nodes.filter((node) => node.external);
  await run('remove-nodes', { nodeIds: added.map((node) => node.id) });
  await run('stop');
  await run('start');
  const { cluster } = await lane.facts(id);
  expect(cluster.workerCount).toBe(2);
  expect(await disagreements(lane, id)).toEqual([]);
  for (const machine of added) lane.control.destroyMachine(machine.machineId ?? '');
  await run('delete');
  expect(leftOf(lane, cluster)).toEqual([]);
  await expectEachEndedOnce(lane, id);
  expect(server.errors).toEqual([]);
}

async function expectEachEndedOnce(lane: Lane, clusterId: string): Promise<void> {
  const jobs = await lane.sql<
    { kind: string; ends: number; accepted: number; done: number; rows: number; total: number }[]
  >`
    select kind, (select count(*)::int from events where job_id = jobs.id and type = 'operation.ended') as ends,
      (select count(*)::int from events where job_id = jobs.id and type = 'operation.accepted') as accepted,
      steps_done as done, steps_total as total, (select count(*)::int from job_steps where job_id = jobs.id and status = 'done') as rows
    from jobs where cluster_id = ${clusterId}`;
  expect(jobs).toHaveLength(8);
  for (const job of jobs) expect(job).toEqual({ ...job, ends: 1, accepted: 1, done: job.total, rows: job.total });
  const late = await lane.sql`select 1 from events where type = 'operation.late-result'`;
  expect(late).toHaveLength(0);
  expect(await lane.violations()).toEqual([]);
}

describe('a connection that breaks', () => {
  let lane: Lane;
  beforeAll(async () => {
    lane = await Lane.open();
  });
  afterAll(() => lane.close());

  test('R6 all connections of a server are cut again and again while it works: each job ends once', {
    timeout: 120_000,
  }, async () => {
    const server = await testServer(lane.database.url, lane.cloud.memory, { name: 'cut-off', clock: lane.clock });
    const killer = postgres(lane.database.url, {
      max: 1,
      connection: { application_name: 'killer' },
      onnotice: () => undefined,
    });
    let isOver = false;
    let killed = 0;
    const killing = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        const rows =
          await killer`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut-off'
          and datname = current_database()`;
        killed += rows.length;
      }
    })();
    try {
      await wholeLife(lane, server);
    } finally {
      isOver = true;
      await killing;
      await killer.end();
      await server.close();
    }
    expect(killed).toBeGreaterThan(10);
  });

  test('R7 every fifth commit goes through unanswered: nothing is done, ended or counted twice', {
    timeout: 120_000,
  }, async () => {
    let commits = 0;
    const proxy = await cuttingProxy(lane.database.url, () => {
      commits += 1;
      console.log('C', commits);
      return commits % 5 === 0;
    });
    const server = await testServer(proxy.url, lane.cloud.memory, { name: 'unanswered', clock: lane.clock });
    try {
      await wholeLife(lane, server);
      expect(proxy.cuts()).toBeGreaterThan(30);
    } finally {
      await server.close();
      await proxy.close();
    }
  });
});

describe('an acceptance whose commit goes unanswered', () => {
  let lane: Lane;
  let isCutting = false;
  let server: TestServer;
  let closeProxy: () => Promise<void>;
  beforeAll(async () => {
    lane = await Lane.open();
    const proxy = await cuttingProxy(lane.database.url, () => {
      const cuts = isCutting;
      isCutting = false;
      return cuts;
    });
    closeProxy = proxy.close;
    server = await testServer(proxy.url, lane.cloud.memory, { name: 'unanswered', clock: lane.clock });
  });
  afterAll(async () => {
    await server.close();
    await closeProxy();
    await lane.close();
  });

  test('I11 a create is found in the table, and runs', async () => {
    const input = await lane.createInput();
    isCutting = true;
    const { jobId, clusterId } = granted(await acceptCreate(server.worker, ana, { input }));
    expect(isCutting).toBe(false);
    await untilIdle(server);
    expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
    expect(await lane.state(clusterId)).toBe('Running');
  });

  test('I11 an entry is found in the table, and runs once', async () => {
    const id = await lane.create(server);
    isCutting = true;
    const { jobId } = granted(await lane.ask(server, 'stop', id));
    await untilIdle(server);
    expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
    expect(await lane.jobs(id)).toHaveLength(2);
    expect(await lane.state(id)).toBe('Stopped');
  });

  test('I11 settings of a Created cluster are answered as stored', async () => {
    const id = await lane.create(server, { startNow: false });
    isCutting = true;
    const answer = granted(await lane.ask(server, 'scale', id, { workerOfferingId: offeringAt(2) }));
    expect(await lane.job(answer.jobId)).toMatchObject({ status: 'succeeded' });
    expect((await lane.facts(id)).cluster.workerOfferingId).toBe(offeringAt(2));
    expect(server.worker.running.ids()).toEqual([]);
  });

  test('OUT-1 I11 a stop that waits is answered as waiting, and a hand-over that goes unanswered runs it', async () => {
    const held = lane.cloud.hold('ensureMachine', 'before');
    const { clusterId } = await lane.beginCreate(server);
    await held.reached;
    isCutting = true;
    const stop = granted(await lane.ask(server, 'stop', clusterId));
    expect(stop).toMatchObject({ waiting: true });
    const gate = server.worker.running;
    expect(gate.has(stop.jobId)).toBe(false);
    held.release();
    // The next commits are those of the step's end and of the hand-over; the latter is the one that makes the stop ours.
    await lane.until(async () => gate.has(stop.jobId) || (await lane.job(stop.jobId)).status !== 'waiting');
    await untilIdle(server);
    expect(await lane.job(stop.jobId)).toMatchObject({ status: 'succeeded' });
    expect(await lane.state(clusterId)).toBe('Stopped');
    expect(await lane.violations()).toEqual([]);
  });

  test('OUT-1 I11 a hand-over whose commit goes unanswered still runs the stop', async () => {
    const held = lane.cloud.hold('ensureMachine', 'before');
    const { clusterId, jobId } = await lane.beginCreate(server);
    await held.reached;
    const stop = granted(await lane.ask(server, 'stop', clusterId));
    // From the claim of the stop on, which is made inside the transaction that hands over, the next commit is its own.
    const claim = server.worker.running.claim.bind(server.worker.running);
    server.worker.running.claim = (id) => {
      claim(id);
      if (id === stop.jobId) isCutting = true;
    };
    held.release();
    await untilIdle(server);
    server.worker.running.claim = claim;
    expect(await lane.job(jobId)).toMatchObject({ status: 'cancelled', reason: 'handed-over' });
    expect(await lane.job(stop.jobId)).toMatchObject({ status: 'succeeded' });
    expect(await lane.state(clusterId)).toBe('Stopped');
    expect((await lane.job(jobId)).lateResultAt).toBeNull();
    expect(await lane.violations()).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  test('I11 acceptOperation that never reached the database says so, and leaves nothing', async () => {
    const id = await lane.create(server);
    const worker = { ...server.worker, db: openDatabase('postgres://nobody@127.0.0.1:1/none', { max: 1 }).db };
    await expect(
      acceptOperation(worker, ana, { kind: 'stop', clusterId: id, input: {}, note: null }),
    ).rejects.toThrow();
    expect(worker.running.ids()).toEqual([]);
    expect(await lane.state(id)).toBe('Running');
  });
});

describe('PostgreSQL is stopped and started', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-outage-'));
  let lane: Lane;
  beforeAll(async () => {
    const { url } = await startPostgres({ dataDir, testSettings: true });
    await migrateDatabase(url);
    lane = await Lane.on({ name: 'private', url, close: () => Promise.resolve(), drop: () => Promise.resolve() });
  }, 120_000);
  afterAll(async () => {
    await lane.close();
    await stopPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  test('R6 workers wait as long as it is away, then go on; no server is taken for dead', {
    timeout: 120_000,
  }, async () => {
    const [server] = lane.servers;
    if (server === undefined) throw new Error('a lane opens with a server');
    const held = lane.cloud.hold('ensureMachine', 'after');
    const { clusterId, jobId } = await lane.beginCreate(server);
    await held.reached;
    await stopPostgres(dataDir);
    held.release();
    // It is in the middle of recording the machine that it has just made.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.worker.running.has(jobId)).toBe(true);
    await startPostgres({ dataDir, testSettings: true });
    await untilIdle(server);
    expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded', message: null });
    expect(await lane.state(clusterId)).toBe('Running');
    await lane.pass(server);
    expect(await lane.jobs(clusterId)).toHaveLength(1);
    expect(await disagreements(lane, clusterId)).toEqual([]);
    expect(await lane.violations()).toEqual([]);
    expect(server.errors).toEqual([]);
  });
});
