import { sql as statement } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { beforeEach, describe, expect, it } from 'vitest';
import { databaseIsAway } from '@/db/errors';
import { schema } from '@/db/schema';
import { queueStop } from '@/db/waiting-stop';
import type { PassReport } from '@/domain/passes';
import { clusterStates, isOperationState, operationStates } from '@/domain/states';
import {
  ana,
  backdateBeat,
  departNow,
  insertCluster,
  insertHeldCluster,
  insertLegacyJob,
  insertServer,
  leaseMs,
  newJob,
} from '@/test/support/fixtures';
import { openTransaction, pausePoint, untilWaiting } from '@/test/support/interleave';
import { clusterRow, eventsOf, jobRow, pathOf } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import type { ScannerContext } from './context';
import type { PassRequest } from './pass-run';
import { runPass } from './run-pass';
import { testScanner } from './scanner-for-tests';

const scratch = scratchDatabase();
let judge: string;
let scanner: ScannerContext;

beforeEach(async () => {
  await scratch.sql`truncate clusters, jobs, servers, passes cascade`;
  judge = await insertServer(scratch.sql);
  scanner = testScanner({ db: scratch.db, serverId: judge });
});

async function pass(more: Partial<PassRequest> = {}): Promise<PassReport> {
  const outcome = await runPass(scanner, { mode: 'apply', trigger: 'test', actor: ana, ...more });
  if (outcome.kind !== 'done') throw new Error(`the pass answered ${outcome.kind}`);
  return outcome.report;
}

async function deadServer(): Promise<string> {
  const id = await insertServer(scratch.sql);
  await backdateBeat(scratch.sql, id, leaseMs + 1_000);
  return id;
}

const decisionOn = (report: PassReport, clusterId: string) =>
  report.decisions.find((decision) => decision.clusterId === clusterId);
const stateOf = async (id: string) => (await clusterRow(scratch.sql, id)).state;

describe('which clusters are recovered, and to what', () => {
  const becomes = { Importing: 'Running', RemovingNodes: 'Running' } as const;
  for (const state of operationStates) {
    const target = state in becomes ? 'Running' : 'Alert';
    it(`REC-4 an orphan in ${state} of a dead server becomes ${target}`, async () => {
      const cluster = await insertHeldCluster(scratch.sql, { state, serverId: await deadServer() });
      const report = await pass();
      expect(decisionOn(report, cluster.id)).toMatchObject({
        decision: 'recover',
        code: 'JOB_ON_DEAD_SERVER',
        becomes: target,
        result: 'done',
      });
      expect(await stateOf(cluster.id)).toBe(target);
      expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({
        status: 'failed',
        reason: 'server-departed',
      });
    });
  }

  it('REC-4 a Recovering that was entered from Error goes back to Error', async () => {
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Recovering',
      from: 'Error',
      failureEvent: 'CreateFailed',
      serverId: await deadServer(),
    });
    await pass();
    expect(await stateOf(cluster.id)).toBe('Error');
  });

  it('REC-5 a create whose server dies goes to Alert, not Error', async () => {
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Starting',
      from: 'Created',
      serverId: await deadServer(),
    });
    await pass();
    expect(await stateOf(cluster.id)).toBe('Alert');
  });

  it('REC-2 states that no operation holds are never touched', async () => {
    const resting = clusterStates.filter((state) => !isOperationState(state));
    const clusters = await Promise.all(resting.map((state) => insertCluster(scratch.sql, { state })));
    const report = await pass();
    expect(report.decisions.filter((decision) => decision.decision === 'recover')).toEqual([]);
    expect(await Promise.all(clusters.map((cluster) => stateOf(cluster.id)))).toEqual(resting);
  });

  it('a go-ahead operation of a dead server only loses its owner', async () => {
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Error',
      ownedBy: 'start',
      serverId: await deadServer(),
    });
    const report = await pass();
    expect(decisionOn(report, cluster.id)).toMatchObject({ decision: 'recover', becomes: null, result: 'done' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Error', operation_id: null });
  });

  it('a cluster in an operation state by a foreign write has no job and is recovered', async () => {
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await scratch.sql`update clusters set state = 'Upgrading' where id = ${cluster.id}`;
    const report = await pass();
    expect(decisionOn(report, cluster.id)).toMatchObject({ code: 'NO_JOB', becomes: 'Alert', result: 'done' });
  });

  it('a waiting stop takes over from a start whose server died', async () => {
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Starting', serverId: await deadServer() });
    const stop = newJob(cluster.id, 'stop');
    expect(await queueStop(scratch.db, cluster.asRead, cluster.name, stop)).toBe(true);
    const preview = await pass({ mode: 'preview' });
    expect(decisionOn(preview, cluster.id)).toMatchObject({ decision: 'recover', becomes: 'Stopping' });
    const report = await pass();
    expect(decisionOn(report, cluster.id)).toMatchObject({ becomes: 'Stopping', result: 'done' });
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ server_id: judge, token: '2' });
    await expect.poll(() => scanner.worker.running.ids()).toEqual([]);
    expect(await pathOf(scratch.sql, cluster.id)).toContain('hand-over Starting → Stopping');
  });
});

