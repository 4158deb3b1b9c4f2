/** Rules and reports about single operations, end to end on the memory cloud: what enters, what fails where, what is left of it. */
import { describe, expect, test } from 'vitest';
import { byState } from '@/domain/policy';
import { isOperationState } from '@/domain/states';
import { disagreements, lateEffects, leftOf } from '@/test/support/agreement';
import { together } from '@/test/support/barrier';
import { ana, ben } from '@/test/support/fixtures';
import { granted, type Lane, offeringAt } from '@/test/support/lane';
import { openLanes } from '@/test/support/lanes';
import { type TestServer, untilIdle } from '@/test/support/server';
import { foreignMachine } from '../test/faults/operations';
import { acceptOperation } from './accept';

const lanes = openLanes(4);
const limit = { timeout: 60_000 };

/** The operation, broken in one step; answers its job. */
async function breakIn(
  lane: Lane,
  server: TestServer,
  id: string,
  kind: 'start' | 'scale' | 'stop' | 'delete' | 'add-nodes',
  at: { step: string; method: string },
  input = {},
) {
  lane.cloud.fault = { ...at, kind: 'refuse', error: 'refused' };
  const { jobId } = granted(await lane.ask(server, kind, id, input));
  await untilIdle(server);
  lane.cloud.fault = undefined;
  expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'step-failed' });
  return jobId;
}

async function createInError(lane: Lane, server: TestServer): Promise<string> {
  lane.cloud.fault = { step: 'start-node worker-1', kind: 'refuse', error: 'refused', method: 'startMachine' };
  const { clusterId } = await lane.beginCreate(server);
  await untilIdle(server);
  lane.cloud.fault = undefined;
  expect(await lane.state(clusterId)).toBe('Error');
  return clusterId;
}

describe.concurrent('entering', () => {
  test('ENT-1 whatever the entry refuses has made no call and changed no row', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const loser = await lane.server();
      // It departs between its reading and its write, so that its entry, and nothing else, is refused.
      const [worker] = together([loser.worker], async () => {
        await lane.sql`update servers set state = 'departed', departed_at = clock_timestamp(), departure = 'crashed' where id = ${loser.id}`;
      });
      const before = await lane.facts(id);
      const calls = lane.control.calls().length;
      const effects = lane.control.effects().length;
      const requests = [{ kind: 'scale', input: { workerCount: 2 } }] as const;
      for (const { kind, input } of requests) {
        const answer = await acceptOperation(worker ?? loser.worker, ana, { kind, clusterId: id, input, note: null });
        expect(answer).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
      }
      expect(await lane.facts(id)).toEqual(before);
      expect(lane.control.effects()).toHaveLength(effects);
      expect(
        lane.control
          .calls()
          .slice(calls)
          .every((call) => call.operation.startsWith('-/')),
      ).toBe(true);
      expect(loser.worker.running.ids()).toEqual([]);
    }),
  );

  test(
    'ENT-5 add nodes of a stopped cluster, upgrade of one in Alert, stop of one that scales: turned down, nothing touched',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        const scaling = lane.cloud.hold('ensureMachine', 'before');
        const { jobId } = granted(await lane.ask(server, 'scale', id, { workerCount: 2 }));
        await scaling.reached;
        expect(await lane.ask(server, 'stop', id)).toMatchObject({
          ok: false,
          refusal: { code: 'refused', reason: 'held', holder: { jobId } },
        });
        scaling.release();
        await untilIdle(server);
        expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
        await lane.run(server, 'stop', id);
        const calls = lane.cloud.calls.length;
        const added = await lane.ask(server, 'add-nodes', id, foreignMachine(await lane.facts(id), lane));
        expect(added).toMatchObject({ ok: false, refusal: { reason: 'needs-running' } });
        expect(lane.cloud.calls).toHaveLength(calls);
        expect(await lane.state(id)).toBe('Stopped');
      }),
  );

  test('ENT-6 during a start from Alert neither an added node nor a pass gets in', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      await breakIn(lane, server, id, 'stop', { step: 'stop-node control-1', method: 'stopMachine' });
      expect(await lane.state(id)).toBe('Alert');
      const held = lane.cloud.hold('startMachine', 'before');
      const { jobId } = granted(await lane.ask(server, 'start', id));
      await held.reached;
      expect(await lane.state(id)).toBe('Starting');
      for (const kind of ['add-nodes', 'delete', 'scale'] as const) {
        const input = kind === 'add-nodes' ? foreignMachine(await lane.facts(id), lane) : { workerCount: 2 };
        expect(await lane.ask(server, kind, id, input)).toMatchObject({
          ok: false,
          refusal: { reason: 'held', holder: { jobId } },
        });
      }
      const other = await lane.server();
      const passes = (await lane.transitions(id)).length;
      await lane.pass(other);
      expect(await lane.transitions(id)).toHaveLength(passes);
      held.release();
      await untilIdle(server);
      expect(await lane.state(id)).toBe('Running');
      expect(await lane.violations()).toEqual([]);
    }),
  );

  test(
    'ENT-7 HOLD-3 a stop of a Created cluster and one of a cluster in Error run, and leave the state alone',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const created = await lane.create(server, { startNow: false });
        await lane.run(server, 'stop', created);
        expect(await lane.state(created)).toBe('Created');
        const broken = await createInError(lane, server);
        await lane.run(server, 'stop', broken);
        expect(await lane.state(broken)).toBe('Error');
        const { nodes } = await lane.facts(broken);
        expect(nodes.map((node) => lane.machineOf(node.machineId)?.state)).toEqual(['stopped', 'stopped']);
        expect(await lane.transitions(broken)).toHaveLength(2);
        expect(await lane.violations()).toEqual([]);
      }),
  );

  test(
    'ENT-8 a start from Error that fails leaves Error; one that succeeds is Running by a pass, components and all',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await createInError(lane, server);
        await breakIn(lane, server, id, 'start', { step: 'start-node worker-1', method: 'startMachine' });
        expect(await lane.state(id)).toBe('Error');
        await lane.pass(server);
        expect(await lane.state(id)).toBe('Error');
        await lane.run(server, 'start', id);
        expect(await lane.state(id)).toBe('Error');
        await lane.pass(server);
        expect(await lane.state(id)).toBe('Running');
        expect(await disagreements(lane, id)).toEqual([]);
        expect(await lane.violations()).toEqual([]);
      }),
  );
});

