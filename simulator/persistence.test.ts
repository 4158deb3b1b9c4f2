import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CoreV1Api } from '@kubernetes/client-node';
import { afterAll, expect, test } from 'vitest';
import { controlSecret, eventually, startTestCloud, TestCloud } from './test-client';
import { apiAnswers, createCluster } from './test-cluster';

const directory = mkdtempSync(join(tmpdir(), 'simulator-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('a restart brings everything back, fails what was under way, and its clusters answer again', async () => {
  const before = await startTestCloud('127.34', { dataDirectory: directory });
  const cluster = await createCluster(before, 'kept');
  const core = cluster.config.makeApiClient(CoreV1Api);
  await core.createNamespacedConfigMap({
    namespace: 'default',
    body: { metadata: { name: 'mine' }, data: { a: 'b' } },
  });
  const id = await before.machine('half-started', cluster.networkId);
  await before.control('POST', '/gates', {
    match: { command: 'startVirtualMachine', vm: 'half-started' },
    when: 'job-before',
  });
  const start = await before.raw('startVirtualMachine', { id }, { post: true });
  await before.simulator.stop();
  expect(await apiAnswers(cluster.config)).toBeNull();

  const after = await startTestCloud('127.34', { dataDirectory: directory });
  expect(await after.job(String(start.body['jobid']))).toMatchObject({ jobstatus: 2, jobresultcode: 530 });
  expect(await after.list('listVirtualMachines', 'virtualmachine', { id })).toMatchObject([{ state: 'Stopped' }]);
  await eventually(async () => (await apiAnswers(cluster.config)) === 200);
  expect((await core.readNamespacedConfigMap({ namespace: 'default', name: 'mine' })).data).toEqual({ a: 'b' });
  const { items } = await core.listNode();
  expect(items).toHaveLength(1);
  await after.simulator.stop();
});

/** The simulated cloud as a process, so that it can be killed. */
async function startProcess(dataDirectory: string, subnet: string): Promise<{ cloud: TestCloud; child: ChildProcess }> {
  const env = {
    ...process.env,
    SIMULATOR_PORT: '0',
    SIMULATOR_CONTROL_PORT: '0',
    SIMULATOR_CONTROL_SECRET: controlSecret,
    SIMULATOR_SPEED: '0.01',
    SIMULATOR_SUBNET: subnet,
    SIMULATOR_DATA_DIR: dataDirectory,
    SIMULATOR_EXIT_WITH_PARENT: '1',
  };
  const child = spawn(process.execPath, ['--import', 'tsx', 'simulator/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { apiUrl, controlUrl } = JSON.parse(line) as { apiUrl: string; controlUrl: string };
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { cloud: new TestCloud({ apiUrl, controlUrl, stop }), child };
}

test('what was answered survives a kill', async () => {
  const killed = mkdtempSync(join(tmpdir(), 'simulator-'));
  const before = await startProcess(killed, '127.36');
  const cluster = await createCluster(before.cloud, 'killed');
  await before.cloud.machine('answered', cluster.networkId);
  before.child.kill('SIGKILL');
  await once(before.child, 'exit');
  const after = await startProcess(killed, '127.36');
  expect(await after.cloud.list('listVirtualMachines', 'virtualmachine', { name: 'answered' })).toHaveLength(1);
  await eventually(async () => (await apiAnswers(cluster.config)) === 200);
  await after.cloud.simulator.stop();
  rmSync(killed, { recursive: true, force: true });
});
