/** Two operations are asked of one cluster at the same moment, at two servers: exactly one enters (issue 2; B001). */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listVersions } from '@/db/catalogue';
import { withdrawStop } from '@/db/waiting-stop';
import { menuOperations, operations } from '@/domain/operations';
import { byState } from '@/domain/policy';
import type { ClusterState } from '@/domain/states';
import { memoryIds } from '@/infrastructure/memory/catalogue';
import { disagreements, lateEffects } from '@/test/support/agreement';
import { together } from '@/test/support/barrier';
import { ana, ben, insertCluster, uniqueName } from '@/test/support/fixtures';
import { granted, type Lane, offeringAt, versionAt } from '@/test/support/lane';
import { openLanes } from '@/test/support/lanes';
import { type TestServer, untilIdle } from '@/test/support/server';
import { acceptOperation, type OperationRequest } from './accept';
import { acceptCreate } from './accept-create';

type Kind = (typeof menuOperations)[number];

const lanes = openLanes(3);
const states = ['Running', 'Alert', 'Created', 'Error', 'Stopped'] as const satisfies readonly ClusterState[];

/** Every ordered pair of operations that this state allows, the same one twice included. */
const pairs = states.flatMap((state) => {
  const allowed = menuOperations.filter((kind) => byState(kind, state).kind !== 'refused');
  // Settings of a Created cluster take nothing: before an entry they count, after it they are refused (SCL-3, below).
  const meets = (first: Kind, second: Kind) => isSettings(first, state) === isSettings(second, state);
  return allowed.flatMap((first) =>
    allowed.filter((second) => meets(first, second)).map((second) => [first, second, state] as const),
  );
});

function isSettings(kind: Kind, state: ClusterState): boolean {
  return byState(kind, state).kind === 'settings';
}

describe.concurrent('two requests at the same moment', () => {
  test.each(pairs)(
    'CAS-1 ENT-2 ENT-3 I10 %s and %s of a cluster in %s: one enters, the other has changed nothing',
    (first, second, state) =>
      lanes.use(async ({ lane }) => {
        const cluster = await resting(lane, state);
        const servers = [await idleServer(lane), await idleServer(lane)];
        const workers = together(servers.map((server) => server.worker));
        const calls = lane.control.calls().length;
        const asked = await Promise.all([first, second].map((kind, index) => requestFor(lane, cluster, kind, index)));
        const answers = await Promise.all(
          workers.map((worker, index) => acceptOperation(worker, index === 0 ? ana : ben, asked[index] ?? fail())),
        );

        const won = answers.findIndex((answer) => answer.ok);
        const [winner, loser] = [answers[won], answers[1 - won]];
        if (winner?.ok !== true || loser?.ok !== false) throw new Error(`one was to win: ${JSON.stringify(answers)}`);
        const kind = won === 0 ? first : second;
        const { refusal } = loser;
        expect(refusal).toMatchObject({
          code: 'conflict',
          holder: { jobId: winner.value.jobId, kind, actorName: won === 0 ? 'Ana' : 'Ben' },
        });
        expect(refusal.message).toContain(`${operations[kind].label} by ${won === 0 ? 'Ana' : 'Ben'}`);
        expect(refusal.message).toContain('Please retry');

        expect((await lane.jobs(cluster.id)).map((job) => job.id)).toEqual(
          [cluster.pastJobId, winner.value.jobId].filter((id) => id !== null),
        );
        const enters = byState(kind, state).kind === 'enter';
        expect(await lane.transitions(cluster.id)).toHaveLength(enters ? 1 : 0);
        const events = await lane.sql<
          { type: string }[]
        >`select type from events where cluster_id = ${cluster.id} order by id`;
        expect(events.map((event) => event.type).toSorted()).toEqual([
          isSettings(kind, state) ? 'cluster.settings' : 'operation.accepted',
          'operation.refused',
        ]);
        const own = `${winner.value.jobId}/`;
        const foreign = lane.control
          .calls()
          .slice(calls)
          .filter((call) => !call.operation.startsWith('-/') && !call.operation.startsWith(own));
        expect(foreign).toEqual([]);
        expect(await lane.violations()).toEqual([]);
      }),
  );
});

