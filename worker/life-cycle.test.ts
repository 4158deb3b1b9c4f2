import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listVersions } from '@/db/catalogue';
import { decisionFacts } from '@/db/clusters';
import { memoryIds } from '@/infrastructure/memory/catalogue';
import { createMemoryCloud, type MemoryCloud } from '@/infrastructure/memory/create-memory-cloud';
import { type TestDatabase, testDatabase } from '@/test/support/database';
import { ana } from '@/test/support/fixtures';
import { violations } from '@/test/support/invariants';
import { type TestServer, testServer, untilIdle } from '@/test/support/server';
import { acceptOperation } from './accept';
import { acceptCreate } from './accept-create';
import { refreshCatalogue } from './catalogue';

let database: TestDatabase;
let memory: MemoryCloud;
let server: TestServer;

// A database each: the memory cloud counts its ids anew, and a machine is a node of one cluster only.
beforeEach(async () => {
  database = await testDatabase();
  memory = createMemoryCloud();
  server = await testServer(database.url, memory);
  await refreshCatalogue(server.worker, AbortSignal.timeout(5_000));
});

afterEach(async () => {
  expect(await violations(server.handle.sql)).toEqual([]);
  await server.close();
  await database.close();
});

async function create(name: string, more: Record<string, unknown> = {}): Promise<string> {
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
      ...more,
    },
    idempotencyKey: randomUUID(),
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  await untilIdle(server);
  return answer.value.clusterId;
}

async function ask(kind: 'start' | 'stop' | 'delete', clusterId: string) {
  const answer = await acceptOperation(server.worker, ana, { kind, clusterId, input: {}, note: null });
  await untilIdle(server);
  return answer;
}

async function stateOf(clusterId: string) {
  return (await decisionFacts(server.worker.db, clusterId))?.asRead.state;
}

async function lastJob(clusterId: string) {
  const [row] = await server.handle.sql<{ kind: string; status: string; message: string | null }[]>`
    select kind, status, message from jobs where cluster_id = ${clusterId} order by accepted_at desc limit 1`;
  return row;
}

describe('the main job', () => {
  test('a cluster is created, stopped, started and deleted, and nothing is left of it in the cloud', async () => {
    const id = await create('alpha');
    expect(await lastJob(id)).toMatchObject({ kind: 'create', status: 'succeeded', message: null });
    expect(await stateOf(id)).toBe('Running');
    expect(memory.control.inventory().nodes).toHaveLength(3);

    expect((await ask('stop', id)).ok).toBe(true);
    expect(await lastJob(id)).toMatchObject({ kind: 'stop', status: 'succeeded', message: null });
    expect(await stateOf(id)).toBe('Stopped');

    expect((await ask('start', id)).ok).toBe(true);
    expect(await lastJob(id)).toMatchObject({ kind: 'start', status: 'succeeded', message: null });
    expect(await stateOf(id)).toBe('Running');

    expect((await ask('delete', id)).ok).toBe(true);
    expect(await lastJob(id)).toMatchObject({ kind: 'delete', status: 'succeeded', message: null });
    expect(await stateOf(id)).toBe('Destroyed');
    const { nodes: _nodes, ...left } = memory.control.inventory();
    expect(left).toEqual({ machines: [], networks: [], addresses: [], rules: [], firewallRules: 0 });
  });

  test('without start now a cluster rests in Created, costs nothing, and is built by its start', async () => {
    const id = await create('beta', { startNow: false });
    expect(await stateOf(id)).toBe('Created');
    expect(memory.control.inventory().machines).toEqual([]);
    await ask('start', id);
    expect(await lastJob(id)).toMatchObject({ kind: 'start', status: 'succeeded' });
    expect(await stateOf(id)).toBe('Running');
  });

  test('several control nodes and separate etcd nodes are built in an order in which each finds the others', async () => {
    const id = await create('gamma', {
      controlCount: 3,
      workerCount: 1,
      etcdCount: 3,
      etcdOfferingId: memoryIds.smallOffering,
    });
    expect(await lastJob(id)).toMatchObject({ kind: 'create', status: 'succeeded', message: null });
    expect(await stateOf(id)).toBe('Running');
    expect(memory.control.inventory().machines).toHaveLength(7);
  });
});
