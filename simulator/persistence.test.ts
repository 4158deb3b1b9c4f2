import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api } from '@kubernetes/client-node';
import { afterAll, expect, test } from 'vitest';
import { eventually, startTestCloud } from './test-client';
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
