/** A server freezes in the middle of a step, is taken for dead, and thaws when another server's operation has come and gone (issue 2, show 6). */
import { describe, expect, test } from 'vitest';
import { endOperationByHand } from '@/scanner/end-operation';
import { lateEffects } from '@/test/support/agreement';
import { ben } from '@/test/support/fixtures';
import { granted, type Lane } from '@/test/support/lane';
import { openLanes } from '@/test/support/lanes';
import { type TestServer, untilIdle } from '@/test/support/server';
import type { OperationRequest } from './accept';

const lanes = openLanes(3);

interface Freeze {
  readonly kind: OperationRequest['kind'];
  readonly input: Record<string, unknown>;
  readonly method: string;
  /** What another server does meanwhile. */
  readonly newer: readonly OperationRequest['kind'][];
}

const freezes: readonly Freeze[] = [
  { kind: 'stop', input: {}, method: 'stopMachine', newer: ['stop', 'start'] },
  { kind: 'scale', input: { workerCount: 2 }, method: 'ensureMachine', newer: ['stop', 'start'] },
  { kind: 'scale', input: { workerCount: 2 }, method: 'startMachine', newer: ['stop', 'start'] },
  { kind: 'autoscale', input: { enabled: true, minSize: 1, maxSize: 3 }, method: 'apply', newer: ['stop', 'start'] },
];

const growth = { workerCount: 2 };
const momentsBeforeWrites = [
  ['scale', 'begin record-size', growth, ['stop', 'start']],
  ['scale', 'end record-size', growth, ['stop', 'start']],
  ['scale', 'begin plan-nodes', growth, ['stop', 'start']],
  ['autoscale', 'begin record-autoscale', { enabled: true, minSize: 1, maxSize: 3 }, ['stop', 'start']],
  ['stop', 'finish', {}, ['start']],
] as const;

/** Everything recorded about a cluster, as text; a late result's own mark and event are told apart from it. */
async function everythingRecorded(lane: Lane, clusterId: string): Promise<string> {
  const rows = await lane.sql`select to_jsonb(c) as row from clusters c where id = ${clusterId}
    union all select to_jsonb(n) from nodes n where cluster_id = ${clusterId}
    union all select to_jsonb(k) - 'value' from cluster_components k where cluster_id = ${clusterId}
    union all select to_jsonb(s) - 'value' from cluster_secrets s where cluster_id = ${clusterId}
    union all select to_jsonb(t) from transitions t where cluster_id = ${clusterId}
    union all select to_jsonb(j) - 'late_result_at' from jobs j where cluster_id = ${clusterId}
    union all select to_jsonb(p) from job_steps p join jobs on jobs.id = p.job_id where jobs.cluster_id = ${clusterId}
    union all select to_jsonb(l) from job_logs l join jobs on jobs.id = l.job_id where jobs.cluster_id = ${clusterId}`;
  return rows
    .map(({ row }) => JSON.stringify(row))
    .toSorted()
    .join('\n');
}

async function expectIgnored(lane: Lane, clusterId: string, jobId: string): Promise<void> {
  const events = await lane.sql<{ result: string; summary: string }[]>`
    select result, summary from events where type = 'operation.late-result' and cluster_id = ${clusterId} and job_id = ${jobId}`;
  expect(events).toEqual([
    { result: 'ignored', summary: expect.stringMatching(/late result of server-\d+ for .* was ignored/) },
  ]);
  expect((await lane.job(jobId)).lateResultAt).not.toBeNull();
}

/** The operation on a server of its own, standing at the gate. */
async function frozenAt(lane: Lane, clusterId: string, freeze: Freeze, when: 'before' | 'after') {
  const frozen = await lane.server();
  const held = lane.cloud.hold(freeze.method, when);
  const { jobId } = granted(await lane.ask(frozen, freeze.kind, clusterId, freeze.input));
  await held.reached;
  return { frozen, held, jobId };
}

