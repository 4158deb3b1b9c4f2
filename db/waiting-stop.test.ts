import { describe, expect, test } from 'vitest';
import { adminEnd, endWith, failed, loseServer, recover, recovery, succeeded } from '@/test/support/acts';
import { ben, type HeldFixture, insertCluster, insertHeldCluster, insertServer, newJob } from '@/test/support/fixtures';
import { queueUp } from '@/test/support/interleave';
import { clusterRow, everythingOf, jobRow, jobsOf, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { endOperation } from './ending';
import { type Hold, prepareHoldCheck } from './holds';
import type { NewJob } from './jobs';
import { recoverOrphan } from './orphan-recovery';
import { queueStop, withdrawStop } from './waiting-stop';

const scratch = scratchDatabase();

async function starting(): Promise<HeldFixture> {
  return insertHeldCluster(scratch.sql, { state: 'Starting', serverId: await insertServer(scratch.sql) });
}

const queue = (cluster: HeldFixture, stop: NewJob) => queueStop(scratch.db, cluster.asRead, cluster.name, stop);

/** A start that a stop waits for. */
async function startWithStop(): Promise<{ cluster: HeldFixture; stop: NewJob }> {
  const cluster = await starting();
  const stop = newJob(cluster.id, 'stop');
  expect(await queue(cluster, stop)).toBe(true);
  return { cluster, stop };
}

async function holdOf(cluster: HeldFixture, stop: NewJob, serverId: string): Promise<Hold> {
  const row = await clusterRow(scratch.sql, cluster.id);
  return { clusterId: cluster.id, jobId: stop.id, token: Number(row.operation_seq), serverId };
}

describe('a stop of a Starting cluster', () => {
  test('OUT-1 waits: of no server, without token, named by its cluster, which it does not touch otherwise', async () => {
    const { cluster, stop } = await startWithStop();
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({
      status: 'waiting',
      server_id: null,
      token: null,
      cluster_id: cluster.id,
    });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: 'Starting',
      operation_id: cluster.hold.jobId,
      operation_seq: '1',
      next_operation_id: stop.id,
    });
    expect(await prepareHoldCheck(scratch.db)(cluster.hold)).toEqual({ held: true, stopWaits: true });
  });

  test('OUT-1 is not stored twice, whoever comes second', async () => {
    const cluster = await starting();
    const stops = [newJob(cluster.id, 'stop'), newJob(cluster.id, 'stop')] as const;
    const answers = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => queue(cluster, stops[0]),
      () => queue(cluster, stops[1]),
    ]);
    expect(answers).toEqual([true, false]);
    expect(await jobsOf(scratch.sql, cluster.id)).toHaveLength(2);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ next_operation_id: stops[0].id });
  });

  test('OUT-1 is refused under another token, another owner, without an owner, and in any other state', async () => {
    const cluster = await starting();
    const upgrading = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: cluster.hold.serverId });
    const resting = await insertCluster(scratch.sql, { state: 'Running' });
    const refuse = async (asRead: HeldFixture['asRead']) => {
      const before = await everythingOf(scratch.sql, asRead.clusterId);
      expect(await queueStop(scratch.db, asRead, cluster.name, newJob(asRead.clusterId, 'stop'))).toBe(false);
      expect(await everythingOf(scratch.sql, asRead.clusterId)).toBe(before);
    };
    await refuse({ ...cluster.asRead, operationSeq: 2 });
    await refuse({ ...cluster.asRead, operationId: upgrading.hold.jobId });
    await refuse({ ...cluster.asRead, operationId: null });
    await refuse(upgrading.asRead);
    await refuse(resting.asRead);
  });

  test.each([
    ['succeeds', succeeded('start')],
    ['fails', failed('start')],
    ['fails as a create', failed('create', 'CreateFailed')],
  ])('OUT-1 HOLD-1 takes over when the start %s, and completes to Stopped', async (_, ending) => {
    const { cluster, stop } = await startWithStop();
    const claimed: string[] = [];
    const ended = await endOperation(scratch.db, cluster.hold, ending, (jobId) => claimed.push(jobId));
    const next = await holdOf(cluster, stop, cluster.hold.serverId);
    expect(ended).toMatchObject({ kind: 'handed-over', next });
    expect(next.token).toBe(2);
    expect(claimed).toEqual([stop.id]);
    expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({ status: 'cancelled', reason: 'handed-over' });
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({
      status: 'in_progress',
      token: '2',
      server_id: cluster.hold.serverId,
      failure_event: 'OperationFailed',
      held_state: 'Stopping',
    });
    for (const late of [succeeded('start'), failed('start')])
      expect(await endWith(scratch.db, cluster.hold, late)).toEqual({ kind: 'lost' });
    expect(await endWith(scratch.db, next, succeeded('stop'))).toEqual({ kind: 'ended', state: 'Stopped' });
    expect(await pathOf(scratch.sql, cluster.id)).toEqual([
      'entry Stopped → Starting',
      'hand-over Starting → Stopping',
      'end Stopping → Stopped',
    ]);
  });

  test('OUT-1 the end of the start first: the stop is not stored', async () => {
    const cluster = await starting();
    const [ended, queued] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => endWith(scratch.db, cluster.hold, succeeded('start')),
      () => queue(cluster, newJob(cluster.id, 'stop')),
    ]);
    expect([ended.kind, queued]).toEqual(['ended', false]);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Running' });
  });

  test('OUT-1 the stop first: the end of the start hands over', async () => {
    const cluster = await starting();
    const [queued, ended] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => queue(cluster, newJob(cluster.id, 'stop')),
      () => endWith(scratch.db, cluster.hold, succeeded('start')),
    ]);
    expect([queued, ended.kind]).toEqual([true, 'handed-over']);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Stopping' });
  });
});