describe.concurrent('scaling', () => {
  test('SCL-1 an offering and a size in one scale enter once', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const { jobId } = granted(
        await lane.ask(server, 'scale', id, { workerCount: 2, workerOfferingId: offeringAt(3) }),
      );
      await untilIdle(server);
      expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
      const own = (await lane.transitions(id)).filter((each) => each.jobId === jobId);
      expect(own.map((each) => `${each.cause} ${each.toState}`)).toEqual(['entry Scaling', 'end Running']);
      expect(await disagreements(lane, id)).toEqual([]);
    }),
  );

  test('SCL-4 a scale that is refused while another runs ends nothing: that one completes', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const held = lane.cloud.hold('ensureMachine', 'before');
      const { jobId } = granted(await lane.ask(server, 'scale', id, { workerCount: 2 }));
      await held.reached;
      for (const input of [
        { workerCount: 99 },
        { workerCount: 3 },
        { nodeIds: ['00000000-0000-4000-8000-000000000000'] },
      ]) {
        expect((await lane.ask(await lane.server(), 'scale', id, input)).ok).toBe(false);
      }
      expect(await lane.state(id)).toBe('Scaling');
      held.release();
      await untilIdle(server);
      expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
      expect(await disagreements(lane, id)).toEqual([]);
    }),
  );

  test(
    'SCL-5 an offering that a stopped cluster cannot get leaves it in Alert, and the pass finds it stopped',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        await lane.run(server, 'stop', id);
        const input = { workerOfferingId: offeringAt(4) };
        const jobId = await breakIn(
          lane,
          server,
          id,
          'scale',
          { step: 'resize-node worker-1', method: 'changeOffering' },
          input,
        );
        const own = (await lane.transitions(id)).filter((each) => each.jobId === jobId);
        expect(own.map((each) => each.toState)).toEqual(['ScalingStoppedCluster', 'Alert']);
        await lane.pass(server);
        expect(await lane.state(id)).toBe('Stopped');
        await lane.run(server, 'scale', id, input);
        expect(await disagreements(lane, id)).toEqual([]);
      }),
  );

  test('SCL-8 B003 a cluster in Alert is scaled from there, up and down', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      await breakIn(
        lane,
        server,
        id,
        'scale',
        { step: 'start-node worker-2', method: 'startMachine' },
        { workerCount: 3 },
      );
      expect(await lane.state(id)).toBe('Alert');
      expect((await lane.facts(id)).cluster.workerCount).toBe(3);
      await lane.run(server, 'scale', id, { workerCount: 2 });
      expect(await lane.state(id)).toBe('Running');
      expect(await disagreements(lane, id)).toEqual([]);
      expect((await lane.facts(id)).nodes.map((node) => `${node.role}-${node.ordinal}`)).toEqual([
        'control-1',
        'worker-1',
        'worker-2',
      ]);
    }),
  );

  test(
    'B004 a quota in the middle of a scale: size, rows and machines agree, and the rest comes when there is room',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        lane.cloud.fault = { step: 'build-node worker-3', kind: 'refuse', error: 'quota', method: 'ensureMachine' };
        const { jobId } = granted(await lane.ask(server, 'scale', id, { workerCount: 3 }));
        await untilIdle(server);
        lane.cloud.fault = undefined;
        expect((await lane.job(jobId)).message).toMatch(/^Build worker-3: the cloud answered/);
        const { cluster, nodes } = await lane.facts(id);
        expect({ state: cluster.state, size: cluster.workerCount, rows: nodes.length }).toEqual({
          state: 'Alert',
          size: 3,
          rows: 4,
        });
        await lane.pass(server);
        expect(await lane.state(id)).toBe('Alert');
        await lane.run(server, 'scale', id, { workerCount: 3 });
        expect(await disagreements(lane, id)).toEqual([]);
        expect(new Set((await lane.facts(id)).nodes.map((node) => node.name)).size).toBe(4);
      }),
  );
});

