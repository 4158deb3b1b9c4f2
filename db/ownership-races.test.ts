import { describe, expect, test } from 'vitest';
import type { OperationKind } from '@/domain/operations';
import { endWith, failed, succeeded } from '@/test/support/acts';
import { departNow, insertCluster, insertHeldCluster, insertServer, newEntry, newJob } from '@/test/support/fixtures';
import { openTransaction, queueUp } from '@/test/support/interleave';
import { clusterRow, eventsOf, everythingOf, jobsOf, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { enterOperation } from './entry';
import { violatesUnique } from './errors';
import { failJobsOfDeparted } from './jobs';

const scratch = scratchDatabase();

describe('an entry that comes second', () => {
  const pairs: [OperationKind, OperationKind][] = [
    ['upgrade', 'scale'],
    ['stop', 'delete'],
    ['add-nodes', 'add-nodes'],
    ['delete', 'upgrade'],
  ];

  test.each(pairs)(
    'ENT-2 ENT-3 ENT-4 %s and %s at once: one enters, the other writes nothing',
    async (winner, loser) => {
      const [one, two] = [await insertServer(scratch.sql), await insertServer(scratch.sql)];
      const cluster = await insertCluster(scratch.sql, { state: 'Running' });
      const entries = [newEntry(cluster, winner, one), newEntry(cluster, loser, two)] as const;
      const [first, second] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
        () => enterOperation(scratch.db, entries[0]),
        () => enterOperation(scratch.db, entries[1]),
      ]);
      expect(first).toMatchObject({ jobId: entries[0].job.id, token: 1 });
      expect(second).toBeUndefined();
      expect((await jobsOf(scratch.sql, cluster.id)).map((job) => job.id)).toEqual([entries[0].job.id]);
      expect(await pathOf(scratch.sql, cluster.id)).toHaveLength(1);
      expect(await eventsOf(scratch.sql, cluster.id)).toHaveLength(1);
    },
  );

  test.each([
    ['OUT-2', 'Destroying', 'delete'],
    ['OUT-3', 'Error', 'start'],
  ] as const)('%s two retries from %s at once: one goes ahead', async (_, state, kind) => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state });
    const [first, second] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => enterOperation(scratch.db, newEntry(cluster, kind, serverId)),
      () => enterOperation(scratch.db, newEntry(cluster, kind, serverId)),
    ]);
    expect(first).toBeDefined();
    expect(second).toBeUndefined();
    expect(await jobsOf(scratch.sql, cluster.id)).toHaveLength(1);
  });

  test('OUT-3 a start and a delete of one Error cluster: one goes ahead', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Error' });
    const [start, remove] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => enterOperation(scratch.db, newEntry(cluster, 'start', serverId)),
      () => enterOperation(scratch.db, newEntry(cluster, 'delete', serverId)),
    ]);
    expect([start !== undefined, remove !== undefined]).toEqual([true, false]);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Error' });
  });

  test('OUT-5 a state that left and came back is not the state that was read', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    const hold = await enterOperation(scratch.db, newEntry(cluster, 'scale', serverId));
    if (hold === undefined) throw new Error('not entered');
    await endWith(scratch.db, hold, succeeded('scale'));
    expect(await readAgain(scratch.sql, cluster.id)).toMatchObject({ state: 'Running', operationId: null });
    const before = await everythingOf(scratch.sql, cluster.id);
    expect(await enterOperation(scratch.db, newEntry(cluster, 'upgrade', serverId))).toBeUndefined();
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
  });

  test('ENT-2 the schema itself keeps two jobs from being in progress on one cluster', async () => {
    const serverId = await insertServer(scratch.sql);
    const { id } = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId });
    const second = scratch.sql`insert into jobs (id, cluster_id, kind, status, token, actor)
      values (${newJob(id, 'stop').id}, ${id}, 'stop', 'in_progress', 2, '{}')`;
    const error = await second.then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(violatesUnique(error, 'jobs_one_in_progress')).toBe(true);
  });

  test('ENT-1 the schema itself keeps an operation state from being without owner', async () => {
    const { id } = await insertCluster(scratch.sql, { state: 'Running' });
    await expect(
      scratch.sql`update clusters set state = 'Scaling', operation_seq = operation_seq + 1 where id = ${id}`,
    ).rejects.toThrow('operation_state_has_owner');
  });
});