/** A server whose workers stop at their first moment, so that the winner holds the cluster for as long as the test looks. */
function idleServer(lane: Lane): Promise<TestServer> {
  return lane.server({ atMoment: () => new Promise(() => undefined) });
}

interface Resting {
  readonly id: string;
  readonly externalId: string;
  readonly networkId: string;
  /** The upgrade that failed, which lets an Alert cluster be upgraded. */
  readonly pastJobId: string | null;
}

/** A cluster at rest with everything that a request is checked against, and no machine behind it. */
async function resting(lane: Lane, state: ClusterState): Promise<Resting> {
  const { id } = await insertCluster(lane.sql, { state });
  const networkId = uniqueName('network');
  await lane.sql`update clusters set network_id = ${networkId}, network_owned = false, zone_id = 'zone', control_offering_id = ${offeringAt(0)},
    worker_offering_id = ${offeringAt(0)} where id = ${id}`;
  for (const [role, ordinal, external] of [
    ['control', 1, false],
    ['worker', 1, false],
    ['worker', 2, true],
  ] as const) {
    await lane.sql`insert into nodes (cluster_id, role, ordinal, name, machine_id, stage, offering_id, version, external)
      values (${id}, ${role}, ${ordinal}, ${`${role}-${ordinal}-${id}`}, ${randomUUID()}, 'ready', ${offeringAt(0)}, '1.31.4', ${external})`;
  }
  const [external] = await lane.sql<{ id: string }[]>`select id from nodes where cluster_id = ${id} and external`;
  const pastJobId = state === 'Alert' ? randomUUID() : null;
  if (pastJobId !== null) {
    await lane.sql`insert into jobs (id, cluster_id, kind, status, reason, actor, accepted_at, started_at, finished_at)
      values (${pastJobId}, ${id}, 'upgrade', 'failed', 'step-failed', ${JSON.stringify(ana)}::jsonb, now() - interval '1 hour',
        now() - interval '1 hour', now() - interval '50 minutes')`;
  }
  return { id, networkId, externalId: external?.id ?? '', pastJobId };
}

async function requestFor(lane: Lane, cluster: Resting, kind: Kind, index: number): Promise<OperationRequest> {
  return { kind, clusterId: cluster.id, input: await inputFor(lane, cluster, kind, index), note: null };
}

async function inputFor(lane: Lane, cluster: Resting, kind: Kind, index: number): Promise<Record<string, unknown>> {
  switch (kind) {
    case 'scale':
      return { workerOfferingId: offeringAt(1 + index) };
    case 'autoscale':
      return { enabled: true, minSize: 1, maxSize: 3 + index };
    case 'upgrade': {
      const versions = await listVersions(lane.handle.db);
      return { kubernetesVersionId: versions.find((each) => each.version === versionAt(1))?.id };
    }
    case 'add-nodes':
      return { machineIds: [foreignIn(lane, cluster.networkId)], wipeConfirmed: true };
    case 'remove-nodes':
      return { nodeIds: [cluster.externalId] };
    default:
      return {};
  }
}

function foreignIn(lane: Lane, networkId: string): string {
  const name = uniqueName('theirs');
  return lane.control.addMachine({
    name,
    networkId,
    offeringId: offeringAt(0),
    templateId: memoryIds.template,
    zoneId: memoryIds.zone,
  });
}

