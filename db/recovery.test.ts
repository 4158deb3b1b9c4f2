import { describe, expect, test } from 'vitest';
import { type ClusterState, operationStates } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import { adminEnd, endWith, loseServer, recover, recovery, succeeded } from '@/test/support/acts';
import {
  backdateBeat,
  ben,
  departNow,
  type HeldFixture,
  insertCluster,
  insertHeldCluster,
  insertLegacyJob,
  insertServer,
  leaseMs,
  newEntry,
  newJob,
} from '@/test/support/fixtures';
import { queueUp } from '@/test/support/interleave';
import { clusterRow, eventsOf, everythingOf, jobRow, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { enterOperation } from './entry';
import { failJobsOfDeparted } from './jobs';

const scratch = scratchDatabase();

/** REC-4 and REC-5 by hand. */
const targets: Record<(typeof operationStates)[number], ClusterState> = {
  Starting: 'Alert',
  Stopping: 'Alert',
  Scaling: 'Alert',
  ScalingStoppedCluster: 'Alert',
  Upgrading: 'Alert',
  Importing: 'Running',
  RemovingNodes: 'Running',
  Recovering: 'Alert',
};

async function orphan(state: ClusterState = 'Upgrading', ownedBy?: 'start' | 'stop' | 'delete'): Promise<HeldFixture> {
  const serverId = await insertServer(scratch.sql);
  const cluster = await insertHeldCluster(scratch.sql, {
    state,
    serverId,
    ...(ownedBy === undefined ? {} : { ownedBy }),
  });
  await loseServer(scratch, cluster.hold);
  return cluster;
}

async function expectMissed(cluster: HeldFixture, more: Parameters<typeof recovery>[2] = {}): Promise<void> {
  const before = await everythingOf(scratch.sql, cluster.id);
  expect(await recover(scratch.db, recovery(cluster, await insertServer(scratch.sql), more))).toEqual({
    kind: 'missed',
  });
  expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
}

describe('the recovery of an orphan', () => {
  test.each(operationStates)('REC-4 REC-5 takes %s where its failure leads, and lets it go', async (state) => {
    const cluster = await orphan(state);
    const becomes = targets[state];
    const pass = await insertServer(scratch.sql);
    expect(await recover(scratch.db, recovery(cluster, pass))).toEqual({ kind: 'recovered' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state: becomes,
      operation_id: null,
      operation_seq: '2',
    });
    expect((await pathOf(scratch.sql, cluster.id)).at(-1)).toBe(`recovery ${state} → ${becomes}`);
    expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({
      status: 'failed',
      reason: 'server-departed',
    });
    expect(await eventsOf(scratch.sql, cluster.id)).toMatchObject([
      { type: 'recovery.decision', job_id: cluster.hold.jobId, actor_name: ben.name },
    ]);
    expect((await clusterRow(scratch.sql, cluster.id)).attention).toMatchObject({
      code: 'orphan-recovered',
      jobId: cluster.hold.jobId,
    });
  });

  test('REC-4 a Recovering that was entered from Error goes back to Error', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Recovering',
      from: 'Alert',
      failureEvent: 'CreateFailed',
      serverId,
    });
    await loseServer(scratch, cluster.hold);
    const becomes = nextState('Recovering', 'CreateFailed') ?? null;
    await recover(scratch.db, recovery(cluster, serverId, { becomes, event: 'CreateFailed' }));
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Error' });
  });

  test.each([
    ['Created', 'stop'],
    ['Error', 'start'],
    ['Destroying', 'delete'],
  ] as const)(
    'REC-2 a go-ahead operation in %s (%s) only loses its cluster; the token moves on',
    async (state, ownedBy) => {
      const cluster = await orphan(state, ownedBy);
      expect(await recover(scratch.db, recovery(cluster, await insertServer(scratch.sql)))).toEqual({
        kind: 'recovered',
      });
      expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
        state,
        operation_id: null,
        operation_seq: '2',
      });
      expect(await pathOf(scratch.sql, cluster.id)).toEqual([]);
      expect(await endWith(scratch.db, cluster.hold, succeeded(ownedBy))).toEqual({ kind: 'lost' });
    },
  );

  test('REC-2 an operation state that a foreign write left without owner is recovered', async () => {
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await scratch.sql`update clusters set state = 'Upgrading' where id = ${cluster.id}`;
    const found = { ...cluster, asRead: await readAgain(scratch.sql, cluster.id) };
    expect(await recover(scratch.db, recovery(found, await insertServer(scratch.sql)))).toEqual({ kind: 'recovered' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Alert', foreign_write_at: null });
  });

  test('REC-6 repairs nothing else: no node, component, step or setting changes', async () => {
    const cluster = await orphan();
    const rest =
      () => scratch.sql`select name, zone_id, kubernetes_version_id, worker_count, edit_version, network_id, protected,
      (select count(*)::int from nodes), (select count(*)::int from cluster_components), (select count(*)::int from job_steps)
      from clusters where id = ${cluster.id}`;
    const before = await rest();
    await recover(scratch.db, recovery(cluster, await insertServer(scratch.sql)));
    expect(await rest()).toEqual(before);
  });
});

