import { describe, expect, test } from 'vitest';
import { endWith, recover, recovery, succeeded } from '@/test/support/acts';
import { insertCluster, insertHeldCluster, insertServer, newEntry, newJob } from '@/test/support/fixtures';
import { openTransaction, queueUp, untilWaiting } from '@/test/support/interleave';
import { clusterRow, eventsOf, jobRow, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { enterOperation } from './entry';
import { queueStop, withdrawStop } from './waiting-stop';

const scratch = scratchDatabase();

describe('a foreign write', () => {
  test('MIX-1 OUT-5 takes the token, clears the owner, fails its job and is told in transition, event and attention', async () => {
    const { id, name, hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    await scratch.sql`update clusters set state = 'Alert' where id = ${id}`;
    const row = await clusterRow(scratch.sql, id);
    expect(row).toMatchObject({ state: 'Alert', operation_id: null, operation_seq: '2', transition_seq: '2' });
    expect(row.foreign_write_at).not.toBeNull();
    expect(row.attention).toMatchObject({ code: 'foreign-write', jobId: hold.jobId });
    expect(await jobRow(scratch.sql, hold.jobId)).toMatchObject({ status: 'failed', reason: 'foreign-write' });
    expect(await pathOf(scratch.sql, id)).toEqual(['entry Running → Upgrading', 'foreign Upgrading → Alert']);
    expect(await eventsOf(scratch.sql, id)).toMatchObject([
      { type: 'cluster.foreign-write', cluster_name: name, job_id: hold.jobId },
    ]);
    expect(await endWith(scratch.db, hold, succeeded('upgrade'))).toEqual({ kind: 'lost' });
  });

  test('OUT-5 of a free cluster moves the token too: an entry that read before it is refused', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await scratch.sql`update clusters set state = 'Stopped' where id = ${cluster.id}`;
    await scratch.sql`update clusters set state = 'Running' where id = ${cluster.id}`;
    expect(await readAgain(scratch.sql, cluster.id)).toMatchObject({ state: 'Running', operationSeq: 2 });
    expect(await enterOperation(scratch.db, newEntry(cluster, 'upgrade', serverId))).toBeUndefined();
  });

  test('REC-2 into an operation state is allowed, and makes an orphan; the next of our own writes clears its mark', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await scratch.sql`update clusters set state = 'Scaling' where id = ${cluster.id}`;
    const found = { ...cluster, asRead: await readAgain(scratch.sql, cluster.id) };
    expect(found.asRead).toMatchObject({ state: 'Scaling', operationId: null });
    expect(await recover(scratch.db, recovery(found, serverId))).toEqual({ kind: 'recovered' });
    expect((await clusterRow(scratch.sql, cluster.id)).foreign_write_at).toBeNull();
  });

  test('OUT-1 cancels the stop that waited for the start it took away', async () => {
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Starting',
      serverId: await insertServer(scratch.sql),
    });
    const stop = newJob(cluster.id, 'stop');
    expect(await queueStop(scratch.db, cluster.asRead, cluster.name, stop)).toBe(true);
    await scratch.sql`update clusters set state = 'Running' where id = ${cluster.id}`;
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ status: 'cancelled', reason: 'foreign-write' });
    expect(await withdrawStop(scratch.db, cluster.id, stop.id, { kind: 'cron', id: 'cron', name: 'cron' })).toBe(false);
  });

  test('HOLD-2 that waits for an end of the owner changes what the owner left, and fails nobody', async () => {
    const { id, hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    const old = scratch.another();
    const [ended] = await queueUp(scratch.another(), { table: 'clusters', id }, [
      () => endWith(scratch.db, hold, succeeded('upgrade')),
      () => old.sql`update clusters set state = 'Alert' where id = ${id} and state = 'Upgrading'`,
    ]);
    expect(ended.kind).toBe('ended');
    expect(await clusterRow(scratch.sql, id)).toMatchObject({ state: 'Running', foreign_write_at: null });
    expect(await jobRow(scratch.sql, hold.jobId)).toMatchObject({ status: 'succeeded' });
  });

  test('HOLD-2 that is first makes the end of the owner come too late', async () => {
    const { id, hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    const old = await openTransaction(scratch.another());
    await old.sql`update clusters set state = 'Stopped' where id = ${id}`;
    const ended = endWith(scratch.db, hold, succeeded('upgrade'));
    await untilWaiting(scratch.another(), 1);
    await old.commit();
    expect(await ended).toEqual({ kind: 'lost' });
    expect(await clusterRow(scratch.sql, id)).toMatchObject({ state: 'Stopped' });
  });

  test('an edit that leaves the state alone is none', async () => {
    const { id, hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    await scratch.sql`update clusters set description = 'edited', edit_version = edit_version + 1, state = 'Upgrading' where id = ${id}`;
    expect(await clusterRow(scratch.sql, id)).toMatchObject({
      operation_id: hold.jobId,
      operation_seq: '1',
      foreign_write_at: null,
    });
  });
});

describe('what the schema keeps', () => {
  test.each([
    ["status = 'failed'"],
    ["status = 'in_progress', finished_at = null"],
    ['finished_at = clock_timestamp()'],
    ["reason = 'recovered'"],
    ["message = 'something else'"],
    ["result = '{}'"],
    ['token = 9'],
    ['cluster_id = null'],
    ['server_id = null'],
    ["kind = 'stop'"],
  ])('HOLD-1 a job that has ended never changes again: not %s', async (change) => {
    const { hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    await endWith(scratch.db, hold, succeeded('upgrade'));
    await expect(scratch.sql.unsafe(`update jobs set ${change} where id = '${hold.jobId}'`)).rejects.toThrow(
      'never changes again',
    );
  });

  test('HOLD-1 but it takes note of a late result', async () => {
    const { hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    await endWith(scratch.db, hold, succeeded('upgrade'));
    await scratch.sql`update jobs set late_result_at = clock_timestamp() where id = ${hold.jobId}`;
    expect((await jobRow(scratch.sql, hold.jobId))['late_result_at']).not.toBeNull();
  });

  test('the audit trail takes inserts only; pruning says so in its transaction', async () => {
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await enterOperation(scratch.db, newEntry(cluster, 'upgrade', await insertServer(scratch.sql)));
    await expect(
      scratch.sql`update events set summary = 'nothing happened' where cluster_id = ${cluster.id}`,
    ).rejects.toThrow('insert only');
    await expect(scratch.sql`delete from events where cluster_id = ${cluster.id}`).rejects.toThrow('insert only');
    await scratch.sql.begin(async (tx) => {
      await tx`set local holdfast.pruning = 'on'`;
      await tx`delete from events where cluster_id = ${cluster.id}`;
    });
    expect(await eventsOf(scratch.sql, cluster.id)).toEqual([]);
    await expect(scratch.sql`truncate events`).rejects.toThrow('insert only');
  });

  test.each([
    ['a job that is in progress and finished', "status = 'in_progress', finished_at = clock_timestamp()"],
    ['a job that has ended at no time', "status = 'failed'"],
    ['a job in progress without a token', 'token = null'],
    ['a waiting job that has a server', "status = 'waiting', token = null"],
  ])('%s cannot be written', async (_, change) => {
    const { hold } = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql),
    });
    await expect(scratch.sql.unsafe(`update jobs set ${change} where id = '${hold.jobId}'`)).rejects.toThrow(
      'check constraint',
    );
  });

  test('OUT-1 a stop waits for nothing but an owned Starting cluster', async () => {
    const serverId = await insertServer(scratch.sql);
    const { id } = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    await expect(
      scratch.sql`update clusters set next_operation_id = ${newJob(id, 'stop').id} where id = ${id}`,
    ).rejects.toThrow('waiting_stop_only_while_starting');
  });

  test('an owner that is no job, and one of another cluster, cannot be written', async () => {
    const serverId = await insertServer(scratch.sql);
    const { id } = await insertCluster(scratch.sql, { state: 'Error' });
    await expect(
      scratch.sql`update clusters set operation_id = ${newJob(id, 'stop').id} where id = ${id}`,
    ).rejects.toThrow('foreign key');
    const other = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    await expect(scratch.sql`update clusters set operation_id = ${other.hold.jobId} where id = ${id}`).rejects.toThrow(
      'foreign key',
    );
  });
});