describe.concurrent('added machines', () => {
  test('ADD-2 a machine that cannot be added is given back, the cluster is Running and the others stay', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const facts = await lane.facts(id);
      const [first, second] = [foreignMachine(facts, lane), foreignMachine(facts, lane)];
      const machineIds = [first, second].flatMap((each) => each['machineIds'] as string[]);
      lane.cloud.fault = { step: 'import-node worker-3', kind: 'refuse', error: 'denied', method: 'restoreMachine' };
      const { jobId } = granted(await lane.ask(server, 'add-nodes', id, { machineIds, wipeConfirmed: true }));
      await untilIdle(server);
      lane.cloud.fault = undefined;
      expect((await lane.job(jobId)).message).toContain('was given back; machines that were added stay');
      expect((await lane.facts(id)).cluster).toMatchObject({ state: 'Running', workerCount: 2 });
      expect(lane.machineOf(machineIds[1] ?? '')).toMatchObject({ isoId: null, state: 'running' });
      const own = (await lane.transitions(id)).filter((each) => each.jobId === jobId);
      expect(own.map((each) => each.toState)).toEqual(['Importing', 'Running']);
    }),
  );

  test(
    'ADD-2 B002 a machine that never becomes Ready is given back when its time is over, and the reason says so',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        const input = foreignMachine(await lane.facts(id), lane);
        const [machineId = ''] = input['machineIds'] as string[];
        lane.control.neverJoins(machineId);
        const { jobId } = granted(await lane.ask(server, 'add-nodes', id, input));
        await lane.until(async () => {
          const [row] = await lane.sql<
            { message: string | null }[]
          >`select message from job_steps where job_id = ${jobId}`;
          return row?.message?.includes('waiting until it is Ready') === true;
        });
        lane.clock.jump(3_000_001);
        await untilIdle(server);
        expect((await lane.job(jobId)).message).toMatch(/did not get Ready\. .* was given back/);
        expect((await lane.facts(id)).nodes).toHaveLength(2);
        expect(lane.machineOf(machineId)).toMatchObject({ isoId: null, userData: expect.not.stringMatching(/token/) });
      }),
  );

  test('ADD-3 removing enters RemovingNodes, keeps the machine, and is refused from other states', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      await lane.run(server, 'add-nodes', id, foreignMachine(await lane.facts(id), lane));
      const added = (await lane.facts(id)).nodes.filter((node) => node.external);
      const input = { nodeIds: added.map((node) => node.id) };
      const job = await lane.run(server, 'remove-nodes', id, input);
      const own = (await lane.transitions(id)).filter((each) => each.jobId === job.id);
      expect(own.map((each) => each.toState)).toEqual(['RemovingNodes', 'Running']);
      expect(lane.machineOf(added[0]?.machineId ?? '')).toMatchObject({ state: 'running', isoId: null });
      expect(byState('remove-nodes', 'Stopped').kind).toBe('refused');
      expect(await disagreements(lane, id)).toEqual([]);
    }),
  );

  test.each(['setUserData', 'ensureIso', 'restoreMachine'])(
    'B008 a machine whose adding broke off after %s is removed, and removing it again says it is gone',
    limit,
    (method) =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        const input = foreignMachine(await lane.facts(id), lane);
        const [machineId = ''] = input['machineIds'] as string[];
        const doomed = await lane.server();
        const held = lane.cloud.hold(method, 'after');
        granted(await lane.ask(doomed, 'add-nodes', id, input));
        await held.reached;
        await doomed.die();
        await lane.pass(server);
        await lane.pass(server);
        const [joining] = (await lane.facts(id)).nodes.filter((node) => node.external);
        expect(joining).toMatchObject({ machineId });
        const nodeIds = [joining?.id];
        await lane.run(server, 'remove-nodes', id, { nodeIds });
        expect(lane.machineOf(machineId)).toMatchObject({ isoId: null, userData: expect.not.stringMatching(/token/) });
        expect(await disagreements(lane, id)).toEqual([]);
        expect((await lane.ask(server, 'remove-nodes', id, { nodeIds })).ok).toBe(false);
        expect(await lane.state(id)).toBe('Running');
        held.release();
        await untilIdle(doomed);
        expect(await lateEffects(lane, id)).toEqual([]);
        expect(await lane.violations()).toEqual([]);
      }),
  );

  test(
    'B007 a cluster with an added machine is stopped, started, scaled up and down; that machine is never chosen',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        const input = foreignMachine(await lane.facts(id), lane);
        const [machineId = ''] = input['machineIds'] as string[];
        await lane.run(server, 'add-nodes', id, input);
        await lane.run(server, 'stop', id);
        expect(lane.machineOf(machineId)?.state).toBe('stopped');
        await lane.run(server, 'start', id);
        await lane.run(server, 'scale', id, { workerCount: 4 });
        await lane.run(server, 'scale', id, { workerCount: 2 });
        expect((await lane.facts(id)).nodes.filter((node) => node.external).map((node) => node.machineId)).toEqual([
          machineId,
        ]);
        expect(await disagreements(lane, id)).toEqual([]);
      }),
  );
});