describe('a recovery that comes too late writes nothing', () => {
  test('REC-3 the job is in progress: of a live server, of a silent one, and of one that departed but whose job nobody has failed yet', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    await expectMissed(cluster);
    await backdateBeat(scratch.sql, serverId, leaseMs - 1);
    await expectMissed(cluster);
    await departNow(scratch.sql, serverId);
    await expectMissed(cluster);
  });

  test('REC-3 a go-ahead operation in progress keeps its cluster too', async () => {
    const serverId = await insertServer(scratch.sql);
    await expectMissed(await insertHeldCluster(scratch.sql, { state: 'Error', ownedBy: 'start', serverId }));
  });

  test('REC-7 REC-9 the operation ended after the cluster was read: its new state is kept', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    await endWith(scratch.db, cluster.hold, succeeded('upgrade'));
    await expectMissed(cluster);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Running' });
  });

  test('REC-7 the operation ends between the reading and the write: the recovery waits for it, and misses', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    const [ended, recovered] = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => endWith(scratch.db, cluster.hold, succeeded('upgrade')),
      () => recover(scratch.db, recovery(cluster, serverId)),
    ]);
    expect([ended.kind, recovered.kind]).toEqual(['ended', 'missed']);
  });

  test('REC-8 the cluster was recovered and taken again since the list was made', async () => {
    const cluster = await orphan();
    const serverId = await insertServer(scratch.sql);
    await recover(scratch.db, recovery(cluster, serverId));
    const free = { ...cluster, asRead: await readAgain(scratch.sql, cluster.id) };
    expect(await enterOperation(scratch.db, newEntry(free, 'start', serverId))).toBeDefined();
    await expectMissed(cluster);
    await expectMissed({ ...cluster, asRead: free.asRead });
  });

  test('OUT-5 one operation ended and another of the same kind began between the reads and the write', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    await endWith(scratch.db, cluster.hold, succeeded('upgrade'));
    const free = { ...cluster, asRead: await readAgain(scratch.sql, cluster.id) };
    const second = await enterOperation(scratch.db, newEntry(free, 'upgrade', serverId));
    expect(await readAgain(scratch.sql, cluster.id)).toMatchObject({ state: 'Upgrading' });
    await expectMissed(cluster);
    expect(await jobRow(scratch.sql, second?.jobId ?? '')).toMatchObject({ status: 'in_progress' });
  });

  test('REC-7 of two passes over one orphan, one recovers it', async () => {
    const cluster = await orphan();
    const [one, two] = [await insertServer(scratch.sql), await insertServer(scratch.sql)];
    const answers = await queueUp(scratch.another(), { table: 'clusters', id: cluster.id }, [
      () => recover(scratch.db, recovery(cluster, one)),
      () => recover(scratch.db, recovery(cluster, two)),
    ]);
    expect(answers.map((answer) => answer.kind)).toEqual(['recovered', 'missed']);
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ operation_seq: '2' });
  });

  test('REC-7 an admin who ends a job that a pass has failed already misses', async () => {
    const cluster = await orphan();
    const before = await everythingOf(scratch.sql, cluster.id);
    expect(await recover(scratch.db, adminEnd(cluster, cluster.hold, await insertServer(scratch.sql)))).toEqual({
      kind: 'missed',
    });
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
  });
});