describe('an entry and the departure of its server', () => {
  test('ENT-2 a departure that commits first refuses the entry', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await departNow(scratch.sql, serverId);
    expect(await enterOperation(scratch.db, newEntry(cluster, 'stop', serverId))).toBeUndefined();
  });

  test('REC-3 an entry that slipped in during the departure is failed by the next look, and then recoverable', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    const handle = scratch.another();
    const pass = await openTransaction(handle);
    await pass.sql`update servers set state = 'departed', departed_at = clock_timestamp(), departure = 'crashed' where id = ${serverId}`;
    const hold = await enterOperation(scratch.db, newEntry(cluster, 'stop', serverId));
    expect(hold).toBeDefined();
    await pass.commit();
    const lost = await scratch.db.transaction((tx) => failJobsOfDeparted(tx, 1));
    expect(lost.map((job) => job.id)).toEqual([hold?.jobId]);
  });

  test('ENT-1 an entry that is rolled back after its write of the cluster leaves nothing', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    const before = await everythingOf(scratch.sql, cluster.id);
    const key = 'the same key twice';
    const first = newJob((await insertCluster(scratch.sql, { state: 'Stopped' })).id, 'start', { idempotencyKey: key });
    await scratch.sql`insert into jobs (id, cluster_id, kind, status, actor, finished_at, idempotency_key)
      values (${first.id}, ${first.clusterId}, 'start', 'succeeded', '{}', clock_timestamp(), ${key})`;
    const again = newEntry(cluster, 'stop', serverId, { job: newJob(cluster.id, 'stop', { idempotencyKey: key }) });
    const error = await enterOperation(scratch.db, again).then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(violatesUnique(error, 'jobs_idempotency')).toBe(true);
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
  });
});

describe('scales and added nodes', () => {
  test('SCL-4 a second scale that is turned down neither fails nor completes the first', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId });
    const free = {
      ...cluster,
      asRead: { ...cluster.asRead, state: 'Running' as const, operationId: null, operationSeq: 0 },
    };
    const before = await everythingOf(scratch.sql, cluster.id);
    expect(await enterOperation(scratch.db, newEntry(free, 'scale', serverId))).toBeUndefined();
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
    expect(await endWith(scratch.db, cluster.hold, succeeded('scale'))).toEqual({ kind: 'ended', state: 'Running' });
  });

  test('SCL-5 a scale of a stopped cluster that fails goes to Alert', async () => {
    const { hold } = await insertHeldCluster(scratch.sql, {
      state: 'ScalingStoppedCluster',
      serverId: await insertServer(scratch.sql),
    });
    expect(await endWith(scratch.db, hold, failed('scale'))).toEqual({ kind: 'ended', state: 'Alert' });
  });

  test.each(['Running', 'Alert'] as const)(
    'ADD-3 removing nodes enters RemovingNodes from %s, and a failure leads to Running',
    async (state) => {
      const serverId = await insertServer(scratch.sql);
      const cluster = await insertCluster(scratch.sql, { state });
      const hold = await enterOperation(scratch.db, newEntry(cluster, 'remove-nodes', serverId));
      if (hold === undefined) throw new Error('not entered');
      expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'RemovingNodes' });
      expect(await endWith(scratch.db, hold, failed('remove-nodes'))).toEqual({ kind: 'ended', state: 'Running' });
    },
  );

  test('SCN-1 a scanner that listed a cluster in Alert does not stop it after a user has started it', async () => {
    const serverId = await insertServer(scratch.sql);
    const listed = await insertCluster(scratch.sql, { state: 'Alert' });
    const start = await enterOperation(scratch.db, newEntry(listed, 'start', serverId));
    const before = await everythingOf(scratch.sql, listed.id);
    const actor = { kind: 'scanner', id: 'scanner', name: 'scanner' } as const;
    const stop = newEntry(listed, 'stop', serverId, { job: newJob(listed.id, 'stop', { actor }) });
    expect(await enterOperation(scratch.db, stop)).toBeUndefined();
    expect(await everythingOf(scratch.sql, listed.id)).toBe(before);
    expect(await endWith(scratch.db, start ?? never(), succeeded('start'))).toEqual({
      kind: 'ended',
      state: 'Running',
    });
  });
});

function never(): never {
  throw new Error('the start did not enter');
}
