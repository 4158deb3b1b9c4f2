import { describe, expect, test } from 'vitest';
import { type OperationKind, operationKinds, operations } from '@/domain/operations';
import { byState } from '@/domain/policy';
import { clusterStates } from '@/domain/states';
import { endWith, failed, succeeded } from '@/test/support/acts';
import {
  ana,
  backdateBeat,
  departNow,
  type FixtureCluster,
  insertCluster,
  insertHeldCluster,
  insertLegacyJob,
  insertServer,
  leaseMs,
  newEntry,
  newJob,
} from '@/test/support/fixtures';
import { openTransaction, queueUp } from '@/test/support/interleave';
import { clusterRow, eventsOf, everythingOf, jobRow, jobsOf, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { violatesUnique } from './errors';
import { failJobsOfDeparted } from './jobs';
import { enterOperation } from './ownership';

const scratch = scratchDatabase();

const enters = clusterStates.flatMap((state) =>
  operationKinds.flatMap((kind) => {
    const verdict = byState(kind, state);
    return verdict.kind === 'enter' ? [{ kind, state, to: verdict.to }] : [];
  }),
);
const aheads = clusterStates.flatMap((state) =>
  operationKinds.flatMap((kind) => (byState(kind, state).kind === 'go-ahead' ? [{ kind, state }] : [])),
);

describe('an entry', () => {
  test.each(enters)(
    'ENT-1 JOB-1 $kind from $state writes state, owner, token, job, transition and event together',
    async ({ kind, state, to }) => {
      const serverId = await insertServer(scratch.sql);
      const cluster = await insertCluster(scratch.sql, { state });
      const entry = newEntry(cluster, kind, serverId);
      const hold = await enterOperation(scratch.db, entry);
      expect(hold).toEqual({ clusterId: cluster.id, jobId: entry.job.id, token: 1, serverId });
      expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
        state: to,
        operation_id: entry.job.id,
        operation_seq: '1',
        transition_seq: '1',
      });
      expect(await jobRow(scratch.sql, entry.job.id)).toMatchObject({
        cluster_id: cluster.id,
        kind,
        status: 'in_progress',
        token: '1',
        server_id: serverId,
        from_state: state,
        held_state: to,
        failure_event: operations[kind].failed,
      });
      expect(await pathOf(scratch.sql, cluster.id)).toEqual([`entry ${state} → ${to}`]);
      expect(await eventsOf(scratch.sql, cluster.id)).toMatchObject([
        { type: 'operation.accepted', result: 'ok', job_id: entry.job.id },
      ]);
    },
  );

  test.each(aheads)('ENT-7 $kind from $state owns the cluster and leaves its state alone', async ({ kind, state }) => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state });
    const entry = newEntry(cluster, kind, serverId);
    expect(await enterOperation(scratch.db, entry)).toMatchObject({ token: 1 });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
      state,
      operation_id: entry.job.id,
      operation_seq: '1',
      transition_seq: '0',
    });
    expect(await jobRow(scratch.sql, entry.job.id)).toMatchObject({
      status: 'in_progress',
      failure_event: null,
      held_state: state,
    });
    expect(await pathOf(scratch.sql, cluster.id)).toEqual([]);
  });

  test('JOB-2 its event names the cluster, in id and in words', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await enterOperation(scratch.db, newEntry(cluster, 'upgrade', serverId));
    const [event] = await eventsOf(scratch.sql, cluster.id);
    expect(event).toMatchObject({ cluster_id: cluster.id, cluster_name: cluster.name, actor_name: ana.name });
    expect(event?.summary).toContain(cluster.name);
  });

  test('ENT-6 during a start from Alert nothing else enters: neither an add, a stop by entry, nor a recovery', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Alert' });
    await enterOperation(scratch.db, newEntry(cluster, 'start', serverId));
    const now: FixtureCluster = { ...cluster, asRead: await readAgain(scratch.sql, cluster.id) };
    const before = await everythingOf(scratch.sql, cluster.id);
    for (const kind of ['add-nodes', 'stop', 'recover', 'delete'] as const) {
      expect(await enterOperation(scratch.db, newEntry(cluster, kind, serverId)), kind).toBeUndefined();
      expect(
        await enterOperation(scratch.db, { ...newEntry(cluster, kind, serverId), asRead: now.asRead }),
        kind,
      ).toBeUndefined();
    }
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
  });

  test('ENT-8 a start from Error that fails leaves Error', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Error' });
    const hold = await enterOperation(scratch.db, newEntry(cluster, 'start', serverId));
    if (hold === undefined) throw new Error('not entered');
    expect(await endWith(scratch.db, hold, failed('start', null))).toEqual({ kind: 'ended', state: 'Error' });
    expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Error', operation_id: null });
  });

  test('ENT-9 user and scanner retry a delete through the same door, one at a time', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Destroying' });
    const byScanner = newJob(cluster.id, 'delete', { actor: { kind: 'scanner', id: 'scanner', name: 'scanner' } });
    expect(await enterOperation(scratch.db, newEntry(cluster, 'delete', serverId, { job: byScanner }))).toBeDefined();
    expect(await enterOperation(scratch.db, newEntry(cluster, 'delete', serverId))).toBeUndefined();
    expect((await jobsOf(scratch.sql, cluster.id)).map((job) => job.id)).toEqual([byScanner.id]);
  });
});

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