describe('which clusters are left alone', () => {
  it('REC-3 a cluster with a job in progress on another live server is left', async () => {
    const other = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: other });
    const report = await pass();
    expect(decisionOn(report, cluster.id)).toMatchObject({
      decision: 'leave',
      code: 'JOB_IN_PROGRESS',
      result: 'none',
    });
    expect(await stateOf(cluster.id)).toBe('Scaling');
  });

  it('REC-3 a silent server whose lease is not over keeps its cluster', async () => {
    const other = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, other, 6_000);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: other });
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ decision: 'leave', code: 'WITHIN_GRACE' });
    expect(await stateOf(cluster.id)).toBe('Upgrading');
  });

  it('REC-1 every pass looks: a cluster left by one is recovered by the next', async () => {
    const other = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Stopping', serverId: other });
    await pass();
    await departNow(scratch.sql, other);
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'JOB_ON_DEAD_SERVER', result: 'done' });
  });

  it('REC-6 REC-12 recovery repairs nothing else and calls no cloud', async () => {
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: await deadServer() });
    const calls: string[] = [];
    const cloud = new Proxy(scanner.worker.cloud, {
      get: (target, command, receiver) => {
        if (command !== 'listMachines') calls.push(String(command));
        return Reflect.get(target, command, receiver) as unknown;
      },
    });
    scanner = testScanner({ db: scratch.db, serverId: judge, cloud });
    await pass();
    expect(await pathOf(scratch.sql, cluster.id)).toEqual(['entry Running → Upgrading', 'recovery Upgrading → Alert']);
    expect(calls).toEqual([]);
  });

  it('a job of an unknown kind on a live server is left alone', async () => {
    const other = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: other });
    await scratch.sql`update jobs set kind = 'defragment' where id = ${cluster.hold.jobId}`;
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ decision: 'leave', code: 'JOB_IN_PROGRESS' });
  });
});

describe('what happens between reading and writing', () => {
  it('REC-7 an operation that ends between the read and the update is missed, and its new state is kept', async () => {
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: await deadServer() });
    const other = await openTransaction(scratch.another());
    await other.sql`update clusters set state = 'Running', operation_id = null, transition_seq = 2 where id = ${cluster.id}`;
    await other.sql`insert into transitions (cluster_id, seq, job_id, token, from_state, to_state, event, cause, server_id)
      values (${cluster.id}, 2, ${cluster.hold.jobId}, 1, 'Scaling', 'Running', 'OperationSucceeded', 'end', ${cluster.hold.serverId})`;
    const running = pass();
    await untilWaiting(scratch.another(), 1);
    await other.commit();
    expect(decisionOn(await running, cluster.id)).toMatchObject({
      decision: 'leave',
      code: 'MOVED_ON',
      result: 'missed',
    });
    expect(await stateOf(cluster.id)).toBe('Running');
  });

  it('REC-8 REC-9 a row of a preview that moved on is not recovered, and said to have moved on', async () => {
    const dead = await deadServer();
    const moved = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: dead });
    const chosen = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: dead });
    const unchosen = await insertHeldCluster(scratch.sql, { state: 'Stopping', serverId: dead });
    const report = await pass({
      only: [
        { clusterId: moved.id, seenSeq: 0 },
        { clusterId: chosen.id, seenSeq: 1 },
      ],
    });
    expect(decisionOn(report, moved.id)).toMatchObject({ code: 'MOVED_ON', result: 'missed' });
    expect(decisionOn(report, chosen.id)).toMatchObject({ code: 'JOB_ON_DEAD_SERVER', result: 'done' });
    expect(decisionOn(report, unchosen.id)).toMatchObject({ code: 'NOT_SELECTED', result: 'none' });
    expect(await stateOf(unchosen.id)).toBe('Stopping');
  });
});

