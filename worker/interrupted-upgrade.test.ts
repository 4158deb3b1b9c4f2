/** An upgrade of five nodes breaks at each of them (issue 3, show 5): nothing but its resume makes the cluster Running. */
import { describe, expect, test } from 'vitest';
import { listVersions } from '@/db/catalogue';
import { placeName } from '@/domain/plan-steps';
import { disagreements, lateEffects } from '@/test/support/agreement';
import { granted, type Lane, offeringAt, versionAt } from '@/test/support/lane';
import { openLanes } from '@/test/support/lanes';
import { type TestServer, untilIdle } from '@/test/support/server';
import { foreignMachine } from '../test/faults/operations';

const lanes = openLanes(3);
const places = ['control-1', 'worker-1', 'worker-2', 'worker-3', 'worker-4'] as const;
const target = versionAt(1);

describe.concurrent('OUT-7 an upgrade that breaks', () => {
  test.each(places)(
    'OUT-7 at %s is resumed there, and until then no way leads to Running',
    { timeout: 60_000 },
    (broken) =>
      lanes.use(async ({ lane, server }) => {
        const id = await lane.create(server, { workerCount: 4 });
        const jobId = await breakUpgrade(lane, server, id, broken);
        const done = places.slice(0, places.indexOf(broken));
        expect(await upgraded(lane, id)).toEqual(done);
        expect((await lane.job(jobId)).message).toMatch(new RegExp(`^Upgrade ${broken}: `));
        expect((await lane.facts(id)).version).toBe(versionAt(0));

        if (done.length > 0) await expectNoWayToRunning(lane, server, id);

        const { jobId: resumed } = granted(
          await lane.ask(server, 'upgrade', id, await upgradeInput(lane), { continuesJobId: jobId }),
        );
        await untilIdle(server);
        expect(await lane.job(resumed)).toMatchObject({ status: 'succeeded', message: null });
        const steps = await lane.sql<{ name: string }[]>`
        select name from job_steps where job_id = ${resumed} and name like 'upgrade-node %' order by ordinal`;
        expect(steps.map(({ name }) => name)).toEqual(
          places.filter((place) => !done.includes(place)).map((place) => `upgrade-node ${place}`),
        );
        expect(await lane.state(id)).toBe('Running');
        expect((await lane.facts(id)).version).toBe(target);
        expect(await upgraded(lane, id)).toEqual(places);
        expect(await disagreements(lane, id)).toEqual([]);
        expect(await lateEffects(lane, id)).toEqual([]);
        expect(await lane.violations()).toEqual([]);
        expect(server.errors).toEqual([]);
      }),
  );

  test('OUT-7 after its server died, the passes leave it in Alert, and it is resumed', { timeout: 60_000 }, () =>
    lanes.use(async ({ lane, server }) => {
      const id = await lane.create(server, { workerCount: 2 });
      const doomed = await lane.server({
        atMoment: (moment) =>
          moment === 'end upgrade-node worker-1' ? new Promise(() => undefined) : Promise.resolve(),
      });
      const { jobId } = granted(await lane.ask(doomed, 'upgrade', id, await upgradeInput(lane)));
      await lane.until(async () => (await upgraded(lane, id)).includes('worker-1'));
      await doomed.die();
      for (let pass = 0; pass < 3; pass += 1) await lane.pass(server);
      expect(await lane.state(id)).toBe('Alert');
      await lane.run(server, 'upgrade', id, await upgradeInput(lane));
      expect(await upgraded(lane, id)).toEqual(['control-1', 'worker-1', 'worker-2']);
      expect(await disagreements(lane, id)).toEqual([]);
      expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'server-departed' });
      expect(await lane.violations()).toEqual([]);
    }),
  );
});

async function upgradeInput(lane: Lane) {
  const version = (await listVersions(lane.handle.db)).find((each) => each.version === target);
  return { kubernetesVersionId: version?.id };
}

async function breakUpgrade(lane: Lane, server: TestServer, id: string, broken: string): Promise<string> {
  lane.cloud.fault = { step: `upgrade-node ${broken}`, kind: 'refuse', error: 'refused', method: 'apply' };
  const { jobId } = granted(await lane.ask(server, 'upgrade', id, await upgradeInput(lane)));
  await untilIdle(server);
  lane.cloud.fault = undefined;
  expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'step-failed' });
  expect(await lane.state(id)).toBe('Alert');
  return jobId;
}

/** By the cluster's own API, in the order of the places. */
async function upgraded(lane: Lane, id: string): Promise<readonly string[]> {
  const [{ nodes }, api] = [await lane.facts(id), await lane.api(id)];
  return nodes.filter((node) => api?.nodes.get(node.name)?.version === target).map(placeName);
}

/** Start, a change of offering, autoscaling, adding a node, stop and start, and the scanner: each is tried, none ends in Running. */
async function expectNoWayToRunning(lane: Lane, server: TestServer, id: string): Promise<void> {
  const neverRunning = async () => {
    const ways = (await lane.transitions(id)).slice(4);
    expect(ways.filter((way) => way.toState === 'Running')).toEqual([]);
    expect(await lane.state(id)).toBe('Alert');
  };
  const attempt = async (kind: 'start' | 'scale' | 'autoscale', input: Record<string, unknown> = {}) => {
    const { jobId } = granted(await lane.ask(server, kind, id, input));
    await untilIdle(server);
    expect(await lane.job(jobId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('mixed versions'),
    });
    await neverRunning();
  };
  await attempt('start');
  await attempt('scale', { workerOfferingId: offeringAt(1) });
  await attempt('autoscale', { enabled: true, minSize: 1, maxSize: 5 });
  expect(await lane.ask(server, 'add-nodes', id, foreignMachine(await lane.facts(id), lane))).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('mixed versions') },
  });
  await lane.run(server, 'stop', id);
  await attempt('start');
  for (let pass = 0; pass < 3; pass += 1) await lane.pass(server);
  await neverRunning();
}