describe('an entry is refused, and writes nothing', () => {
  async function expectRefused(
    cluster: FixtureCluster,
    kind: OperationKind,
    serverId: string,
    unlessProtected = false,
  ): Promise<void> {
    const before = await everythingOf(scratch.sql, cluster.id);
    expect(await enterOperation(scratch.db, newEntry(cluster, kind, serverId, { unlessProtected }))).toBeUndefined();
    expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
  }

  test('when its server has departed, is draining, or has let its lease run out', async () => {
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    await expectRefused(cluster, 'stop', await insertServer(scratch.sql, { state: 'departed' }));
    await expectRefused(cluster, 'stop', await insertServer(scratch.sql, { state: 'draining' }));
    const silent = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, silent, leaseMs + 1);
    await expectRefused(cluster, 'stop', silent);
    await expectRefused(cluster, 'stop', newJob(cluster.id, 'stop').id);
  });

  test('when a delete meets a protection, also one set while it waited', async () => {
    const serverId = await insertServer(scratch.sql);
    await expectRefused(
      await insertCluster(scratch.sql, { state: 'Running', protected: true }),
      'delete',
      serverId,
      true,
    );
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    const [entered] = await queueUp(
      scratch.another(),
      {
        table: 'clusters',
        id: cluster.id,
        meanwhile: (sql) => sql`update clusters set protected = true where id = ${cluster.id}`,
      },
      [() => enterOperation(scratch.db, newEntry(cluster, 'delete', serverId, { unlessProtected: true }))],
    );
    expect(entered).toBeUndefined();
  });

  test('when the cluster has been deleted', async () => {
    const serverId = await insertServer(scratch.sql);
    const cluster = await insertCluster(scratch.sql, { state: 'Destroyed' });
    const entry = {
      ...newEntry({ ...cluster, asRead: { ...cluster.asRead, state: 'Stopped' } }, 'start', serverId),
      asRead: cluster.asRead,
    };
    expect(await enterOperation(scratch.db, entry)).toBeUndefined();
  });

  test('MIX-1 when a job of an older server names the cluster, in whatever case; others are free', async () => {
    const serverId = await insertServer(scratch.sql);
    const old = await insertServer(scratch.sql, { protocol: 1 });
    const [named, other] = [
      await insertCluster(scratch.sql, { state: 'Running' }),
      await insertCluster(scratch.sql, { state: 'Running' }),
    ];
    const jobId = await insertLegacyJob(scratch.sql, {
      serverId: old,
      parameters: `{"id":"${named.id.toUpperCase()}","size":"3"}`,
    });
    await expectRefused(named, 'scale', serverId);
    expect(await enterOperation(scratch.db, newEntry(other, 'scale', serverId))).toBeDefined();
    await scratch.sql`update jobs set status = 'succeeded', finished_at = clock_timestamp() where id = ${jobId}`;
    expect(await enterOperation(scratch.db, newEntry(named, 'scale', serverId))).toBeDefined();
  });

  test('MIX-2 a job of an older server that names no cluster holds recovery, not entry', async () => {
    const serverId = await insertServer(scratch.sql);
    const jobId = await insertLegacyJob(scratch.sql, { parameters: null });
    expect(
      await enterOperation(
        scratch.db,
        newEntry(await insertCluster(scratch.sql, { state: 'Running' }), 'stop', serverId),
      ),
    ).toBeDefined();
    await scratch.sql`update jobs set status = 'succeeded', finished_at = clock_timestamp() where id = ${jobId}`;
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
