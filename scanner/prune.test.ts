import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { ana, insertCluster, insertHeldCluster, insertServer } from '@/test/support/fixtures';
import { scratchDatabase } from '@/test/support/scratch';
import type { ScannerContext } from './context';
import { prune } from './prune';
import { testScanner } from './scanner-for-tests';

const scratch = scratchDatabase();
let serverId: string;
let scanner: ScannerContext;

beforeEach(async () => {
  await scratch.sql`truncate clusters, jobs, servers, passes cascade`;
  serverId = await insertServer(scratch.sql);
  scanner = testScanner({ db: scratch.db, serverId, settings: { retentionHours: 24 } });
});

async function finishedJob(
  clusterId: string,
  daysAgo: number,
  more: { kind?: string; continues?: string; passId?: number } = {},
): Promise<string> {
  const id = randomUUID();
  await scratch.sql`insert into jobs (id, cluster_id, kind, status, server_id, actor, accepted_at, started_at, finished_at, reason, continues_job_id, ended_by_pass_id)
    values (${id}, ${clusterId}, ${more.kind ?? 'scale'}, 'failed', ${serverId}, ${JSON.stringify(ana)}::jsonb,
      now() - ${daysAgo} * interval '1 day', now() - ${daysAgo} * interval '1 day', now() - ${daysAgo} * interval '1 day', 'step-failed',
      ${more.continues ?? null}, ${more.passId ?? null})`;
  return id;
}

const keptJobs = async () => (await scratch.sql<{ id: string }[]>`select id from jobs`).map((row) => row.id).sort();

it('finished jobs past retention go, a cluster’s last of each kind stays', async () => {
  const cluster = await insertCluster(scratch.sql, { state: 'Running' });
  await finishedJob(cluster.id, 9);
  const last = await finishedJob(cluster.id, 8);
  const lastOther = await finishedJob(cluster.id, 9, { kind: 'upgrade' });
  expect(await prune(scanner)).toMatchObject({ jobs: 1 });
  expect(await keptJobs()).toEqual([last, lastOther].sort());
});

it('what a page or a resume refers to stays', async () => {
  const cluster = await insertCluster(scratch.sql, { state: 'Alert' });
  const referred = await finishedJob(cluster.id, 9);
  const continued = await finishedJob(cluster.id, 8);
  const resume = await finishedJob(cluster.id, 7, { continues: continued });
  await scratch.sql`update clusters set attention = ${JSON.stringify({ code: 'operation-failed', text: 'x', jobId: referred, at: '' })}::jsonb where id = ${cluster.id}`;
  await prune(scanner);
  expect(await keptJobs()).toEqual([referred, continued, resume].sort());
});

it('OUT-8 a job in progress is never pruned, however old, and recovery still finds it', async () => {
  const held = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId });
  await scratch.sql`update jobs set accepted_at = now() - interval '1 year', started_at = now() - interval '1 year'`;
  await prune(scanner);
  expect(await keptJobs()).toEqual([held.hold.jobId]);
});

it('old passes go with their decisions; one that a job names as what ended it stays', async () => {
  const cluster = await insertCluster(scratch.sql, { state: 'Alert' });
  const insert = async (days: number) => {
    const [row] = await scratch.sql<
      { id: number }[]
    >`insert into passes (mode, trigger, actor_name, server_id, status, started_at, finished_at)
      values ('apply', 'cron', 'cron', ${serverId}, 'done', now() - ${days} * interval '1 day', now()) returning id::int`;
    return row?.id ?? 0;
  };
  await insert(8);
  const named = await insert(8);
  const fresh = await insert(6);
  await finishedJob(cluster.id, 1, { passId: named });
  expect(await prune(scanner)).toMatchObject({ passes: 1 });
  const kept = await scratch.sql<{ id: number }[]>`select id::int from passes order by id`;
  expect(kept.map((row) => row.id)).toEqual([named, fresh]);
});
