import type postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { clusterStates, isOperationState } from '@/domain/states';
import { insertCluster, insertHeldCluster, insertServer, newJob } from './fixtures';
import { invariants, violations } from './invariants';
import { scratchDatabase } from './scratch';

const scratch = scratchDatabase();

class Undo extends Error {}

/** Runs `plant` in a transaction that is rolled back, with whatever it says violated inside. Constraints are part of what it may undo. */
async function planted(plant: (tx: postgres.TransactionSql) => Promise<unknown>): Promise<string[]> {
  let found: string[] = [];
  await scratch.sql
    .begin(async (tx) => {
      await tx`alter table clusters drop constraint operation_state_has_owner, drop constraint waiting_stop_only_while_starting,
        drop constraint clusters_operation_fk, drop constraint clusters_next_operation_fk`;
      await tx`alter table clusters disable trigger all`;
      await tx`alter table jobs drop constraint open_xor_finished, drop constraint in_progress_has_token, drop constraint waiting_belongs_to_no_server`;
      await tx`drop index jobs_one_in_progress, jobs_token`;
      await plant(tx);
      found = await violations(tx);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return found;
}

/** What every planting reports because it took the guards off: the missing references themselves. */
const guardsOff = 2;

async function expectCaught(name: string, plant: (tx: postgres.TransactionSql) => Promise<unknown>): Promise<void> {
  const before = await violations(scratch.sql);
  expect(before).toEqual([]);
  const found = await planted(plant);
  expect(found.filter((line) => line.startsWith(name)).length, found.join('\n')).toBeGreaterThan(0);
}

describe('every fixture satisfies the invariants', () => {
  test.each(clusterStates)('a cluster in %s', async (state) => {
    const serverId = await insertServer(scratch.sql);
    if (isOperationState(state)) await insertHeldCluster(scratch.sql, { state, serverId });
    else await insertCluster(scratch.sql, { state });
    expect(await violations(scratch.sql)).toEqual([]);
  });

  test.each([
    ['Created', 'stop'],
    ['Error', 'start'],
    ['Error', 'stop'],
    ['Destroying', 'delete'],
  ] as const)('a cluster in %s, owned by a %s that goes ahead', async (state, ownedBy) => {
    const serverId = await insertServer(scratch.sql);
    await insertHeldCluster(scratch.sql, { state, ownedBy, serverId });
    expect(await violations(scratch.sql)).toEqual([]);
  });
});

describe('each invariant catches what breaks it', () => {
  test('taking the guards off is itself reported, and nothing else', async () => {
    const found = await planted(() => Promise.resolve());
    expect(found).toHaveLength(guardsOff);
    expect(found.every((line) => line.startsWith('I7 the references'))).toBe(true);
  });

  test('I1 an operation state without owner', async () => {
    const { id } = await insertCluster(scratch.sql, { state: 'Running' });
    await expectCaught('I1 an operation state', (tx) => tx`update clusters set state = 'Scaling' where id = ${id}`);
  });

  test('I1 an owner of a cluster at rest', async () => {
    const { id } = await held('Scaling');
    await expectCaught('I1 a cluster at rest', (tx) => tx`update clusters set state = 'Running' where id = ${id}`);
  });

  test('I2 two jobs in progress on one cluster', async () => {
    const { id } = await held('Scaling');
    await expectCaught('I2', (tx) => insertJob(tx, id, { token: 2 }));
  });

  test('I3 an owner with another token, of another cluster, or that waits', async () => {
    const one = await held('Scaling');
    const two = await held('Upgrading');
    const name = 'I3 an owner';
    await expectCaught(name, (tx) => tx`update clusters set operation_seq = 7 where id = ${one.id}`);
    await expectCaught(name, (tx) => tx`update clusters set operation_id = ${two.hold.jobId} where id = ${one.id}`);
    await expectCaught(name, (tx) => tx`update jobs set status = 'waiting' where id = ${one.hold.jobId}`);
    await expectCaught(name, (tx) => tx`delete from jobs where id = ${one.hold.jobId}`);
  });

  test('I3 a job in progress that its cluster does not name', async () => {
    const { id } = await insertCluster(scratch.sql, { state: 'Running' });
    await expectCaught('I3 a job in progress', (tx) => insertJob(tx, id, { token: 1 }));
  });

  test('I4 a gap, a jump, a cluster elsewhere, a row that the machine does not have', async () => {
    const { id, hold } = await held('Scaling');
    const add = (tx: postgres.TransactionSql, seq: number, from: string, to: string, event = 'OperationSucceeded') =>
      tx`insert into transitions (cluster_id, seq, job_id, token, event, from_state, to_state, cause)
        values (${id}, ${seq}, ${hold.jobId}, 1, ${event}, ${from}, ${to}, 'end')`;
    await expectCaught('I4 the transitions', (tx) => add(tx, 3, 'Scaling', 'Running'));
    await expectCaught('I4 the transitions', (tx) => add(tx, 2, 'Upgrading', 'Running'));
    await expectCaught('I4 the last', (tx) => add(tx, 2, 'Scaling', 'Running'));
    await expectCaught('I4 the last', (tx) => tx`update clusters set transition_seq = 5 where id = ${id}`);
    await expectCaught('I4 every', (tx) => add(tx, 2, 'Scaling', 'Stopped'));
    await expectCaught('I4 every', (tx) => add(tx, 2, 'Scaling', 'Running', 'FaultsDetected'));
  });

  test('I5 a token that shrinks, that stays, or that was never given', async () => {
    const { id, hold } = await held('Starting');
    const add = (tx: postgres.TransactionSql, token: number, cause: string) =>
      tx`insert into transitions (cluster_id, seq, job_id, token, event, from_state, to_state, cause)
        values (${id}, 2, ${hold.jobId}, ${token}, 'OperationFailed', 'Starting', 'Alert', ${cause})`;
    await expectCaught('I5 tokens grow', (tx) => add(tx, 0, 'end'));
    await expectCaught('I5 tokens grow', (tx) => add(tx, 1, 'recovery'));
    await expectCaught('I5 no job', (tx) => add(tx, 2, 'recovery'));
    await expectCaught('I5 no job', (tx) => insertJob(tx, id, { token: 9 }));
    await expectCaught('I5 jobs of one', async (tx) => {
      await insertJob(tx, id, { token: 2 });
      await tx`update jobs set started_at = '2001-01-01', accepted_at = '2001-01-01' where cluster_id = ${id} and token = 2`;
    });
  });

  test('I6 a job that is finished and open, ends before it began, or ends badly without a reason', async () => {
    const { hold } = await held('Scaling');
    const name = 'I6 a job';
    await expectCaught(name, (tx) => tx`update jobs set finished_at = clock_timestamp() where id = ${hold.jobId}`);
    await expectCaught(name, (tx) => tx`update jobs set status = 'succeeded' where id = ${hold.jobId}`);
    await expectCaught(
      name,
      (tx) => tx`update jobs set status = 'succeeded', finished_at = '2001-01-01' where id = ${hold.jobId}`,
    );
    await expectCaught(
      name,
      (tx) => tx`update jobs set status = 'failed', finished_at = clock_timestamp() where id = ${hold.jobId}`,
    );
  });

  test('I6 the guard of finished jobs taken off', async () => {
    await expectCaught('I6 the trigger', (tx) => tx`alter table jobs disable trigger jobs_end_once`);
    await expectCaught('I6 the trigger', (tx) => tx`drop trigger jobs_end_once on jobs`);
  });

  test('I7 an owner that was pruned, or could be', async () => {
    const { hold } = await held('Scaling');
    await expectCaught('I7 the job', (tx) => tx`delete from jobs where id = ${hold.jobId}`);
    await expectCaught('I7 the references', () => Promise.resolve());
  });

  test('I8 an end by another job, a recovery from a live owner, a hand-over that ends no start, a drift of a held cluster', async () => {
    const { id, hold } = await held('Starting');
    const add = (tx: postgres.TransactionSql, jobId: string, cause: string, to: string, event: string) =>
      tx`insert into transitions (cluster_id, seq, job_id, token, event, from_state, to_state, cause)
        values (${id}, 2, ${jobId}, 2, ${event}, 'Starting', ${to}, ${cause})`;
    const other = newJob(id, 'stop').id;
    await expectCaught('I8', (tx) => add(tx, other, 'end', 'Running', 'OperationSucceeded'));
    await expectCaught('I8', (tx) => add(tx, hold.jobId, 'end', 'Running', 'OperationSucceeded'));
    await expectCaught('I8', (tx) => add(tx, hold.jobId, 'recovery', 'Alert', 'OperationFailed'));
    await expectCaught('I8', (tx) => add(tx, hold.jobId, 'admin-end', 'Alert', 'OperationFailed'));
    await expectCaught('I8', (tx) => add(tx, other, 'hand-over', 'Stopping', 'StopRequested'));
    await expectCaught('I8', (tx) => add(tx, hold.jobId, 'drift', 'Alert', 'FaultsDetected'));
  });

  test('I9 a job that was failed for a server that is up', async () => {
    const { hold } = await held('Scaling');
    await expectCaught(
      'I9',
      (tx) => tx`update jobs set status = 'failed', reason = 'server-departed', finished_at = clock_timestamp()
      where id = ${hold.jobId}`,
    );
  });

  test('I11 a stop that waits for nobody, and a cluster that waits for a stop that has ended', async () => {
    const { id } = await held('Starting');
    await expectCaught('I11', (tx) => insertJob(tx, id, { status: 'waiting' }));
    await expectCaught('I11', async (tx) => {
      const stop = await insertJob(tx, id, { status: 'cancelled' });
      await tx`update clusters set next_operation_id = ${stop} where id = ${id}`;
    });
  });

  test('every invariant has a planting here', () => {
    expect(new Set(invariants.map(({ name }) => name.split(' ')[0]))).toEqual(
      new Set(['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I11']),
    );
  });
});

async function held(state: 'Scaling' | 'Upgrading' | 'Starting') {
  const serverId = await insertServer(scratch.sql);
  return insertHeldCluster(scratch.sql, { state, serverId });
}

async function insertJob(
  tx: postgres.TransactionSql,
  clusterId: string,
  job: { token?: number; status?: 'in_progress' | 'waiting' | 'cancelled' },
): Promise<string> {
  const { id } = newJob(clusterId, 'stop');
  const status = job.status ?? 'in_progress';
  await tx`insert into jobs (id, cluster_id, kind, status, token, actor, started_at, finished_at, message)
    values (${id}, ${clusterId}, 'stop', ${status}, ${job.token ?? null}, '{}',
      ${status === 'waiting' ? null : tx`clock_timestamp()`}, ${status === 'cancelled' ? tx`clock_timestamp()` : null}, 'planted')`;
  return id;
}
