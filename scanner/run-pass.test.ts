import { beforeEach, describe, expect, it } from 'vitest';
import { legacyGateCard } from '@/db/queries/legacy-gate';
import type { Reader } from '@/db/queries/reader';
import { listPasses, passDetail, passStrip } from '@/db/queries/recovery';
import { recoveryHealth } from '@/db/queries/recovery-health';
import { serverDetail } from '@/db/queries/server-detail';
import { listServers } from '@/db/queries/servers';
import { type Actor, cronActor } from '@/domain/actor';
import {
  ana,
  backdateBeat,
  beatMs,
  ben,
  departNow,
  insertCluster,
  insertHeldCluster,
  insertLegacyJob,
  insertServer,
  leaseMs,
} from '@/test/support/fixtures';
import { clusterRow } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import type { ScannerContext } from './context';
import { runPass } from './run-pass';
import { testScanner } from './scanner-for-tests';

const scratch = scratchDatabase();
let serverId: string;
let scanner: ScannerContext;
const apply = { mode: 'apply', trigger: 'test', actor: ana } as const;
const byCron = { mode: 'apply', trigger: 'cron', actor: cronActor } as const;

beforeEach(async () => {
  await scratch.sql`truncate clusters, jobs, servers, passes cascade`;
  serverId = await insertServer(scratch.sql);
  scanner = testScanner({ db: scratch.db, serverId });
});

const readerOf = (actor: Actor): Reader => ({ actor, serverId, beatMs, leaseMs, cronPeriodMs: 5_000 });

async function passId(request: typeof apply | typeof byCron = apply): Promise<number> {
  const outcome = await runPass(scanner, request);
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return outcome.report.id;
}

describe('a pass never overlaps itself', () => {
  it('of twenty at once, from two servers, those that ran did so one after the other and the rest name one of them', async () => {
    const other = testScanner({ db: scratch.another().db, serverId: await insertServer(scratch.sql) });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => runPass(index % 2 === 0 ? scanner : other, apply)),
    );
    const ran = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.report.id] : []));
    const turnedAway = outcomes.flatMap((outcome) => (outcome.kind === 'already-running' ? [outcome.passId] : []));
    expect(ran.length + turnedAway.length).toBe(20);
    expect(turnedAway.length).toBeGreaterThan(0);
    for (const id of turnedAway) expect(ran).toContain(id);
    const overlaps = await scratch.sql`select 1 from passes a join passes b on a.id < b.id
      and tstzrange(a.started_at, a.ownership_done_at) && tstzrange(b.started_at, b.ownership_done_at)`;
    expect(overlaps).toHaveLength(0);
  });

  it('a second caller is told the id of the one that runs, and nothing is done', async () => {
    const other = await insertServer(scratch.sql);
    const [row] =
      await scratch.sql`insert into passes (mode, trigger, actor_name, server_id) values ('apply', 'cron', 'cron', ${other}) returning id`;
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Scaling',
      serverId: await insertServer(scratch.sql, { state: 'departed' }),
    });
    expect(await runPass(scanner, apply)).toEqual({ kind: 'already-running', passId: Number(row?.['id']) });
    expect((await clusterRow(scratch.sql, cluster.id)).state).toBe('Scaling');
  });

  it('a pass whose server has departed is closed as interrupted, and the next one runs', async () => {
    const dead = await insertServer(scratch.sql);
    await scratch.sql`insert into passes (mode, trigger, actor_name, server_id, cloud) values ('apply', 'cron', 'cron', ${dead}, 'running')`;
    await backdateBeat(scratch.sql, dead, leaseMs + 1_000);
    expect(await runPass(scanner, apply)).toMatchObject({ kind: 'done', report: { counts: { departed: 1 } } });
    expect(await scratch.sql`select status from passes order by id`).toMatchObject([
      { status: 'interrupted' },
      { status: 'done' },
    ]);
  });

  it('a pass that this boot left open after an error does not hold back the next', async () => {
    await scratch.sql`insert into passes (mode, trigger, actor_name, server_id) values ('apply', 'cron', 'cron', ${serverId})`;
    expect(await runPass(scanner, apply)).toMatchObject({ kind: 'done' });
  });

  it('a server that is stopping runs none', async () => {
    await scanner.worker.running.stopAll(0);
    expect(await runPass(scanner, apply)).toMatchObject({ kind: 'unavailable' });
  });
});