describe('the jobs of departed servers', () => {
  test('REC-3 are failed; those of live, silent and draining servers, waiting stops and older servers are not', async () => {
    const [gone, alive, silent, draining] = [
      await insertServer(scratch.sql, { name: 'gone-1' }),
      await insertServer(scratch.sql),
      await insertServer(scratch.sql),
      await insertServer(scratch.sql, { state: 'draining' }),
    ];
    const lost = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: gone });
    const kept = await Promise.all(
      [alive, silent, draining].map((serverId) => insertHeldCluster(scratch.sql, { state: 'Scaling', serverId })),
    );
    await insertLegacyJob(scratch.sql, { parameters: null, serverId: alive });
    await departNow(scratch.sql, gone);
    await backdateBeat(scratch.sql, silent, leaseMs + 60_000);
    const failed = await scratch.db.transaction((tx) => failJobsOfDeparted(tx, 7));
    expect(failed).toEqual([{ id: lost.hold.jobId, kind: 'upgrade', clusterId: lost.id }]);
    expect(await jobRow(scratch.sql, lost.hold.jobId)).toMatchObject({
      status: 'failed',
      reason: 'server-departed',
      ended_by_pass_id: '7',
    });
    expect((await jobRow(scratch.sql, lost.hold.jobId))['message']).toContain('gone-1');
    for (const { hold } of kept) expect(await jobRow(scratch.sql, hold.jobId)).toMatchObject({ status: 'in_progress' });
    expect(await scratch.db.transaction((tx) => failJobsOfDeparted(tx, 8))).toEqual([]);
    await scratch.sql`update jobs set status = 'cancelled', finished_at = clock_timestamp(), message = 'end of the test' where cluster_id is null and finished_at is null`;
  });
});

describe('pruning', () => {
  test('OUT-8 cannot remove the job that owns a cluster, ended or not, nor a stop that waits for one', async () => {
    const serverId = await insertServer(scratch.sql);
    const running = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    const lost = await orphan();
    const starting = await insertHeldCluster(scratch.sql, { state: 'Starting', serverId });
    const stop = newJob(starting.id, 'stop').id;
    await scratch.sql.begin(async (tx) => {
      await tx`insert into jobs (id, cluster_id, kind, status, actor) values (${stop}, ${starting.id}, 'stop', 'waiting', '{}')`;
      await tx`update clusters set next_operation_id = ${stop} where id = ${starting.id}`;
    });
    for (const id of [running.hold.jobId, lost.hold.jobId, starting.hold.jobId, stop]) {
      await expect(scratch.sql`delete from jobs where id = ${id}`).rejects.toThrow(/foreign key constraint/);
    }
  });

  test('OUT-8 may remove a job that owns nothing any more; the history stays', async () => {
    const serverId = await insertServer(scratch.sql);
    const { id, hold } = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
    await endWith(scratch.db, hold, succeeded('upgrade'));
    await scratch.sql`delete from jobs where id = ${hold.jobId}`;
    expect(await pathOf(scratch.sql, id)).toEqual(['entry Running → Upgrading', 'end Upgrading → Running']);
  });
});

test('the step that ran when its server died does not go on ticking', async () => {
  const serverId = await insertServer(scratch.sql);
  const cluster = await insertHeldCluster(scratch.sql, { state: 'Starting', serverId });
  await scratch.sql`insert into job_steps (job_id, name, ordinal, label, status)
    values (${cluster.hold.jobId}, 'network', 0, 'Network', 'running')`;
  await loseServer(scratch, cluster.hold);
  const [step] = await scratch.sql`select status, ended_at from job_steps where job_id = ${cluster.hold.jobId}`;
  expect(step).toMatchObject({ status: 'stopped', ended_at: expect.any(String) });
});
