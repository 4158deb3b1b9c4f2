import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { adminEnd, endWith, failed, loseServer, recover, recovery, succeeded } from '@/test/support/acts';
import { departNow, type HeldFixture, insertHeldCluster, insertServer, newEntry } from '@/test/support/fixtures';
import { pausePoint, queueUp } from '@/test/support/interleave';
import { clusterRow, everythingOf, jobRow, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { enterOperation } from './entry';
import { recordNetwork } from './facts';
import { type Hold, prepareHoldCheck, whileHeld } from './holds';
import { failJobsOfDeparted } from './jobs';
import { logLine } from './steps';

const scratch = scratchDatabase();

async function held(state: 'Upgrading' | 'Starting' | 'Scaling' | 'Importing' = 'Upgrading'): Promise<HeldFixture> {
  return insertHeldCluster(scratch.sql, { state, serverId: await insertServer(scratch.sql) });
}

async function enterAgain(cluster: HeldFixture, kind: 'upgrade' | 'start' | 'delete'): Promise<Hold> {
  const serverId = await insertServer(scratch.sql);
  const asRead = await readAgain(scratch.sql, cluster.id);
  const hold = await enterOperation(scratch.db, newEntry({ ...cluster, asRead }, kind, serverId));
  if (hold === undefined) throw new Error(`${kind} did not enter`);
  return hold;
}

const writeSomething = (hold: Hold) =>
  whileHeld(scratch.db, hold, async (tx) => {
    await recordNetwork(tx, hold.clusterId, { publicIp: '10.0.0.1' });
    await logLine(tx, hold.jobId, { step: null, level: 'info', text: 'written' });
  });

describe('an end', () => {
  test('HOLD-1 the owner moves its cluster and lets it go, in one', async () => {
    const { id, hold } = await held();
    expect(await endWith(scratch.db, hold, succeeded('upgrade'))).toEqual({ kind: 'ended', state: 'Running' });
    expect(await clusterRow(scratch.sql, id)).toMatchObject({
      state: 'Running',
      operation_id: null,
      operation_seq: '1',
    });
    expect(await jobRow(scratch.sql, hold.jobId)).toMatchObject({ status: 'succeeded' });
    expect(await pathOf(scratch.sql, id)).toEqual(['entry Running → Upgrading', 'end Upgrading → Running']);
  });

  test.each([succeeded('upgrade'), failed('upgrade')])(
    'HOLD-1 a second end of the same job ($status) changes nothing',
    async (ending) => {
      const { id, hold } = await held();
      await endWith(scratch.db, hold, succeeded('upgrade'));
      const before = await everythingOf(scratch.sql, id);
      expect(await endWith(scratch.db, hold, ending)).toEqual({ kind: 'lost' });
      expect(await everythingOf(scratch.sql, id)).toBe(before);
    },
  );

  test.each([
    ['HOLD-2', succeeded('upgrade')],
    ['HOLD-6', failed('upgrade')],
  ] as const)(
    '%s a lost upgrade does not end the next upgrade of the same cluster, whatever it says',
    async (_, ending) => {
      const cluster = await held();
      await loseServer(scratch, cluster.hold);
      await recover(scratch.db, recovery(cluster, await insertServer(scratch.sql)));
      const start = await enterAgain(cluster, 'start');
      await endWith(scratch.db, start, succeeded('start'));
      const second = await enterAgain(cluster, 'upgrade');
      const before = await everythingOf(scratch.sql, cluster.id);
      expect(await endWith(scratch.db, cluster.hold, ending)).toEqual({ kind: 'lost' });
      expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
      expect(await endWith(scratch.db, second, succeeded('upgrade'))).toEqual({ kind: 'ended', state: 'Running' });
    },
  );

  test.each([
    ['Created', 'stop'],
    ['Error', 'stop'],
    ['Error', 'start'],
  ] as const)('HOLD-3 an operation that went ahead from %s (%s) leaves the state alone', async (state, ownedBy) => {
    const { id, hold } = await insertHeldCluster(scratch.sql, {
      state,
      ownedBy,
      serverId: await insertServer(scratch.sql),
    });
    expect(await endWith(scratch.db, hold, succeeded(ownedBy, null))).toEqual({ kind: 'ended', state });
    expect(await clusterRow(scratch.sql, id)).toMatchObject({ state, operation_id: null });
    expect(await pathOf(scratch.sql, id)).toEqual([]);
  });

  test('HOLD-3 a stop of an Error cluster that comes late does not complete the delete that took it since', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Error', ownedBy: 'stop', serverId });
    await recover(scratch.db, adminEnd(cluster, cluster.hold, serverId));
    await enterAgain(cluster, 'delete');
    for (const event of [null, 'OperationSucceeded', 'OperationFailed'] as const) {
      expect(await endWith(scratch.db, cluster.hold, succeeded('stop', event))).toEqual({ kind: 'lost' });
    }
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Destroying' });
  });

  test('HOLD-4 a retried delete completes Destroying, and the cluster is gone', async () => {
    const { id, hold } = await insertHeldCluster(scratch.sql, {
      state: 'Destroying',
      ownedBy: 'delete',
      serverId: await insertServer(scratch.sql),
    });
    expect(await endWith(scratch.db, hold, succeeded('delete'))).toEqual({ kind: 'ended', state: 'Destroyed' });
    const row = await clusterRow(scratch.sql, id);
    expect(row).toMatchObject({ state: 'Destroyed', operation_id: null });
    expect(row.removed_at).not.toBeNull();
  });

  test('HOLD-4 a delete that fails stays in Destroying, unowned, to be retried', async () => {
    const { id, hold } = await insertHeldCluster(scratch.sql, {
      state: 'Destroying',
      ownedBy: 'delete',
      serverId: await insertServer(scratch.sql),
    });
    expect(await endWith(scratch.db, hold, failed('delete'))).toEqual({ kind: 'ended', state: 'Destroying' });
    expect(await clusterRow(scratch.sql, id)).toMatchObject({
      state: 'Destroying',
      operation_id: null,
      removed_at: null,
    });
  });

  test('HOLD-7 a worker whose cluster was recovered to Alert does not heal it by succeeding', async () => {
    const cluster = await held();
    await loseServer(scratch, cluster.hold);
    await recover(scratch.db, recovery(cluster, await insertServer(scratch.sql)));
    expect(await endWith(scratch.db, cluster.hold, succeeded('upgrade'))).toEqual({ kind: 'lost' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Alert', operation_id: null });
  });

  test('ADD-2 a failing add does not fail the upgrade that owns the cluster since', async () => {
    const cluster = await held('Importing');
    await recover(scratch.db, adminEnd(cluster, cluster.hold, await insertServer(scratch.sql)));
    await enterAgain(cluster, 'upgrade');
    expect(await endWith(scratch.db, cluster.hold, failed('add-nodes'))).toEqual({ kind: 'lost' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Upgrading' });
  });

  test('an event that the state has no row for ends nothing: it is a bug, and rolls back', async () => {
    const { id, hold } = await held();
    const before = await everythingOf(scratch.sql, id);
    await expect(endWith(scratch.db, hold, failed('upgrade', 'CreateFailed'))).rejects.toThrow();
    expect(await everythingOf(scratch.sql, id)).toBe(before);
  });
});

describe('an end and an end by an admin, or two ends, at once', () => {
  test('HOLD-5 the worker first: the admin misses', async () => {
    const cluster = await held();
    const serverId = await insertServer(scratch.sql);
    const [ended, byAdmin] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => endWith(scratch.db, cluster.hold, succeeded('upgrade')),
      () => recover(scratch.db, adminEnd(cluster, cluster.hold, serverId)),
    ]);
    expect([ended.kind, byAdmin.kind]).toEqual(['ended', 'missed']);
    expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({ status: 'succeeded' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Running' });
  });

  test('HOLD-5 the admin first: the worker has lost its cluster', async () => {
    const cluster = await held();
    const serverId = await insertServer(scratch.sql);
    const [byAdmin, ended] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => recover(scratch.db, adminEnd(cluster, cluster.hold, serverId)),
      () => endWith(scratch.db, cluster.hold, succeeded('upgrade')),
    ]);
    expect([byAdmin.kind, ended.kind]).toEqual(['recovered', 'lost']);
    expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({ status: 'failed', reason: 'ended-by-admin' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Alert', operation_seq: '2' });
  });

  test('HOLD-5 an admin ends what the page showed, not what owns the cluster since', async () => {
    const cluster = await held();
    await endWith(scratch.db, cluster.hold, succeeded('upgrade'));
    const next = await enterAgain(cluster, 'upgrade');
    expect(await recover(scratch.db, adminEnd(cluster, cluster.hold, next.serverId))).toEqual({ kind: 'missed' });
    expect(await jobRow(scratch.sql, next.jobId)).toMatchObject({ status: 'in_progress' });
  });
});

describe('a write of a worker', () => {
  test('is kept while the worker holds its cluster', async () => {
    const { id, hold } = await held();
    expect(await writeSomething(hold)).toEqual({ held: true, value: undefined });
    expect(await clusterRow(scratch.sql, id)).toMatchObject({ public_ip: '10.0.0.1' });
  });

  const lost: [string, (cluster: HeldFixture) => Promise<unknown>][] = [
    ['ended', (cluster) => endWith(scratch.db, cluster.hold, succeeded('upgrade'))],
    ['failed with its server', (cluster) => loseServer(scratch, cluster.hold)],
    [
      'ended by an admin',
      async (cluster) => recover(scratch.db, adminEnd(cluster, cluster.hold, await insertServer(scratch.sql))),
    ],
    [
      'taken away by a foreign write',
      (cluster) => scratch.sql`update clusters set state = 'Running' where id = ${cluster.id}`,
    ],
  ];

  test.each(lost)('HOLD-1 is refused after its job was %s', async (_, lose) => {
    const cluster = await held();
    await lose(cluster);
    const before = await everythingOf(scratch.sql, cluster.id);
    expect(await writeSomething(cluster.hold)).toEqual({ held: false });
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
  });

  test.each([
    ['token', (hold: Hold, _other: string): Hold => ({ ...hold, token: hold.token + 1 })],
    ['boot', (hold: Hold, other: string): Hold => ({ ...hold, serverId: other })],
    ['job', (hold: Hold, other: string): Hold => ({ ...hold, jobId: other })],
  ] as const)('HOLD-1 is refused under another %s', async (_, change) => {
    const { hold } = await held();
    expect(await writeSomething(change(hold, await insertServer(scratch.sql)))).toEqual({ held: false });
  });

  test('rolls back as a whole when it throws, and the error is heard', async () => {
    const { id, hold } = await held();
    const before = await everythingOf(scratch.sql, id);
    const write = whileHeld(scratch.db, hold, async (tx) => {
      await recordNetwork(tx, id, { publicIp: '10.0.0.9' });
      throw new Error('the cloud said something unexpected');
    });
    await expect(write).rejects.toThrow('the cloud said something unexpected');
    expect(await everythingOf(scratch.sql, id)).toBe(before);
  });

  test('HOLD-5 a write that began first commits first: its job is not failed under it, but on the next look', async () => {
    const cluster = await held();
    await departNow(scratch.sql, cluster.hold.serverId);
    const inside = pausePoint('inside the write');
    const write = whileHeld(scratch.db, cluster.hold, async (tx) => {
      await inside.pause();
      await logLine(tx, cluster.hold.jobId, { step: null, level: 'info', text: 'an old insert' });
    });
    await inside.reached;
    const look = () => scratch.db.transaction((tx) => failJobsOfDeparted(tx, 1));
    // The pass does not wait for a worker that is paused in the middle of a write.
    expect(await look()).toEqual([]);
    inside.goOn();
    expect(await write).toEqual({ held: true, value: undefined });
    expect((await look()).map((job) => job.id)).toEqual([cluster.hold.jobId]);
    expect(await writeSomething(cluster.hold)).toEqual({ held: false });
  });

  test('HOLD-5 a recovery that began first wins: the old insert does not commit after it', async () => {
    const cluster = await held();
    await loseServer(scratch, cluster.hold);
    const serverId = await insertServer(scratch.sql);
    const [recovered, written] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => recover(scratch.db, recovery(cluster, serverId)),
      () => writeSomething(cluster.hold),
    ]);
    expect([recovered.kind, written.held]).toEqual(['recovered', false]);
    const [logs] = await scratch.db.execute<{ count: number }>(
      sql`select count(*)::int as count from job_logs where job_id = ${cluster.hold.jobId}`,
    );
    expect(logs?.count).toBe(0);
  });
});

describe('the check before a cloud call', () => {
  test('HOLD-1 says whether the cluster is still held, and whether a stop waits', async () => {
    const check = prepareHoldCheck(scratch.db);
    const cluster = await held('Starting');
    expect(await check(cluster.hold)).toEqual({ held: true, stopWaits: false });
    expect(await check({ ...cluster.hold, token: 2 })).toEqual({ held: false, stopWaits: false });
    await departNow(scratch.sql, cluster.hold.serverId);
    expect(await check(cluster.hold)).toEqual({ held: false, stopWaits: false });
  });
});
