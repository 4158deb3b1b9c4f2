import { describe, expect, test } from 'vitest';
import { type OperationKind, operationKinds, operations } from '@/domain/operations';
import { byState } from '@/domain/policy';
import { clusterStates } from '@/domain/states';
import { endWith, failed } from '@/test/support/acts';
import {
  ana,
  backdateBeat,
  type FixtureCluster,
  insertCluster,
  insertLegacyJob,
  insertServer,
  leaseMs,
  newEntry,
  newJob,
} from '@/test/support/fixtures';
import { queueUp } from '@/test/support/interleave';
import { clusterRow, eventsOf, everythingOf, jobRow, jobsOf, pathOf, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { enterOperation } from './entry';

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