describe('a withdrawal', () => {
  test('OUT-1 takes the waiting stop back; the start then ends as ever', async () => {
    const { cluster, stop } = await startWithStop();
    expect(await withdrawStop(scratch.db, cluster.id, stop.id, ben)).toBe(true);
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ status: 'cancelled', reason: 'withdrawn' });
    expect(await withdrawStop(scratch.db, cluster.id, stop.id, ben)).toBe(false);
    expect(await endWith(scratch.db, cluster.hold, succeeded('start'))).toEqual({ kind: 'ended', state: 'Running' });
  });

  test('OUT-1 makes room for another stop', async () => {
    const { cluster, stop } = await startWithStop();
    await withdrawStop(scratch.db, cluster.id, stop.id, ben);
    expect(await queue(cluster, newJob(cluster.id, 'stop'))).toBe(true);
  });

  test.each(['withdraw', 'end'] as const)('OUT-1 and the end of the start at once: %s first decides', async (first) => {
    const { cluster, stop } = await startWithStop();
    const withdraw = () => withdrawStop(scratch.db, cluster.id, stop.id, ben);
    const end = () => endWith(scratch.db, cluster.hold, succeeded('start'));
    const lock = { table: 'clusters', id: cluster.id } as const;
    if (first === 'withdraw') {
      const [withdrawn, ended] = await queueUp(scratch.another(), lock, [withdraw, end]);
      expect([withdrawn, ended]).toEqual([true, { kind: 'ended', state: 'Running' }]);
    } else {
      const [ended, withdrawn] = await queueUp(scratch.another(), lock, [end, withdraw]);
      expect([withdrawn, ended.kind]).toEqual([false, 'handed-over']);
      expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ status: 'in_progress' });
    }
  });

  test('OUT-1 names the cluster that it is for', async () => {
    const { stop } = await startWithStop();
    const other = await starting();
    expect(await withdrawStop(scratch.db, other.id, stop.id, ben)).toBe(false);
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ status: 'waiting' });
  });
});

