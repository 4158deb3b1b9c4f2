/** Whole stories: real workers on two servers, one of which dies, over the memory cloud. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listVersions } from '@/db/catalogue';
import type { OperationKind } from '@/domain/operations';
import type { PassReport } from '@/domain/passes';
import type { CallContext } from '@/infrastructure/cloud';
import { memoryIds } from '@/infrastructure/memory/catalogue';
import { createMemoryCloud, type MemoryCloud } from '@/infrastructure/memory/create-memory-cloud';
import { type TestDatabase, testDatabase } from '@/test/support/database';
import { ana } from '@/test/support/fixtures';
import { violations } from '@/test/support/invariants';
import { clusterRow, jobsOf, pathOf } from '@/test/support/reads';
import { type TestServer, testServer, untilIdle } from '@/test/support/server';
import { acceptOperation } from '@/worker/accept';
import { acceptCreate } from '@/worker/accept-create';
import { refreshCatalogue } from '@/worker/catalogue';
import { runPass } from './run-pass';

/** The cloud as a server sees it that can be frozen: from the named call on, none of its calls goes out until it is thawed. */
function freezable(real: MemoryCloud) {
  let at: ((method: string, call: CallContext) => boolean) | undefined;
  let reached: () => void = () => undefined;
  let thaw: () => void = () => undefined;
  let frozen: Promise<void> | undefined;
  const wrapped = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (object, name, receiver) => {
        const member: unknown = Reflect.get(object, name, receiver);
        if (typeof member !== 'function' || name === 'close') return member;
        return async (call: CallContext, ...rest: unknown[]) => {
          if (frozen === undefined && at?.(String(name), call) === true) {
            frozen = new Promise((resolve) => {
              thaw = resolve;
            });
            reached();
          }
          await frozen;
          return (member as (...all: unknown[]) => unknown).call(object, call, ...rest);
        };
      },
    });
  const memory: MemoryCloud = {
    ...real,
    cloud: wrapped(real.cloud),
    connectKubernetes: (access) => wrapped(real.connectKubernetes(access)),
  };
  return {
    memory,
    freezeAt: (method: string, step: string): Promise<void> => {
      at = (name, call) => name === method && call.operation.endsWith(`/${step}`);
      return new Promise((resolve) => {
        reached = resolve;
      });
    },
    thaw: () => thaw(),
  };
}

let database: TestDatabase;
let ice: ReturnType<typeof freezable>;
let memory: MemoryCloud;
let mortal: TestServer;
let survivor: TestServer;

beforeEach(async () => {
  database = await testDatabase();
  memory = createMemoryCloud();
  ice = freezable(memory);
  mortal = await testServer(database.url, ice.memory, { name: 'server-1' });
  survivor = await testServer(database.url, memory, { name: 'server-2' });
  await refreshCatalogue(survivor.worker, AbortSignal.timeout(5_000));
});

afterEach(async () => {
  memory.control.releaseGates();
  ice.thaw();
  await Promise.all([untilIdle(mortal), untilIdle(survivor)]);
  expect(await violations(survivor.handle.sql)).toEqual([]);
  await Promise.all([mortal.close(), survivor.close()]);
  await database.close();
});