describe.concurrent('HOLD-1 HOLD-2 HOLD-7 ENT-3 ENT-4 a worker that was frozen writes nothing when it thaws, and does nothing more', () => {
  const inCalls = freezes.flatMap((freeze) =>
    (['before', 'after'] as const).map((when) => [freeze.kind, freeze.method, when, freeze] as const),
  );
  test.each(inCalls)('%s, frozen in %s %s the work', { timeout: 60_000 }, (_kind, _method, when, freeze) =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const { frozen, held, jobId } = await frozenAt(lane, id, freeze, when);
      await expectNothingAfter(lane, server, id, { ...freeze, frozen, jobId, release: held.release });
    }),
  );

  // What follows here is a write of its own, without a call that would ask for the hold before it.
  test.each(momentsBeforeWrites)('%s, frozen at %s', { timeout: 60_000 }, (kind, moment, input, newer) =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      let reach: () => void = () => undefined;
      let release: () => void = () => undefined;
      const reached = new Promise<void>((resolve) => {
        reach = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const frozen = await lane.server({
        atMoment: (now) => {
          if (now !== moment) return Promise.resolve();
          reach();
          return released;
        },
      });
      const { jobId } = granted(await lane.ask(frozen, kind, id, input));
      await reached;
      await expectNothingAfter(lane, server, id, { newer, frozen, jobId, release });
    }),
  );
});

interface Frozen {
  readonly frozen: TestServer;
  readonly jobId: string;
  readonly newer: readonly OperationRequest['kind'][];
  readonly release: () => void;
}

/** Another server recovers the cluster and works on it until it is Running again; then the frozen one thaws. */
async function expectNothingAfter(
  lane: Lane,
  server: TestServer,
  id: string,
  { frozen, jobId, newer, release }: Frozen,
): Promise<void> {
  await frozen.die();
  await lane.pass(server);
  for (const kind of newer) await lane.run(server, kind, id);
  expect(await lane.state(id)).toBe('Running');
  const before = await everythingRecorded(lane, id);
  const effects = lane.control.effects().length;

  release();
  await untilIdle(frozen);

  expect(await everythingRecorded(lane, id)).toBe(before);
  expect(lane.control.effects()).toHaveLength(effects);
  await expectIgnored(lane, id, jobId);
  expect(await lateEffects(lane, id)).toEqual([]);
  expect(await lane.violations()).toEqual([]);
  expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'server-departed' });
  expect(frozen.errors).toEqual([]);
}

describe('HOLD-1', () => {
  test('HOLD-2 ENT-4 the one call that was on its way when it froze is all that still happens, and the scanner sees it', () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const frozen = await lane.server();
      // Authorised and sent: no client can take that back, so what it does must be found and mended.
      const gate = lane.control.gate('stopMachine', { at: 'work' });
      const { jobId } = granted(await lane.ask(frozen, 'stop', id));
      await gate.reached;
      await frozen.die();
      await lane.pass(server);
      expect(await lane.state(id)).toBe('Running');
      const effects = lane.control.effects().length;
      gate.release();
      await untilIdle(frozen);
      const late = lane.control.effects().slice(effects);
      expect(late.map((effect) => effect.method)).toEqual(['stopMachine']);
      expect(late[0]?.operation).toContain(jobId);
      await expectIgnored(lane, id, jobId);
      await lane.pass(server);
      await lane.pass(server);
      expect(await lane.state(id)).toBe('Alert');
      await lane.run(server, 'start', id);
      expect(await lane.violations()).toEqual([]);
    }));

  test('HOLD-7 a worker whose operation an admin ended finds its cluster gone, and its success is ignored', () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server);
      const { held, jobId } = await frozenAt(
        lane,
        id,
        { kind: 'stop', input: {}, method: 'stopMachine', newer: [] },
        'after',
      );
      const job = await lane.job(jobId);
      const request = { clusterId: id, operationId: jobId, seenSeq: Number(job.token), reason: 'it hangs' };
      expect(await endOperationByHand(server.scanner, ben, request)).toMatchObject({
        ok: true,
        value: { becomes: 'Alert' },
      });
      const before = await everythingRecorded(lane, id);
      held.release();
      await untilIdle(lane.servers.at(-1) ?? server);
      expect(await everythingRecorded(lane, id)).toBe(before);
      expect(await lane.state(id)).toBe('Alert');
      expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'ended-by-admin' });
      await expectIgnored(lane, id, jobId);
      expect(await lane.violations()).toEqual([]);
    }));
});
