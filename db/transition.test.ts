import { describe, expect, test } from 'vitest';
import type { Attention } from '@/domain/attention';
import {
  type FixtureCluster,
  insertCluster,
  insertHeldCluster,
  insertServer,
  newEntry,
  newJob,
} from '@/test/support/fixtures';
import { queueUp } from '@/test/support/interleave';
import { clusterRow, everythingOf, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import type { Transaction } from './client';
import { enterOperation } from './entry';
import { type AsRead, drift, end, enter, handOver, type Move, type Moved, recover } from './transition';

const scratch = scratchDatabase();

const attention: Attention = {
  code: 'drift-machines',
  text: 'worker-1 is stopped',
  jobId: null,
  at: '2026-01-01T00:00:00Z',
};
const toAlert: Move = { to: 'Alert', event: 'FaultsDetected', cause: 'drift', jobId: null, serverId: null };

/** The five conditional writes, each as its caller would make it on `asRead`. */
const writes: Record<string, (tx: Transaction, asRead: AsRead, serverId: string) => Promise<Moved | undefined>> = {
  enter: (tx, asRead, serverId) =>
    enter(tx, asRead, { jobId: newJob(asRead.clusterId, 'scale').id, serverId }, { move: toAlert }),
  'enter and go ahead': (tx, asRead, serverId) =>
    enter(tx, asRead, { jobId: newJob(asRead.clusterId, 'scale').id, serverId }, { move: null }),
  end: (tx, asRead) => end(tx, asRead, { move: toAlert, attention }),
  recover: (tx, asRead) => recover(tx, asRead, { move: toAlert, attention }),
  drift: (tx, asRead) => drift(tx, asRead, toAlert, attention),
  'hand over': (tx, asRead) => handOver(tx, asRead, newJob(asRead.clusterId, 'stop').id, toAlert),
};

const staleReads: Record<string, (asRead: AsRead) => AsRead> = {
  state: (asRead) => ({ ...asRead, state: 'Stopped' }),
  token: (asRead) => ({ ...asRead, operationSeq: asRead.operationSeq + 1 }),
  id: (asRead) => ({ ...asRead, clusterId: newJob(asRead.clusterId, 'stop').id }),
};

const misses = Object.keys(writes).flatMap((write) => Object.keys(staleReads).map((stale) => ({ write, stale })));

async function attempt(write: string, asRead: AsRead): Promise<Moved | undefined> {
  const serverId = await insertServer(scratch.sql);
  return scratch.db.transaction((tx) => {
    const act = writes[write];
    if (act === undefined) throw new Error(write);
    return act(tx, asRead, serverId);
  });
}

describe('the compare-and-set', () => {
  test('CAS-1 of two writers that read the same, exactly one is told that it changed it', async () => {
    const { id, asRead } = await insertCluster(scratch.sql, { state: 'Running' });
    const other = scratch.another();
    const write = () => other.db.transaction((tx) => drift(tx, asRead, toAlert, attention));
    const [first, second] = await queueUp(scratch.another(), { table: 'clusters', id }, [write, write]);
    expect(first).toMatchObject({ token: 1 });
    expect(second).toBeUndefined();
    expect(await pathOf(scratch.sql, id)).toEqual(['drift Running → Alert']);
  });

  test.each(misses)(
    'CAS-2 $write on another $stale than is there writes nothing, in no column',
    async ({ write, stale }) => {
      const { id, asRead } = await insertCluster(scratch.sql, { state: 'Running' });
      const before = await everythingOf(scratch.sql, id);
      expect(await attempt(write, staleReads[stale]?.(asRead) ?? asRead)).toBeUndefined();
      expect(await everythingOf(scratch.sql, id)).toBe(before);
    },
  );

  test.each(['end', 'recover', 'hand over'])(
    'CAS-2 %s on another owner than is there writes nothing',
    async (write) => {
      const serverId = await insertServer(scratch.sql);
      const { id, asRead } = await insertHeldCluster(scratch.sql, { state: 'Starting', serverId });
      const before = await everythingOf(scratch.sql, id);
      expect(await attempt(write, { ...asRead, operationId: null })).toBeUndefined();
      expect(await attempt(write, { ...asRead, operationId: newJob(id, 'stop').id })).toBeUndefined();
      expect(await everythingOf(scratch.sql, id)).toBe(before);
    },
  );

  test.each(['enter', 'enter and go ahead', 'drift'])(
    'CAS-2 %s on a cluster that is owned writes nothing, even if it knows the owner',
    async (write) => {
      const serverId = await insertServer(scratch.sql);
      const { id, asRead } = await insertHeldCluster(scratch.sql, { state: 'Error', ownedBy: 'start', serverId });
      const before = await everythingOf(scratch.sql, id);
      expect(await attempt(write, asRead)).toBeUndefined();
      expect(await attempt(write, { ...asRead, operationId: null })).toBeUndefined();
      expect(await everythingOf(scratch.sql, id)).toBe(before);
    },
  );

  test.each(Object.keys(writes))('CAS-3 after %s missed, the caller still has what it had read', async (write) => {
    const { asRead } = await insertCluster(scratch.sql, { state: 'Running' });
    const stale = Object.freeze({ ...asRead, operationSeq: 7 });
    expect(await attempt(write, stale)).toBeUndefined();
    expect(stale).toEqual({ ...asRead, operationSeq: 7 });
  });

  test('CAS-4 a hit writes back no stale value of another column', async () => {
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await changeByHand(cluster);
    expect(await attempt('drift', cluster.asRead)).toBeDefined();
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: 'Alert',
      description: 'changed meanwhile',
      worker_count: 7,
      edit_version: 1,
    });
  });

  test('CAS-4 an entry that does not ask for the edit version keeps an edit made meanwhile; one that asks is refused', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await changeByHand(cluster);
    expect(
      await enterOperation(scratch.db, newEntry(cluster, 'upgrade', serverId, { editVersion: 0 })),
    ).toBeUndefined();
    expect(await enterOperation(scratch.db, newEntry(cluster, 'upgrade', serverId, { editVersion: 1 }))).toBeDefined();
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: 'Upgrading',
      description: 'changed meanwhile',
      worker_count: 7,
    });
  });

  test('CAS-6 being in the wanted state already is no success: the second of two starts misses', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Stopped' });
    expect(await enterOperation(scratch.db, newEntry(cluster, 'start', serverId))).toBeDefined();
    expect(await enterOperation(scratch.db, newEntry(cluster, 'start', serverId))).toBeUndefined();
    const found = { ...cluster, asRead: await readAgain(scratch.sql, cluster.id) };
    expect(found.asRead.state).toBe('Starting');
    const move = { event: 'StartRequested', to: 'Starting' } as const;
    expect(
      await enterOperation(scratch.db, { ...newEntry(cluster, 'start', serverId), asRead: found.asRead, move }),
    ).toBeUndefined();
    expect(await pathOf(scratch.sql, cluster.id)).toEqual(['entry Stopped → Starting']);
  });
});

async function changeByHand(cluster: FixtureCluster): Promise<void> {
  await scratch.sql`update clusters set description = 'changed meanwhile', worker_count = 7, edit_version = edit_version + 1 where id = ${cluster.id}`;
}
