import { beforeEach, expect, it } from 'vitest';
import { changeDraining } from '@/db/drain';
import { endLegacyJob } from '@/db/legacy-jobs';
import { queueStop } from '@/db/waiting-stop';
import { beatMs, ben, insertHeldCluster, insertLegacyJob, insertServer, newJob } from '@/test/support/fixtures';
import { clusterRow, eventsOf, everythingOf, jobRow } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import type { ScannerContext } from './context';
import { endOperationByHand } from './end-operation';
import { testScanner } from './scanner-for-tests';

const scratch = scratchDatabase();
let serverId: string;
let scanner: ScannerContext;

beforeEach(async () => {
  await scratch.sql`truncate clusters, jobs, servers, passes cascade`;
  serverId = await insertServer(scratch.sql);
  scanner = testScanner({ db: scratch.db, serverId, runsJobs: false });
});

it('an admin ends an operation that hangs: its job, its hold and its state in one', async () => {
  const cluster = await insertHeldCluster(scratch.sql, {
    state: 'Upgrading',
    serverId: await insertServer(scratch.sql),
  });
  const request = { clusterId: cluster.id, operationId: cluster.hold.jobId, seenSeq: 1, reason: 'it hangs' };
  expect(await endOperationByHand(scanner, ben, request)).toEqual({ ok: true, value: { becomes: 'Alert' } });
  expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({
    state: 'Alert',
    operation_id: null,
    attention: { code: 'ended-by-admin' },
  });
  expect(await jobRow(scratch.sql, cluster.hold.jobId)).toMatchObject({ status: 'failed', reason: 'ended-by-admin' });
  expect(await eventsOf(scratch.sql, cluster.id)).toMatchObject([
    { type: 'operation.ended-by-admin', actor_name: 'Ben' },
  ]);
});

it('a page that shows an older token ends nothing, and the refusal leaves one event', async () => {
  const cluster = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
  const request = { clusterId: cluster.id, operationId: cluster.hold.jobId, seenSeq: 0, reason: 'it hangs' };
  const answer = await endOperationByHand(scanner, ben, request);
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'refused', reason: 'moved-on' } });
  expect((await clusterRow(scratch.sql, cluster.id)).operation_id).toBe(cluster.hold.jobId);
  expect(await eventsOf(scratch.sql, cluster.id)).toMatchObject([{ type: 'operation.refused' }]);
});

it('a start that is ended by hand gives way to the stop that waits for it', async () => {
  const cluster = await insertHeldCluster(scratch.sql, { state: 'Starting', serverId });
  const stop = newJob(cluster.id, 'stop');
  await queueStop(scratch.db, cluster.asRead, cluster.name, stop);
  const request = { clusterId: cluster.id, operationId: cluster.hold.jobId, seenSeq: 1, reason: 'it hangs' };
  expect(await endOperationByHand(scanner, ben, request)).toEqual({ ok: true, value: { becomes: 'Stopping' } });
  expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ state: 'Stopping', operation_id: stop.id });
});

it('a job of an older server is ended by hand only while its server is not heard of', async () => {
  const old = await insertServer(scratch.sql, { protocol: 1 });
  const alive = await insertLegacyJob(scratch.sql, { serverId: old, parameters: null });
  const unknown = await insertLegacyJob(scratch.sql, { parameters: null });
  const end = (jobId: string) => endLegacyJob(scratch.db, { jobId, actor: ben, reason: 'its server is gone', beatMs });
  expect(await end(alive)).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('is up') } });
  expect(await end(unknown)).toMatchObject({ ok: true });
  expect(await end(unknown)).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('ended already') },
  });
  expect(await end(crypto.randomUUID())).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
});

it('a job that records its cluster is not ended through the legacy door', async () => {
  const cluster = await insertHeldCluster(scratch.sql, {
    state: 'Scaling',
    serverId: await insertServer(scratch.sql, { state: 'departed' }),
  });
  const before = await everythingOf(scratch.sql, cluster.id);
  const answer = await endLegacyJob(scratch.db, { jobId: cluster.hold.jobId, actor: ben, reason: 'try', beatMs });
  expect(answer.ok).toBe(false);
  expect(await everythingOf(scratch.sql, cluster.id)).toBe(before);
});

it('a server is drained and undrained by hand, once each', async () => {
  const drain = (draining: boolean, id = serverId) =>
    changeDraining(scratch.db, { serverId: id, draining, actor: ben });
  expect(await drain(true)).toMatchObject({ ok: true });
  expect(await drain(true)).toMatchObject({ ok: false, refusal: { code: 'refused' } });
  expect(await drain(false)).toMatchObject({ ok: true });
  expect(await drain(true, crypto.randomUUID())).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
});