describe.concurrent('a request that is sent twice', () => {
  test('B080 one form sent to two servers at once makes one job', () =>
    lanes.use(async ({ lane }) => {
      const cluster = await resting(lane, 'Running');
      const key = randomUUID();
      const servers = [await idleServer(lane), await idleServer(lane)];
      const request: OperationRequest = {
        kind: 'stop',
        clusterId: cluster.id,
        input: {},
        note: null,
        idempotencyKey: key,
      };
      const answers = await Promise.all(
        together(servers.map((each) => each.worker)).map((worker) => acceptOperation(worker, ana, request)),
      );
      const ids = answers.map((answer) => granted(answer).jobId);
      expect(new Set(ids).size).toBe(1);
      expect(answers.map((answer) => granted(answer).repeated).toSorted()).toEqual([false, true]);
      expect(await lane.jobs(cluster.id)).toHaveLength(1);
      expect(granted(await acceptOperation(servers[0]?.worker ?? fail(), ana, request))).toMatchObject({
        jobId: ids[0],
        repeated: true,
      });
      expect(await lane.violations()).toEqual([]);
    }));

  test('B080 one create sent to two servers at once makes one cluster', () =>
    lanes.use(async ({ lane }) => {
      const name = uniqueName('twin');
      const key = randomUUID();
      const servers = [await idleServer(lane), await idleServer(lane)];
      const input = { ...(await lane.createInput()), name };
      const answers = await Promise.all(
        together(servers.map((each) => each.worker)).map((worker) =>
          acceptCreate(worker, ana, { input, idempotencyKey: key }),
        ),
      );
      expect(new Set(answers.map((answer) => granted(answer).clusterId)).size).toBe(1);
      const made = await lane.sql`select id from clusters where name = ${name}`;
      expect(made).toHaveLength(1);
      expect(await lane.violations()).toEqual([]);
    }));
});

describe.concurrent('settings of a Created cluster', () => {
  const changes = [
    ['scale', { workerCount: 3 }],
    ['autoscale', { enabled: true, minSize: 1, maxSize: 3 }],
  ] as const;
  const takers = ['start', 'stop', 'delete'] as const;
  const meetings = changes.flatMap(([kind, input]) => takers.map((taker) => [kind, taker, input] as const));

  test.each(meetings)(
    'SCL-2 SCL-3 OUT-6 a %s that was read before a %s took the cluster changes nothing',
    (kind, taker, input) =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server, { startNow: false });
        const [slow, quick] = [await idleServer(lane), await idleServer(lane)];
        const before = (await lane.facts(id)).cluster;
        const [waiting] = together([slow.worker], async () => {
          expect((await lane.ask(quick, taker, id)).ok).toBe(true);
        });
        const answer = await acceptOperation(waiting ?? fail(), ana, { kind, clusterId: id, input, note: null });
        expect(answer).toMatchObject({ ok: false, refusal: { code: 'conflict', holder: { kind: taker } } });
        const { cluster } = await lane.facts(id);
        expect(cluster).toMatchObject({
          workerCount: before.workerCount,
          autoscaleEnabled: false,
          editVersion: before.editVersion,
        });
        expect(await lane.violations()).toEqual([]);
      }),
  );

  test.each(meetings)('SCL-2 a %s that is stored before a %s counts for it, and calls no cloud', (kind, taker, input) =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server, { startNow: false });
      const [slow, quick] = [await idleServer(lane), await idleServer(lane)];
      const calls = lane.cloud.calls.length;
      const [waiting] = together([slow.worker], async () => {
        const { jobId } = granted(await lane.ask(quick, kind, id, input));
        expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded', token: null });
        expect(await lane.state(id)).toBe('Created');
        // The check before acceptance asks for headroom; no step calls anything.
        expect(lane.cloud.calls).toHaveLength(calls);
      });
      expect(
        (await acceptOperation(waiting ?? fail(), ana, { kind: taker, clusterId: id, input: {}, note: null })).ok,
      ).toBe(true);
      expect((await lane.facts(id)).cluster).toMatchObject(
        kind === 'scale' ? { workerCount: 3 } : { autoscaleEnabled: true, maxSize: 3 },
      );
      expect(await lane.violations()).toEqual([]);
    }),
  );
});

