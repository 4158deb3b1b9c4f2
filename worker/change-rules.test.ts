import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryIds } from '@/infrastructure/memory/catalogue';
import { granted, Lane, offeringAt } from '@/test/support/lane';
import { type TestServer, untilIdle } from '@/test/support/server';

let lane: Lane;
let server: TestServer;

beforeAll(async () => {
  lane = await Lane.open();
  server = await lane.server();
});
afterAll(() => lane.close());

/** A machine that Holdfast did not make, in the cluster's network, of a template that may become a node. */
async function strangerIn(clusterId: string, name: string): Promise<string> {
  const { cluster } = await lane.facts(clusterId);
  return lane.control.addMachine({
    name,
    networkId: cluster.networkId ?? '',
    offeringId: offeringAt(0),
    templateId: memoryIds.template,
    zoneId: memoryIds.zone,
  });
}

test('SCL-9 a scale that would change nothing is refused as such and leaves the state alone', async () => {
  const id = await lane.create(server);
  const before = { jobs: await lane.jobs(id), transitions: await lane.transitions(id) };
  const answer = await lane.ask(server, 'scale', id, { workerCount: 1, workerOfferingId: offeringAt(0) });
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'refused', reason: 'nothing-to-do' } });
  expect({ jobs: await lane.jobs(id), transitions: await lane.transitions(id) }).toEqual(before);
  expect(await lane.state(id)).toBe('Running');
});

test('SCL-6 an autoscaler that cannot be deployed fails the Scaling, and no bounds are recorded', async () => {
  const id = await lane.create(server);
  lane.cloud.fault = { step: 'deploy-autoscaler', kind: 'refuse', error: 'refused' };
  const { jobId } = granted(await lane.ask(server, 'autoscale', id, { enabled: true, minSize: 1, maxSize: 3 }));
  await untilIdle(server);
  lane.cloud.fault = undefined;
  expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'step-failed' });
  expect((await lane.facts(id)).cluster).toMatchObject({ state: 'Alert', autoscaleEnabled: false, minSize: null });
  expect((await lane.transitions(id)).map(({ toState }) => toState).slice(-2)).toEqual(['Scaling', 'Alert']);
});

test('ADD-1 the cluster is Importing before the ISO is attached', async () => {
  const id = await lane.create(server);
  const machineId = await strangerIn(id, 'stranger-1');
  const held = lane.cloud.hold('ensureIso', 'before');
  granted(await lane.ask(server, 'add-nodes', id, { machineIds: [machineId], wipeConfirmed: true }));
  await held.reached;
  expect(await lane.state(id)).toBe('Importing');
  expect(lane.machineOf(machineId)?.isoId).toBeNull();
  held.release();
  await untilIdle(server);
  expect((await lane.facts(id)).cluster).toMatchObject({ state: 'Running', workerCount: 2 });
});

test('ADD-1 a refused add leaves nothing attached', async () => {
  const id = await lane.create(server);
  const machineId = await strangerIn(id, 'stranger-2');
  await lane.run(server, 'stop', id);
  const calls = lane.cloud.calls.length;
  const answer = await lane.ask(server, 'add-nodes', id, { machineIds: [machineId], wipeConfirmed: true });
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'refused', reason: 'needs-running' } });
  expect(lane.cloud.calls.slice(calls).filter((call) => call.changes)).toEqual([]);
  expect(lane.machineOf(machineId)?.isoId).toBeNull();
});
