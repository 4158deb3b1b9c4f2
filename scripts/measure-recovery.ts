/**
 * `npm run measure:recovery [-- --kills 10]`, with default settings (beat 2 s, lease 8 s, cron every 5 s) and the simulated cloud at its
 * usual speed: seconds from `kill -9` in the middle of a create to the committed recovery; then PostgreSQL away for 20 s under three
 * running creates. Exit code 1 when a recovery took longer than 15 s, or an outage cost anybody anything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printTable, quantile, seconds } from '../e2e/support/figures';
import { killNow, untilRecovered } from '../e2e/support/kills';
import { type OwnStack, withOwnStack } from '../e2e/support/own-stack';

const promisedMs = 15_000;
const outageMs = 20_000;
const patienceMs = 240_000;
/** As `npm run up` starts a server again that died. */
const restartAfterMs = 1_000;

interface Kill {
  readonly how: 'stays dead' | 'is started again';
  readonly step: string;
  readonly recoveredMs: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' } } });
  const options = { name: 'recovery', serverCount: 3, settings: {}, speed: 1, subnet: '127.43', fastDisk: false };
  await withOwnStack(options, async (own) => {
    const kills: Kill[] = [];
    for (let index = 0; index < Number(values.kills); index += 1) {
      const kill = await killInCreate(own, index);
      kills.push(kill);
      process.stdout.write(`kill ${index + 1} in "${kill.step}", server ${kill.how}: ${seconds(kill.recoveredMs)}\n`);
    }
    reportKills(kills);
    reportOutage(await outage(own));
  });
}

/** The instant is chance: anywhere in the create, and anywhere between two beats and two calls of cron. */
async function killInCreate({ stack, records, apis }: OwnStack, index: number): Promise<Kill> {
  const place = index % stack.servers.length;
  const server = stack.servers[place];
  const api = apis[place];
  if (server === undefined || api === undefined) throw new Error('no server');
  const { clusterId, jobId } = await api.createAccepted(`kill-${index}`, { workerCount: 2 });
  await sleep(1_000 + Math.random() * 15_000);
  const { currentStep } = await records.job(jobId);
  const how = index % 2 === 0 ? 'stays dead' : 'is started again';
  const killedAt = await killNow(records, server);
  const returning = how === 'stays dead' ? undefined : sleep(restartAfterMs).then(() => server.restart());
  const { recoveredMs } = await untilRecovered(records, jobId, killedAt, patienceMs);
  await (returning ?? server.restart());
  await apis[(place + 1) % apis.length]?.operate('delete', clusterId);
  return { how, step: currentStep ?? '', recoveredMs };
}

function reportKills(kills: readonly Kill[]): void {
  const all = kills.map(({ recoveredMs }) => recoveredMs);
  const late = all.filter((ms) => ms > promisedMs).length;
  const row = (how: string, of: readonly number[]) => [
    how,
    String(of.length),
    seconds(Math.min(...of)),
    seconds(quantile(of, 0.5)),
    seconds(quantile(of, 0.99)),
    seconds(Math.max(...of)),
  ];
  const those = (how: Kill['how']) => kills.filter((kill) => kill.how === how).map(({ recoveredMs }) => recoveredMs);
  printTable(
    ['killed server', 'kills', 'shortest', 'p50', 'p99', 'longest'],
    [row('stays dead', those('stays dead')), row('is started again', those('is started again')), row('all', all)],
  );
  process.stdout.write(
    `\nFrom kill -9 to recovered, default settings: promised ${seconds(promisedMs)}, longer: ${late} of ${all.length}.\n`,
  );
  if (late > 0) process.exitCode = 1;
}

interface Outage {
  readonly departed: number;
  readonly transitions: number;
  readonly states: readonly string[];
  readonly tookMs: number;
}

async function outage(own: OwnStack): Promise<Outage> {
  const { records, apis } = own;
  const [before] = await records.sql<{ now: Date }[]>`select clock_timestamp() as now`;
  const made = await Promise.all(
    apis.map((api, index) => api.createAccepted(`outage-${index + 1}`, { workerCount: 2 })),
  );
  await sleep(3_000);
  process.stdout.write(`\nPostgreSQL is stopped for ${seconds(outageMs)} under ${made.length} creates\n`);
  const began = Date.now();
  await own.stopDatabase();
  await sleep(outageMs);
  await own.startDatabase();
  const ends = await Promise.all(made.map(({ jobId }) => records.untilJobEnds(jobId, patienceMs)));
  const states = await Promise.all(made.map(async ({ clusterId }) => (await records.cluster(clusterId)).state));
  const since = before?.now ?? new Date(0);
  const [departed] = await records.sql<{ count: number }[]>`
    select count(*)::int as count from servers where departed_at > ${since}`;
  const [recovered] = await records.sql<{ count: number }[]>`
    select count(*)::int as count from transitions
    where cluster_id in ${records.sql(made.map(({ clusterId }) => clusterId))} and cause not in ('create', 'entry', 'end')`;
  const failed = ends.filter(({ status }) => status !== 'succeeded').length;
  return {
    departed: departed?.count ?? 0,
    transitions: (recovered?.count ?? 0) + failed,
    states,
    tookMs: Date.now() - began,
  };
}

function reportOutage({ departed, transitions, states, tookMs }: Outage): void {
  const isFine = departed === 0 && transitions === 0 && states.every((state) => state === 'Running');
  process.stdout.write(
    `Servers declared departed: ${departed}. Creates broken off: ${transitions}. Clusters: ${states.join(', ')}, ${seconds(tookMs)} after the stop. ${isFine ? 'Kept.' : 'BROKEN.'}\n`,
  );
  if (!isFine) process.exitCode = 1;
}

await main();