describe.concurrent('OUT-1 a stop of a cluster that is starting', () => {
  test('OUT-1 HOLD-1 waits, is the same one when asked twice, and takes over at the next step boundary', () =>
    lanes.use(async ({ lane, server }) => {
      const { start, held, clusterId } = await starting(lane, server, 'ensureMachine');
      const other = await lane.server();
      const stop = granted(await lane.ask(other, 'stop', clusterId));
      expect(stop).toMatchObject({ waiting: true, repeated: false });
      expect(granted(await lane.ask(server, 'stop', clusterId))).toMatchObject({
        jobId: stop.jobId,
        waiting: true,
        repeated: true,
      });
      expect(await lane.job(stop.jobId)).toMatchObject({ status: 'waiting', token: null });
      expect(await lane.state(clusterId)).toBe('Starting');
      held.release();
      await untilIdle(server);
      expect(await lane.job(start)).toMatchObject({ status: 'cancelled', reason: 'handed-over' });
      expect(await lane.job(stop.jobId)).toMatchObject({ status: 'succeeded' });
      expect(await lane.state(clusterId)).toBe('Stopped');
      const steps = await lane.sql<
        { name: string }[]
      >`select name from job_steps where job_id = ${start} and status = 'done' order by ordinal`;
      expect(steps.at(-1)?.name).toBe('build-node control-1');
      await lane.run(server, 'start', clusterId);
      expect(await disagreements(lane, clusterId)).toEqual([]);
      expect(await lane.violations()).toEqual([]);
    }));

  test('OUT-1 breaks off a wait at once: no time-out has to pass', () =>
    lanes.use(async ({ lane, server }) => {
      const { start, held, clusterId } = await starting(lane, server, 'startMachine');
      for (const machine of lane.control.world.machines.values()) lane.control.neverJoins(machine.id);
      held.release();
      await lane.until(async () => (await lane.job(start)).currentStep === 'Wait for the Kubernetes API');
      const { jobId } = granted(await lane.ask(await lane.server(), 'stop', clusterId));
      await untilIdle(server);
      expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
      expect(await lane.state(clusterId)).toBe('Stopped');
      const [wait] = await lane.sql`select status, error from job_steps where job_id = ${start} and name = 'wait-api'`;
      expect(wait).toMatchObject({ status: 'stopped' });
      expect(await lane.violations()).toEqual([]);
    }));

  test('OUT-1 can be withdrawn while it waits; the start then ends as ever', () =>
    lanes.use(async ({ lane, server }) => {
      const { start, held, clusterId } = await starting(lane, server, 'ensureMachine');
      const { jobId } = granted(await lane.ask(server, 'stop', clusterId));
      expect(await withdrawStop(lane.handle.db, clusterId, jobId, ana)).toBe(true);
      held.release();
      await untilIdle(server);
      expect(await lane.job(start)).toMatchObject({ status: 'succeeded' });
      expect(await lane.job(jobId)).toMatchObject({ status: 'cancelled', reason: 'withdrawn' });
      expect(await lane.state(clusterId)).toBe('Running');
      expect(await lane.violations()).toEqual([]);
    }));

  test('OUT-1 REC-4 is handed the cluster by the pass when the server of the start dies', () =>
    lanes.use(async ({ lane, server }) => {
      const doomed = await lane.server();
      const { start, held, clusterId } = await starting(lane, doomed, 'startMachine');
      const { jobId } = granted(await lane.ask(server, 'stop', clusterId));
      await doomed.die();
      await lane.pass(server);
      expect(await lane.job(start)).toMatchObject({ status: 'failed', reason: 'server-departed' });
      expect(await lane.job(jobId)).toMatchObject({ status: 'succeeded' });
      expect(await lane.state(clusterId)).toBe('Stopped');
      held.release();
      await untilIdle(doomed);
      expect(await lane.state(clusterId)).toBe('Stopped');
      expect(await lateEffects(lane, clusterId)).toEqual([]);
      expect(await lane.violations()).toEqual([]);
    }));
});

/** A create that stands in the first call of this method. */
async function starting(lane: Lane, server: TestServer, method: string) {
  const held = lane.cloud.hold(method, 'before');
  const { clusterId, jobId } = await lane.beginCreate(server);
  await held.reached;
  return { start: jobId, held, clusterId };
}

function fail(): never {
  throw new Error('there is one');
}