describe.concurrent('deleting', () => {
  test('OUT-2 ENT-9 two retries of a delete at the same moment: one goes ahead, and completes it', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      await breakIn(lane, server, id, 'delete', { step: 'release-network', method: 'deleteNetwork' });
      expect(await lane.state(id)).toBe('Destroying');
      const other = await lane.server();
      const request = { kind: 'delete', clusterId: id, input: {}, note: null } as const;
      const [one, two] = together([server.worker, other.worker]);
      const answers = await Promise.all([
        acceptOperation(one ?? server.worker, ana, request),
        acceptOperation(two ?? other.worker, ben, request),
      ]);
      expect(answers.map((answer) => answer.ok).toSorted()).toEqual([false, true]);
      await Promise.all([untilIdle(server), untilIdle(other)]);
      const { cluster } = await lane.facts(id);
      expect(cluster.state).toBe('Destroyed');
      expect(leftOf(lane, cluster)).toEqual([]);
      expect(await lane.violations()).toEqual([]);
    }),
  );

  test('OUT-3 two starts of a cluster in Error at the same moment: one goes ahead', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await createInError(lane, server);
      const other = await lane.server();
      const request = { kind: 'start', clusterId: id, input: {}, note: null } as const;
      const [one, two] = together([server.worker, other.worker]);
      const answers = await Promise.all([
        acceptOperation(one ?? server.worker, ana, request),
        acceptOperation(two ?? other.worker, ben, request),
      ]);
      expect(answers.map((answer) => answer.ok).toSorted()).toEqual([false, true]);
      await Promise.all([untilIdle(server), untilIdle(other)]);
      await lane.pass(server);
      expect(await lane.state(id)).toBe('Running');
      expect(await lateEffects(lane, id)).toEqual([]);
      expect(await lane.violations()).toEqual([]);
    }),
  );

  test(
    'B010 a delete is refused before anything is lost while a machine of others is in the network, and names it',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        const input = foreignMachine(await lane.facts(id), lane);
        const [machineId = ''] = input['machineIds'] as string[];
        await lane.run(server, 'add-nodes', id, input);
        const name = lane.machineOf(machineId)?.name ?? '';
        const machines = lane.control.inventory().machines;
        const added = await lane.ask(server, 'delete', id);
        expect(added).toMatchObject({ ok: false, refusal: { message: expect.stringContaining(name) } });
        expect(lane.control.inventory().machines).toEqual(machines);
        expect(await lane.state(id)).toBe('Running');
        const { nodes } = await lane.facts(id);
        await lane.run(server, 'remove-nodes', id, {
          nodeIds: nodes.filter((node) => node.external).map((node) => node.id),
        });
        expect((await lane.ask(server, 'delete', id)).ok).toBe(false);
        lane.control.destroyMachine(machineId);
        await lane.run(server, 'delete', id);
        expect(leftOf(lane, (await lane.facts(id)).cluster)).toEqual([]);
      }),
  );

  test(
    'B010 a blocker that comes while a delete runs: it stays Destroying, keeps the machine, and ends when it is gone',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        const held = lane.cloud.hold('destroyMachine', 'before');
        const { jobId } = granted(await lane.ask(server, 'delete', id));
        await held.reached;
        const [machineId = ''] = foreignMachine(await lane.facts(id), lane)['machineIds'] as string[];
        held.release();
        await untilIdle(server);
        expect((await lane.job(jobId)).message).toContain(lane.machineOf(machineId)?.name);
        expect(await lane.state(id)).toBe('Destroying');
        expect(lane.machineOf(machineId)).toBeDefined();
        expect(isOperationState(await lane.state(id))).toBe(false);
        lane.control.destroyMachine(machineId);
        await lane.run(server, 'delete', id);
        expect(leftOf(lane, (await lane.facts(id)).cluster)).toEqual([]);
      }),
  );

  test.each([
    ['a worker', ['worker-1']],
    ['the control node', ['control-1']],
    ['every machine', ['control-1', 'worker-1']],
  ] as const)('B013 %s is gone already: the delete goes through', limit, (_which, places) =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const { nodes } = await lane.facts(id);
      for (const node of nodes.filter((each) => places.some((place) => place === `${each.role}-${each.ordinal}`))) {
        lane.control.destroyMachine(node.machineId ?? '');
      }
      await lane.run(server, 'delete', id);
      expect(leftOf(lane, (await lane.facts(id)).cluster)).toEqual([]);
      expect(await lane.violations()).toEqual([]);
    }),
  );
});

