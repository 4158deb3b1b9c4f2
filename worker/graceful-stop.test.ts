/** A server is asked to stop (SIGTERM): waits end at once, jobs end at their step boundary, and another server goes on (issue 2). */
import { expect, test } from 'vitest';
import { disagreements, lateEffects } from '@/test/support/agreement';
import { ana } from '@/test/support/fixtures';
import { granted } from '@/test/support/lane';
import { openLanes } from '@/test/support/lanes';
import { untilIdle } from '@/test/support/server';
import { acceptCreate } from './accept-create';

const lanes = openLanes(2);
const stopLimitMs = 20_000;

test.concurrent('a job that waits ends at once: failed, in Alert, with the reason, and it can be run again elsewhere', () =>
  lanes.use(async ({ lane, server }) => {
    const leaving = await lane.server();
    const held = lane.cloud.hold('startMachine', 'before');
    const { clusterId, jobId } = await lane.beginCreate(leaving);
    await held.reached;
    for (const machine of lane.control.world.machines.values()) lane.control.neverJoins(machine.id);
    held.release();
    await lane.until(async () => (await lane.job(jobId)).currentStep === 'Wait for the Kubernetes API');

    expect(await leaving.worker.running.stopAll(stopLimitMs)).toEqual({ left: [] });

    expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'server-stopping' });
    expect((await lane.job(jobId)).message).toContain(`${leaving.worker.lease.serverName} was asked to stop`);
    const [step] = await lane.sql`select status from job_steps where job_id = ${jobId} and name = 'wait-api'`;
    expect(step).toMatchObject({ status: 'stopped' });
    expect((await lane.facts(clusterId)).cluster).toMatchObject({
      state: 'Alert',
      attention: { code: 'operation-failed' },
    });

    for (const machine of lane.control.world.machines.values()) lane.control.neverJoins(machine.id, false);
    const resumed = granted(await lane.ask(server, 'start', clusterId, {}, { continuesJobId: jobId }));
    await untilIdle(server);
    expect(await lane.job(resumed.jobId)).toMatchObject({ status: 'succeeded' });
    expect(await lane.state(clusterId)).toBe('Running');
    expect(await disagreements(lane, clusterId)).toEqual([]);
    expect(await lateEffects(lane, clusterId)).toEqual([]);
    expect(await lane.violations()).toEqual([]);
  }));

test.concurrent('a call that is under way is not cut off: the job ends at the boundary after it', () =>
  lanes.use(async ({ lane }) => {
    const leaving = await lane.server();
    const held = lane.cloud.hold('ensureMachine', 'after');
    const { jobId } = await lane.beginCreate(leaving);
    await held.reached;
    expect(await leaving.worker.running.stopAll(50)).toEqual({ left: [jobId] });
    expect(await lane.job(jobId)).toMatchObject({ status: 'in_progress' });
    held.release();
    await untilIdle(leaving);
    expect(await lane.job(jobId)).toMatchObject({ status: 'failed', reason: 'server-stopping' });
    const steps = await lane.sql<{ name: string; status: string }[]>`
      select name, status from job_steps where job_id = ${jobId} order by ordinal desc limit 1`;
    expect(steps).toEqual([{ name: 'build-node control-1', status: 'done' }]);
    expect(await lane.violations()).toEqual([]);
  }));

test.concurrent('it takes no new work, and says so', () =>
  lanes.use(async ({ lane, server }) => {
    const clusterId = await lane.create(server);
    const leaving = await lane.server();
    await leaving.worker.running.stopAll(stopLimitMs);
    expect(await lane.ask(leaving, 'stop', clusterId)).toMatchObject({
      ok: false,
      refusal: { code: 'refused', reason: 'draining' },
    });
    const created = await acceptCreate(leaving.worker, ana, { input: await lane.createInput() });
    expect(created).toMatchObject({ ok: false, refusal: { code: 'unavailable' } });
    expect(await lane.state(clusterId)).toBe('Running');
    expect(await lane.violations()).toEqual([]);
  }));

test.concurrent('OUT-1 a stop that waited is handed the cluster, told at once that the server stops, and leaves it in Alert', () =>
  lanes.use(async ({ lane, server }) => {
    const leaving = await lane.server();
    const held = lane.cloud.hold('startMachine', 'before');
    const { clusterId, jobId } = await lane.beginCreate(leaving);
    await held.reached;
    const stop = granted(await lane.ask(server, 'stop', clusterId));
    const stopped = leaving.worker.running.stopAll(stopLimitMs);
    held.release();
    expect(await stopped).toEqual({ left: [] });
    expect(await lane.job(jobId)).toMatchObject({ status: 'cancelled', reason: 'handed-over' });
    expect(await lane.job(stop.jobId)).toMatchObject({ status: 'failed', reason: 'server-stopping' });
    expect(await lane.state(clusterId)).toBe('Alert');
    await lane.run(server, 'stop', clusterId);
    expect(await lane.state(clusterId)).toBe('Stopped');
    expect(await lane.violations()).toEqual([]);
  }));