it('a worker paused in the middle of a write holds up nobody else, and is recovered by a later pass', async () => {
  const dead = await deadServer();
  const paused = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: dead });
  const other = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: dead });
  const write = await openTransaction(scratch.another());
  await write.sql`select from clusters where id = ${paused.id} for no key update`;
  await write.sql`select from jobs where id = ${paused.hold.jobId} for no key update`;
  const report = await pass();
  expect(decisionOn(report, other.id)).toMatchObject({ result: 'done' });
  expect(decisionOn(report, paused.id)).toMatchObject({ decision: 'leave', result: 'missed' });
  await write.rollback();
  expect(decisionOn(await pass(), paused.id)).toMatchObject({ code: 'JOB_ON_DEAD_SERVER', result: 'done' });
});

it('the lock of a transaction that idles is given back, so a pass waits for it a bounded time', {
  timeout: 30_000,
}, async () => {
  const paused = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: await deadServer() });
  const inside = pausePoint('inside a write that never goes on');
  const write = scratch.another().db.transaction(async (tx) => {
    await tx.execute(statement`select from clusters where id = ${paused.id} for no key update`);
    await inside.pause();
  });
  const lost = write.catch((error: unknown) => error);
  await inside.reached;
  expect(decisionOn(await pass(), paused.id)).toMatchObject({ result: 'done' });
  inside.goOn();
  expect(databaseIsAway(await lost)).toBe(true);
});

describe('what is asked of the database', () => {
  async function statementsOfPass(): Promise<readonly string[]> {
    const statements: string[] = [];
    const logged = drizzle(scratch.another().sql, {
      schema,
      casing: 'snake_case',
      logger: { logQuery: (query) => statements.push(query) },
    });
    scanner = testScanner({ db: logged, serverId: judge });
    scanner.pruning.lastAt = scanner.worker.clock.now();
    await pass();
    return statements;
  }

  it('REC-10 the candidates come from one query', async () => {
    const dead = await deadServer();
    for (const state of operationStates) await insertHeldCluster(scratch.sql, { state, serverId: dead });
    const lists = (await statementsOfPass()).filter(
      (text) => /^select .* from "clusters" where \(.*order by/.test(text) && text.includes('"state" in'),
    );
    expect(lists.filter((text) => text.includes('"operation_id" is not null'))).toHaveLength(1);
  });

  it('REC-11 with no candidate no job is looked up', async () => {
    await insertCluster(scratch.sql, { state: 'Running' });
    const lookups = (await statementsOfPass()).filter((text) => /^select .* from "jobs"/.test(text));
    expect(lookups).toEqual([]);
  });
});

describe('jobs of older servers', () => {
  it('MIX-1 a legacy job that names a cluster in its parameters holds that one only', async () => {
    const dead = await deadServer();
    const old = await insertServer(scratch.sql, { protocol: 1 });
    const named = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: dead });
    const other = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: dead });
    await insertLegacyJob(scratch.sql, { serverId: old, parameters: JSON.stringify({ id: named.id.toUpperCase() }) });
    const report = await pass();
    expect(decisionOn(report, named.id)).toMatchObject({ decision: 'leave', code: 'NAMED_BY_LEGACY_JOB' });
    expect(decisionOn(report, other.id)).toMatchObject({ result: 'done' });
  });

  for (const [what, parameters] of [
    ['without parameters', null],
    ['whose parameters name no cluster', '{"id":"4711"}'],
    ['whose parameters name an unknown UUID', '{"id":"8d21e0f4-0000-4000-8000-000000000000"}'],
  ] as const) {
    it(`MIX-2 a legacy job ${what} holds all recovery`, async () => {
      const old = await insertServer(scratch.sql, { protocol: 1 });
      const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: await deadServer() });
      const jobId = await insertLegacyJob(scratch.sql, { serverId: old, parameters });
      const report = await pass();
      expect(decisionOn(report, cluster.id)).toMatchObject({ decision: 'blocked', code: 'LEGACY_JOB_WITHOUT_CLUSTER' });
      expect(report.gate).toContain(jobId);
      expect(await stateOf(cluster.id)).toBe('Scaling');
    });
  }

  it('MIX-3 a legacy job of a departed server is failed first, so the hold does not last', async () => {
    const dead = await deadServer();
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: dead });
    const jobId = await insertLegacyJob(scratch.sql, { serverId: dead, parameters: null });
    const report = await pass();
    expect(report.gate).toBeNull();
    expect(decisionOn(report, cluster.id)).toMatchObject({ result: 'done' });
    expect(await jobRow(scratch.sql, jobId)).toMatchObject({ status: 'failed', reason: 'server-departed' });
  });
});

