import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from './core/json';
import type { LedgerEntry } from './core/ledger';
import { eventually, startTestCloud, type TestCloud } from './test-client';

let cloud: TestCloud;
let networkId: string;
let count = 0;

beforeAll(async () => {
  cloud = await startTestCloud('127.33');
  networkId = await cloud.network('faults');
});

beforeEach(async () => {
  await cloud.control('DELETE', '/faults');
});

afterAll(async () => cloud.simulator.stop());

const nextName = (): string => {
  count += 1;
  return `target-${count}`;
};

const fault = (match: object, action: object, more: object = {}): Promise<JsonObject> =>
  cloud.control('POST', '/faults', { match, action, ...more });

async function named(name: string): Promise<JsonObject[]> {
  return cloud.list('listVirtualMachines', 'virtualmachine', { name });
}

test('a refusal strikes once and does nothing', async () => {
  const name = nextName();
  await fault({ command: 'deployVirtualMachine', vm: name }, { kind: 'refuse', code: 530 });
  await expect(cloud.machine(name, networkId)).rejects.toThrow('530');
  expect(await named(name)).toEqual([]);
  await cloud.machine(name, networkId);
});

test('an answer is lost after the work is done', async () => {
  const name = nextName();
  await fault({ command: 'deploy*', vm: name }, { kind: 'lose-answer' });
  await expect(cloud.machine(name, networkId)).rejects.toThrow();
  expect(await named(name)).toHaveLength(1);
  const { entries } = await cloud.control<{ entries: LedgerEntry[] }>('GET', '/ledger?since=0');
  const call = entries.find((entry) => entry.kind === 'call' && entry.details['name'] === name && entry.answerLost);
  expect(call).toBeDefined();
  expect(
    entries.some(
      (entry) => entry.kind === 'effect' && entry.what === 'machine created' && entry.details['name'] === name,
    ),
  ).toBe(true);
});

test('work that was done can be answered with 530', async () => {
  const name = nextName();
  await fault({ command: 'deployVirtualMachine', vm: name }, { kind: 'lose-answer', code: 530 });
  await expect(cloud.machine(name, networkId)).rejects.toThrow('530');
  expect(await named(name)).toHaveLength(1);
});

test('a connection is broken off before anything happens, from the second call on', async () => {
  const name = nextName();
  const id = await cloud.machine(name, networkId);
  await fault({ command: 'startVirtualMachine', vm: name, nth: 2 }, { kind: 'close' });
  await cloud.call('startVirtualMachine', { id });
  await expect(cloud.call('startVirtualMachine', { id })).rejects.toThrow();
});

test('a job fails late, ends wrongly, hangs, or vanishes', async () => {
  const name = nextName();
  const id = await cloud.machine(name, networkId);
  await fault({ command: 'startVirtualMachine', vm: name }, { kind: 'fail-job', code: 533 });
  await expect(cloud.call('startVirtualMachine', { id })).rejects.toThrow('533');
  expect(await named(name)).toMatchObject([{ state: 'Stopped' }]);
  await fault({ command: 'startVirtualMachine', vm: name }, { kind: 'finish-as', code: 530 });
  await expect(cloud.call('startVirtualMachine', { id })).rejects.toThrow('530');
  expect(await named(name)).toMatchObject([{ state: 'Running' }]);
  await fault({ command: 'stopVirtualMachine', vm: name }, { kind: 'job-vanishes' });
  const stop = await cloud.raw('stopVirtualMachine', { id }, { post: true });
  const jobid = String(stop.body['jobid']);
  await eventually(async () => (await cloud.raw('queryAsyncJobResult', { jobid })).status === 431);
  await eventually(async () => (await named(name))[0]?.['state'] === 'Stopped');
  await fault({ command: 'startVirtualMachine', vm: name }, { kind: 'job-hangs' });
  const start = await cloud.raw('startVirtualMachine', { id }, { post: true });
  await cloud.control('POST', '/clock', { stepMs: 60_000 });
  const waiting = await cloud.raw('queryAsyncJobResult', { jobid: String(start.body['jobid']) });
  expect(waiting.body['jobstatus']).toBe(0);
}, 10_000);

test('a deploy whose job fails leaves a machine in Error', async () => {
  const name = nextName();
  await fault({ command: 'deployVirtualMachine', vm: name }, { kind: 'fail-job', code: 533 });
  await expect(cloud.machine(name, networkId, { startvm: 'true' })).rejects.toThrow('533');
  expect(await named(name)).toMatchObject([{ state: 'Error' }]);
});

test('a gate holds a call after its work until it is released', async () => {
  const name = nextName();
  const gate = await cloud.control<{ id: string }>('POST', '/gates', {
    match: { command: 'deployVirtualMachine', vm: name },
    when: 'after',
  });
  const deploying = cloud.machine(name, networkId);
  const reached = await cloud.control<{ stands: boolean; gates: { waiting: number }[] }>(
    'GET',
    `/gates?waitFor=${gate.id}`,
  );
  expect(reached.stands).toBe(true);
  expect(await named(name)).toHaveLength(1);
  await cloud.control('POST', `/gates/${gate.id}/release`);
  await deploying;
  await cloud.control('DELETE', `/gates/${gate.id}`);
});

test('a gate inside a job holds it, and a restart of the management server fails it', async () => {
  const name = nextName();
  const id = await cloud.machine(name, networkId);
  const gate = await cloud.control<{ id: string }>('POST', '/gates', {
    match: { command: 'startVirtualMachine', vm: name },
    when: 'job-after',
  });
  const start = await cloud.raw('startVirtualMachine', { id }, { post: true });
  await cloud.control('GET', `/gates?waitFor=${gate.id}`);
  await cloud.control('POST', '/restart');
  expect(await cloud.job(String(start.body['jobid']))).toMatchObject({ jobstatus: 2, jobresultcode: 530 });
  expect(await named(name)).toMatchObject([{ state: 'Running' }]);
  await cloud.control('DELETE', `/gates/${gate.id}`);
});

test('the ledger tells who asked, and hashes secrets', async () => {
  const name = nextName();
  const { zoneid, serviceofferingid, templateid } = await cloud.catalogue();
  const { lastSequence } = await cloud.control<{ lastSequence: number }>('GET', '/ledger?since=999999');
  const parameters = {
    zoneid,
    serviceofferingid,
    templateid,
    networkids: networkId,
    name,
    startvm: 'false',
    userdata: 'c2VjcmV0',
  };
  await cloud.raw('deployVirtualMachine', parameters, { post: true, operation: 'job-1/7/create node-1' });
  const { entries } = await cloud.control<{ entries: LedgerEntry[] }>('GET', `/ledger?since=${lastSequence}`);
  const mine = entries.filter((entry) => entry.operation === 'job-1/7/create node-1');
  expect(mine.map((entry) => entry.what)).toEqual(expect.arrayContaining(['machine created', 'deployVirtualMachine']));
  expect(JSON.stringify(entries)).not.toContain('c2VjcmV0');
});

test('the control port is closed without its secret', async () => {
  expect((await fetch(`${cloud.simulator.controlUrl}/state`)).status).toBe(401);
});

test('a machine is stopped behind the back', async () => {
  const name = nextName();
  const id = await cloud.machine(name, networkId);
  await cloud.call('startVirtualMachine', { id });
  await cloud.control('POST', `/vm/${name}/stop`);
  expect(await named(name)).toMatchObject([{ state: 'Stopped' }]);
});