describe.concurrent('starting', () => {
  test.each([
    ['some', 1],
    ['all', 2],
  ] as const)(
    'B044 %s machines of a stopped cluster run already: its start counts them at once',
    limit,
    (_some, count) =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server);
        await lane.run(server, 'stop', id);
        const { nodes } = await lane.facts(id);
        for (const node of nodes.slice(0, count)) lane.control.startMachine(node.machineId ?? '');
        await lane.run(server, 'start', id);
        expect(await disagreements(lane, id)).toEqual([]);
      }),
  );

  test(
    'B002 a create whose API never answers ends in Error, names the wait, and its delete leaves nothing',
    limit,
    () =>
      lanes.use(async ({ lane, server }) => {
        const held = lane.cloud.hold('startMachine', 'before');
        const { clusterId, jobId } = await lane.beginCreate(server);
        await held.reached;
        for (const machine of lane.control.world.machines.values()) lane.control.neverJoins(machine.id);
        held.release();
        await lane.until(async () => (await lane.job(jobId)).currentStep === 'Wait for the Kubernetes API');
        lane.clock.jump(1_800_001);
        await untilIdle(server);
        const job = await lane.job(jobId);
        expect(job).toMatchObject({ status: 'failed', currentStep: 'Wait for the Kubernetes API' });
        expect(job.message).toMatch(
          /^Wait for the Kubernetes API: the Kubernetes API at .*:6443 did not answer in time\.$/,
        );
        expect(await lane.state(clusterId)).toBe('Error');
        await lane.run(server, 'delete', clusterId);
        expect(leftOf(lane, (await lane.facts(clusterId)).cluster)).toEqual([]);
      }),
  );

  test('B031 a node that never joined is scaled away without a drain', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const held = lane.cloud.hold('startMachine', 'before');
      const { jobId } = granted(await lane.ask(server, 'scale', id, { workerCount: 2 }));
      await held.reached;
      for (const machine of lane.control.world.machines.values())
        lane.control.neverJoins(machine.id, machine.state !== 'running');
      held.release();
      await lane.until(async () => {
        const [row] = await lane.sql<{ message: string | null }[]>`
          select message from job_steps where job_id = ${jobId} and name = 'wait-nodes'`;
        return row?.message === '2 of 3 nodes are Ready';
      });
      lane.clock.jump(3_000_001);
      await untilIdle(server);
      expect((await lane.job(jobId)).message).toContain('not Ready in time: worker-2');
      await lane.run(server, 'scale', id, { workerCount: 1 });
      expect(await disagreements(lane, id)).toEqual([]);
    }),
  );

  test('B031 a dead node is scaled away without waiting for its pods', limit, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server, { workerCount: 2 });
      const dead = (await lane.facts(id)).nodes.find((node) => node.role === 'worker' && node.ordinal === 2);
      lane.control.kubeletDown(dead?.machineId ?? '');
      await lane.run(server, 'scale', id, { workerCount: 1 });
      expect(await disagreements(lane, id)).toEqual([]);
    }),
  );
});