describe('what is on record', () => {
  it('a pass that found nothing to do has its row', async () => {
    await passId();
    expect(await scratch.sql`select status, looked_at from passes`).toMatchObject([{ status: 'done', looked_at: 0 }]);
  });

  it('passes by cron do not say again what is on record, a pass by hand does', async () => {
    const other = await insertServer(scratch.sql);
    await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: other });
    const written = async (id: number) =>
      (await scratch.sql`select 1 from pass_decisions where pass_id = ${id}`).length;
    expect(await written(await passId(byCron))).toBe(1);
    expect(await written(await passId(byCron))).toBe(0);
    expect(await written(await passId(apply))).toBe(1);
    await departNow(scratch.sql, other);
    // Its recovery, and that the cloud could not be asked about the Alert it is in now.
    expect(await written(await passId(byCron))).toBe(2);
  });

  it('pages read the strip, the runs and a run as it was decided', async () => {
    const reader = readerOf(ana);
    const cluster = await insertHeldCluster(scratch.sql, {
      state: 'Upgrading',
      serverId: await insertServer(scratch.sql, { state: 'departed' }),
    });
    const id = await passId(byCron);
    await runPass(scanner, { ...apply, mode: 'preview' });
    expect(await passStrip(scratch.db, reader)).toMatchObject([{ id, recovered: 1, status: 'done', trigger: 'cron' }]);
    expect((await listPasses(scratch.db, reader, { show: 'all' })).rows).toHaveLength(2);
    expect((await listPasses(scratch.db, reader, { show: 'eventful', mode: 'apply' })).rows).toHaveLength(1);
    const detail = await passDetail(scratch.db, reader, id);
    expect(detail?.decisions[0]).toMatchObject({ clusterId: cluster.id, becomes: 'Alert', result: 'done' });
    expect(await passDetail(scratch.db, reader, 999_999)).toBeUndefined();
  });

  it('recovery is called late after three periods, with the likely reason', async () => {
    const reader = readerOf(ana);
    expect(await recoveryHealth(scratch.db, reader, true)).toMatchObject({
      isLate: true,
      lateReason: expect.stringContaining('never been let in'),
    });
    await passId(byCron);
    expect(await recoveryHealth(scratch.db, reader, true)).toMatchObject({
      isLate: false,
      lateReason: null,
      runningPassId: null,
    });
    await scratch.sql`update passes set started_at = started_at - interval '16 seconds'`;
    await passId(apply);
    expect(await recoveryHealth(scratch.db, reader, true)).toMatchObject({
      isLate: true,
      lateReason: expect.stringContaining('stopped calling'),
    });
    expect(await recoveryHealth(scratch.db, reader, false)).toMatchObject({
      lateReason: expect.stringContaining('CRON_SECRET is not set'),
    });
  });
});

describe('servers as the pages see them', () => {
  it('tells up, silent, draining and departed apart, and what each holds', async () => {
    const reader = readerOf(ana);
    const silent = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, silent, 5_000);
    const draining = await insertServer(scratch.sql, { state: 'draining' });
    const departed = await insertServer(scratch.sql, { state: 'departed' });
    await insertHeldCluster(scratch.sql, { state: 'Importing', serverId: silent });
    const list = await listServers(scratch.db, reader);
    const byId = new Map(list.servers.map((server) => [server.id, server]));
    expect(byId.get(serverId)).toMatchObject({ state: 'up', isThisOne: true, jobsHeld: 0 });
    expect(byId.get(silent)).toMatchObject({ state: 'silent', jobsHeld: 1, clustersHeld: 1 });
    expect(byId.get(draining)).toMatchObject({ state: 'draining' });
    expect(byId.get(departed)).toMatchObject({ state: 'departed', departure: 'crashed' });
    expect(list.up).toBe(1);
  });

  it('shows what recovery would do to each cluster that a server holds', async () => {
    const reader = readerOf(ben);
    await insertHeldCluster(scratch.sql, { state: 'Importing', serverId });
    await insertHeldCluster(scratch.sql, { state: 'Error', ownedBy: 'start', serverId });
    await passId();
    const detail = await serverDetail(scratch.db, reader, serverId);
    expect(detail?.held.map((work) => work.wouldBecome)).toEqual(['Running', null]);
    expect(detail?.lastPass).toMatchObject({ id: expect.any(Number) });
    expect(await serverDetail(scratch.db, reader, crypto.randomUUID())).toBeUndefined();
  });

  it('the gate says which jobs of older servers hold back what, and which an admin may end', async () => {
    const reader = readerOf(ben);
    const cluster = await insertCluster(scratch.sql, { state: 'Running' });
    const old = await insertServer(scratch.sql, { protocol: 1 });
    const named = await insertLegacyJob(scratch.sql, { serverId: old, parameters: JSON.stringify({ id: cluster.id }) });
    const unknown = await insertLegacyJob(scratch.sql, { parameters: null });
    const card = await legacyGateCard(scratch.db, reader);
    expect(card.isMixed).toBe(true);
    expect(card.holdsAll).toContain(unknown);
    expect(card.jobs.find((job) => job.id === named)).toMatchObject({ names: [{ id: cluster.id }], mayBeEnded: false });
    expect(card.jobs.find((job) => job.id === unknown)).toMatchObject({ holdsAll: true, mayBeEnded: true });
  });
});