async function createOn(server: TestServer, name: string): Promise<string> {
  const version = (await listVersions(server.worker.db)).find((each) => each.version === '1.31.4');
  const answer = await acceptCreate(server.worker, ana, {
    input: {
      name,
      description: '',
      zoneId: memoryIds.zone,
      kubernetesVersionId: version?.id ?? '',
      controlCount: 1,
      workerCount: 2,
      etcdCount: 0,
      controlOfferingId: memoryIds.smallOffering,
      workerOfferingId: memoryIds.smallOffering,
      templateId: memoryIds.privateTemplate,
      networkOfferingId: memoryIds.isolatedOffering,
      rootDiskGb: 8,
      csiEnabled: true,
      protected: false,
      startNow: true,
    },
    idempotencyKey: randomUUID(),
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  return answer.value.clusterId;
}

async function askOn(server: TestServer, kind: Exclude<OperationKind, 'create'>, clusterId: string): Promise<void> {
  const answer = await acceptOperation(server.worker, ana, { kind, clusterId, input: {}, note: null });
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
}

async function pass(settings: { strayAfterMs?: number } = {}): Promise<PassReport> {
  const scanner = { ...survivor.scanner, ...settings };
  const outcome = await runPass(scanner, { mode: 'apply', trigger: 'test', actor: ana });
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  await untilIdle(survivor);
  return outcome.report;
}

const state = async (id: string) => (await clusterRow(survivor.handle.sql, id)).state;
const path = (id: string) => pathOf(survivor.handle.sql, id);

it('OUT-4 a create that dies in its last steps becomes Running only with provider and CSI driver installed', async () => {
  const reached = ice.freezeAt('apply', 'install-component cloud-provider');
  const id = await createOn(mortal, 'late');
  await reached;
  await mortal.die();
  await pass();
  expect(await path(id)).toEqual([
    'entry Created → Starting',
    'recovery Starting → Alert',
    'entry Alert → Recovering',
    'end Recovering → Running',
  ]);
  const components = await survivor.handle
    .sql`select component from cluster_components where cluster_id = ${id} and wanted and installed_at is null`;
  expect(components).toHaveLength(0);
  ice.thaw();
  await untilIdle(mortal);
  expect(await state(id)).toBe('Running');
});

it('OUT-4 while a component cannot be installed it is never Running, and the attempts back off', async () => {
  const reached = ice.freezeAt('apply', 'install-component csi-driver');
  const id = await createOn(mortal, 'stuck');
  await reached;
  await mortal.die();
  memory.control.fault({
    method: 'apply',
    step: 'install-component csi-driver',
    action: { refuse: 'refused' },
    times: 1_000,
  });
  for (let times = 0; times < 3; times += 1) await pass();
  expect(await state(id)).toBe('Alert');
  const jobs = await jobsOf(survivor.handle.sql, id);
  expect(jobs.map((job) => `${job.kind} ${job.status}`)).toEqual(['create failed', 'recover failed']);
});

it('a create that dies before any machine was made goes to Alert, never to Stopped, and a start builds it', async () => {
  const gate = memory.control.gate('ensureNetwork');
  const id = await createOn(mortal, 'early');
  await gate.reached;
  await mortal.die();
  for (let times = 0; times < 2; times += 1) await pass();
  expect(await state(id)).toBe('Alert');
  expect(await clusterRow(survivor.handle.sql, id)).toMatchObject({ health_check: { verdict: 'not-yet' } });
  gate.release();
  await untilIdle(mortal);
  await askOn(survivor, 'start', id);
  await untilIdle(survivor);
  expect(await state(id)).toBe('Running');
});

it('SCN-1 a stop that dies halfway stays in Alert while some machines run, and becomes Stopped when all are off', async () => {
  const id = await createOn(mortal, 'half');
  await untilIdle(mortal);
  const gate = memory.control.gate('stopMachine', { subject: 'control' });
  await askOn(mortal, 'stop', id);
  await gate.reached;
  await mortal.die();
  const report = await pass();
  expect(report.decisions.at(-1)).toMatchObject({
    code: 'STILL_MISSING',
    reason: expect.stringContaining('machine stopped'),
  });
  expect(await state(id)).toBe('Alert');
  gate.release();
  await untilIdle(mortal);
  const control = memory.control.inventory().machines.find((name) => name.includes('control'));
  memory.control.stopMachine(control ?? '');
  await pass();
  expect(await state(id)).toBe('Stopped');
});

it('SCN-4 a delete that dies is taken up by the next pass, and nothing is left in the cloud', async () => {
  const id = await createOn(mortal, 'gone');
  await untilIdle(mortal);
  const reached = ice.freezeAt('destroyMachine', 'destroy-node worker-2');
  await askOn(mortal, 'delete', id);
  await reached;
  await mortal.die();
  await pass();
  expect(await state(id)).toBe('Destroyed');
  ice.thaw();
  await untilIdle(mortal);
  const { nodes: _nodes, ...left } = memory.control.inventory();
  expect(left).toEqual({ machines: [], networks: [], addresses: [], rules: [], firewallRules: 0 });
});

it('a machine that a lost worker’s late call makes after all is swept', async () => {
  const gate = memory.control.gate('ensureMachine', { subject: 'worker-2' });
  const id = await createOn(mortal, 'stray');
  await gate.reached;
  await mortal.die();
  await pass();
  await askOn(survivor, 'delete', id);
  await untilIdle(survivor);
  expect(await state(id)).toBe('Destroyed');
  // Its network is gone; the cloud makes the machine all the same where it was asked to.
  gate.release();
  await untilIdle(mortal);
  for (let times = 0; times < 2; times += 1) await pass({ strayAfterMs: 0 });
  expect(memory.control.inventory().machines).toEqual([]);
});

it('OUT-7 an upgrade’s mixed versions keep it out of Running: drift is seen at once', async () => {
  const id = await createOn(survivor, 'mixed');
  await untilIdle(survivor);
  await survivor.handle.sql`update nodes set version = '1.32.1' where cluster_id = ${id} and role = 'control'`;
  await pass();
  expect(await clusterRow(survivor.handle.sql, id)).toMatchObject({
    state: 'Alert',
    attention: { code: 'drift-versions' },
  });
});

it('a machine destroyed behind our back is found by two passes', async () => {
  const id = await createOn(survivor, 'drift');
  await untilIdle(survivor);
  const worker = memory.control.inventory().machines.find((name) => name.includes('worker-2'));
  memory.control.destroyMachine(worker ?? '');
  await pass();
  expect(await state(id)).toBe('Running');
  await pass();
  expect(await state(id)).toBe('Alert');
});