describe('a recovery of a start that a stop waits for', () => {
  test('OUT-1 REC-4 gives the cluster to the stop, on the server of the pass', async () => {
    const { cluster, stop } = await startWithStop();
    const serverId = await insertServer(scratch.sql);
    await loseServer(scratch, cluster.hold);
    const claimed: string[] = [];
    const outcome = await recoverOrphan(scratch.db, recovery(cluster, serverId, { waitingStopId: stop.id }), (jobId) =>
      claimed.push(jobId),
    );
    const next = await holdOf(cluster, stop, serverId);
    expect(outcome).toMatchObject({ kind: 'stop-took-over', next });
    expect(claimed).toEqual([stop.id]);
    expect(await endWith(scratch.db, cluster.hold, succeeded('start'))).toEqual({ kind: 'lost' });
    expect(await endWith(scratch.db, next, succeeded('stop'))).toEqual({ kind: 'ended', state: 'Stopped' });
  });

  test('OUT-1 an admin who ends such a start lets the stop take over', async () => {
    const { cluster, stop } = await startWithStop();
    const outcome = await recover(
      scratch.db,
      adminEnd(cluster, cluster.hold, cluster.hold.serverId, { waitingStopId: stop.id }),
    );
    expect(outcome.kind).toBe('stop-took-over');
    expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({ status: 'failed', reason: 'ended-by-admin' });
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ status: 'in_progress', token: '2' });
  });

  test('OUT-1 REC-7 misses when the stop was stored after the cluster was read: no stop is lost', async () => {
    const { cluster, stop } = await startWithStop();
    await loseServer(scratch, cluster.hold);
    const before = await everythingOf(scratch.sql, cluster.id);
    const serverId = await insertServer(scratch.sql);
    expect(await recover(scratch.db, recovery(cluster, serverId))).toEqual({ kind: 'missed' });
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
    expect((await recover(scratch.db, recovery(cluster, serverId, { waitingStopId: stop.id }))).kind).toBe(
      'stop-took-over',
    );
  });

  test('OUT-1 REC-7 misses when the stop was withdrawn after the cluster was read, and frees it on the next look', async () => {
    const { cluster, stop } = await startWithStop();
    await loseServer(scratch, cluster.hold);
    await withdrawStop(scratch.db, cluster.id, stop.id, ben);
    const serverId = await insertServer(scratch.sql);
    expect(await recover(scratch.db, recovery(cluster, serverId, { waitingStopId: stop.id }))).toEqual({
      kind: 'missed',
    });
    expect(await recover(scratch.db, recovery(cluster, serverId))).toEqual({ kind: 'recovered' });
    expect(await readAgain(scratch.sql, cluster.id)).toMatchObject({ state: 'Alert', operationId: null });
  });

  test('OUT-1 the recovery first: the stop is not stored', async () => {
    const cluster = await starting();
    await loseServer(scratch, cluster.hold);
    const serverId = await insertServer(scratch.sql);
    const [recovered, queued] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => recover(scratch.db, recovery(cluster, serverId)),
      () => queue(cluster, newJob(cluster.id, 'stop')),
    ]);
    expect([recovered.kind, queued]).toEqual(['recovered', false]);
  });

  test('OUT-1 the stop first: the recovery that did not see it misses', async () => {
    const cluster = await starting();
    await loseServer(scratch, cluster.hold);
    const serverId = await insertServer(scratch.sql);
    const [queued, recovered] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => queue(cluster, newJob(cluster.id, 'stop')),
      () => recover(scratch.db, recovery(cluster, serverId)),
    ]);
    expect([queued, recovered.kind]).toEqual([true, 'missed']);
  });

  test('OUT-1 a foreign write cancels the stop that waited', async () => {
    const { cluster, stop } = await startWithStop();
    await scratch.sql`update clusters set state = 'Running' where id = ${cluster.id}`;
    expect(await jobRow(scratch.sql, stop.id)).toMatchObject({ status: 'cancelled', reason: 'foreign-write' });
    expect(await withdrawStop(scratch.db, cluster.id, stop.id, ben)).toBe(false);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ next_operation_id: null });
  });
});