describe('departed servers', () => {
  it('a server whose lease ran out is marked, with an event', async () => {
    const dead = await deadServer();
    expect((await pass()).counts.departed).toBe(1);
    const [row] = await scratch.sql`select state, departure from servers where id = ${dead}`;
    expect(row).toMatchObject({ state: 'departed', departure: 'crashed' });
    const events = await scratch.sql`select summary from events where type = 'server.departed' and server_id = ${dead}`;
    expect(events).toHaveLength(1);
  });

  it('jobs of a server that said goodbye with work left are recovered too', async () => {
    const gone = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: gone });
    await scratch.sql`update servers set state = 'departed', departure = 'goodbye', departed_at = clock_timestamp() where id = ${gone}`;
    expect(decisionOn(await pass(), cluster.id)).toMatchObject({ code: 'JOB_ON_DEAD_SERVER', result: 'done' });
  });

  it('after an outage of the database a server that just came back judges nobody', async () => {
    const silent = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, silent, leaseMs + 60_000);
    await scratch.sql`update servers set renewed_since = clock_timestamp() where id = ${judge}`;
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: silent });
    const preview = await pass({ mode: 'preview' });
    expect(decisionOn(preview, cluster.id)).toMatchObject({ decision: 'leave', code: 'WITHIN_GRACE' });
    const report = await pass();
    expect(report.counts.departed).toBe(0);
    expect(decisionOn(report, cluster.id)).toMatchObject({ decision: 'leave', code: 'WITHIN_GRACE' });
    expect(await stateOf(cluster.id)).toBe('Upgrading');
  });

  it('a server whose own lease is over runs no pass', async () => {
    await backdateBeat(scratch.sql, judge, leaseMs + 1);
    const outcome = await runPass(scanner, { mode: 'apply', trigger: 'test', actor: ana });
    expect(outcome.kind).toBe('unavailable');
  });
});

it('a preview decides as an apply does and writes nothing but its own record', async () => {
  const dead = await deadServer();
  const alive = await insertServer(scratch.sql);
  const clusters = await Promise.all([
    ...operationStates.map((state) => insertHeldCluster(scratch.sql, { state, serverId: dead })),
    insertHeldCluster(scratch.sql, { state: 'Error', ownedBy: 'start', serverId: dead }),
    insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: alive }),
  ]);
  const all = async () => {
    const [row] =
      await scratch.db.execute(statement`select jsonb_build_array((select jsonb_agg(c order by id) from clusters c),
      (select jsonb_agg(j order by id) from jobs j), (select jsonb_agg(s order by id) from servers s), (select count(*) from events),
      (select count(*) from transitions))::text as everything`);
    return row?.['everything'];
  };
  const before = await all();
  const preview = await pass({ mode: 'preview' });
  expect(await all()).toBe(before);
  const applied = await pass();
  for (const { id } of clusters) {
    const { decision, code, becomes } = decisionOn(preview, id) ?? {};
    expect(decisionOn(applied, id)).toMatchObject({ decision, code, becomes });
  }
});

it('a recovery leaves an event that names the cluster and why', async () => {
  const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: await deadServer() });
  await pass();
  expect(await eventsOf(scratch.sql, cluster.id)).toMatchObject([
    { type: 'recovery.decision', summary: expect.stringContaining('has departed') },
  ]);
});
