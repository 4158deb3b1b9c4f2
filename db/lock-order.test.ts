import { expect, test } from 'vitest';
import { operationKinds } from '@/domain/operations';
import { byState } from '@/domain/policy';
import { nextState } from '@/domain/transitions';
import { adminEnd, endWith, failed, recover, recovery, succeeded } from '@/test/support/acts';
import {
  ben,
  departNow,
  type FixtureCluster,
  insertCluster,
  insertServer,
  newEntry,
  newJob,
} from '@/test/support/fixtures';
import { type Chance, chance } from '@/test/support/random';
import { clusterRow, readAgain } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { type DatabaseHandle, openDatabase } from './client';
import { enterOperation } from './entry';
import { mayRunAgain } from './errors';
import { type Hold, whileHeld } from './holds';
import { failJobsOfDeparted } from './jobs';
import { prepareBeat } from './servers';
import { beginStep, logLine } from './steps';
import { queueStop, withdrawStop } from './waiting-stop';

const scratch = scratchDatabase();

const connectionCount = 8;
const operationsEach = 250;
/** A connection goes on this far until every situation has come about. */
const patience = 10 * operationsEach;
const clusterCount = 5;

/** What every connection sees of the others; holds stay in it after they are lost, so that late workers are many. */
interface World {
  readonly clusters: readonly FixtureCluster[];
  readonly servers: string[];
  readonly holds: Hold[];
  passRuns: boolean;
  readonly seen: Map<string, number>;
}

const count = (world: World, what: string): void => void world.seen.set(what, (world.seen.get(what) ?? 0) + 1);

/** One short thing that a server, an admin, a pass or a stranger does. Answers what came of it, for the counters. */
type Act = (world: World, handle: DatabaseHandle, random: Chance) => Promise<string>;

const enterSomething: Act = async (world, { db, sql }, random) => {
  const cluster = await lookAt(sql, random.pick(world.clusters));
  const kinds = operationKinds.filter((kind) =>
    ['enter', 'go-ahead'].includes(byState(kind, cluster.asRead.state).kind),
  );
  if (kinds.length === 0 || cluster.asRead.operationId !== null) return 'nothing to enter';
  const hold = await enterOperation(
    db,
    newEntry(cluster, random.pick(kinds.filter((kind) => kind !== 'delete')), random.pick(world.servers)),
  );
  if (hold !== undefined) world.holds.push(hold);
  return hold === undefined ? 'missed' : 'entered';
};

const writeSomething: Act = async (world, { db }, random) => {
  const hold = aHold(world, random);
  if (hold === undefined) return 'no hold';
  const written = await whileHeld(db, hold, async (tx) => {
    await beginStep(tx, hold.jobId, { name: `step ${random.below(4)}`, ordinal: 1, label: 'A step' }, 1);
    await logLine(tx, hold.jobId, { step: null, level: 'info', text: 'a line' });
  });
  return written.held ? 'written' : 'lost';
};

const endSomething: Act = async (world, { db, sql }, random) => {
  const hold = aHold(world, random);
  if (hold === undefined) return 'no hold';
  const { state } = await clusterRow(sql, hold.clusterId);
  const ending = random.pick([succeeded, failed])('start');
  const event = ending.event !== null && nextState(state, ending.event) !== undefined ? ending.event : null;
  const ended = await endWith(db, hold, { ...ending, event });
  if (ended.kind === 'handed-over') world.holds.push(ended.next);
  return ended.kind;
};

const endByAdmin: Act = async (world, { db, sql }, random) => {
  const cluster = await lookAt(sql, random.pick(world.clusters));
  const hold = world.holds.find((each) => each.jobId === cluster.asRead.operationId);
  if (hold === undefined) return 'nothing to end';
  const waitingStopId = (await clusterRow(sql, cluster.id)).next_operation_id;
  const outcome = await recover(db, adminEnd(cluster, hold, random.pick(world.servers), { waitingStopId }));
  if (outcome.kind === 'stop-took-over') world.holds.push(outcome.next);
  return outcome.kind;
};

const stopWhatStarts: Act = async (world, { db, sql }, random) => {
  const starting = await sql<
    { id: string }[]
  >`select id from clusters where state = 'Starting' and next_operation_id is null`;
  const cluster =
    world.clusters.find(({ id }) => id === starting[random.below(starting.length)]?.id) ?? random.pick(world.clusters);
  const seen = await lookAt(sql, cluster);
  return (await queueStop(db, seen.asRead, seen.name, newJob(seen.id, 'stop'))) ? 'queued' : 'refused';
};

const withdrawWhatWaits: Act = async (_world, { db, sql }, random) => {
  const waiting = await sql<
    { id: string; stop: string }[]
  >`select id, next_operation_id as stop from clusters where next_operation_id is not null`;
  if (waiting.length === 0) return 'nothing waits';
  const { id, stop } = random.pick(waiting);
  return (await withdrawStop(db, id, stop, ben)) ? 'withdrawn' : 'refused';
};

const writeAsStranger: Act = async (world, { sql }, random) => {
  const { id } = random.pick(world.clusters);
  await sql`update clusters set state = ${random.pick(['Running', 'Stopped', 'Alert', 'Scaling'] as const)} where id = ${id}`;
  return 'written';
};

const loseAServer: Act = async (world, { sql }, random) => {
  const crashed = random.pick(world.servers);
  await departNow(sql, crashed);
  const again = await insertServer(sql);
  const index = world.servers.indexOf(crashed);
  if (index >= 0) world.servers.splice(index, 1, again);
  return 'departed';
};

/** Passes never overlap (one row of `passes` is running at most), so one connection at a time runs one. */
const runAPass: Act = async (world, handle) => {
  if (world.passRuns) return 'already running';
  world.passRuns = true;
  try {
    return await pass(world, handle);
  } finally {
    world.passRuns = false;
  }
};

async function pass(world: World, { db, sql }: DatabaseHandle): Promise<string> {
  await db.transaction((tx) => failJobsOfDeparted(tx, 1));
  const [serverId] = world.servers;
  const outcomes = new Set<string>();
  for (const listed of world.clusters) {
    const cluster = await lookAt(sql, listed);
    const row = await clusterRow(sql, cluster.id);
    const [open] = await sql`select 1 from jobs where cluster_id = ${cluster.id} and status = 'in_progress'`;
    const orphan = row.operation_id !== null || nextState(row.state, 'OperationFailed') !== undefined;
    if (open !== undefined || !orphan || serverId === undefined) continue;
    const outcome = await recover(db, recovery(cluster, serverId, { waitingStopId: row.next_operation_id }));
    if (outcome.kind === 'stop-took-over') world.holds.push(outcome.next);
    outcomes.add(outcome.kind);
  }
  for (const outcome of outcomes) count(world, `runAPass: ${outcome}`);
  return 'done';
}

const beatOnce: Act = async (world, { db }, random) => prepareBeat(db, 8000)(random.pick(world.servers));

const acts = {
  enterSomething,
  writeSomething,
  endSomething,
  endByAdmin,
  stopWhatStarts,
  withdrawWhatWaits,
  writeAsStranger,
  loseAServer,
  runAPass,
  beatOnce,
};
/** Common things more often than rare ones. */
const weights: readonly (keyof typeof acts)[] = [
  ...Array<keyof typeof acts>(8).fill('enterSomething'),
  ...Array<keyof typeof acts>(6).fill('writeSomething'),
  ...Array<keyof typeof acts>(6).fill('endSomething'),
  ...Array<keyof typeof acts>(4).fill('stopWhatStarts'),
  ...Array<keyof typeof acts>(3).fill('runAPass'),
  'endByAdmin',
  ...Array<keyof typeof acts>(4).fill('withdrawWhatWaits'),
  'writeAsStranger',
  'loseAServer',
  'loseAServer',
  'beatOnce',
];

test('HOLD-5 REC-7 2000 short operations over 8 connections meet no deadlock, and every invariant holds after them', async () => {
  const seed = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_201);
  const servers = [await insertServer(scratch.sql), await insertServer(scratch.sql), await insertServer(scratch.sql)];
  const clusters: FixtureCluster[] = [];
  for (let made = 0; made < clusterCount; made += 1)
    clusters.push(await insertCluster(scratch.sql, { state: 'Stopped' }));
  const world: World = { clusters, servers, holds: [], passRuns: false, seen: new Map() };
  const handles = Array.from({ length: connectionCount }, () => openDatabase(scratch.url, { max: 1 }));
  const unexpected: unknown[] = [];
  await Promise.all(
    handles.map(async (handle, index) => {
      const random = chance(seed + index);
      for (let done = 0; done < operationsEach || (notSeen(world).length > 0 && done < patience); done += 1) {
        const name = random.pick(weights);
        try {
          count(world, `${name}: ${await acts[name](world, handle, random)}`);
        } catch (error) {
          count(world, mayRunAgain(error) ? 'deadlock' : `${name}: threw`);
          unexpected.push(error);
        }
      }
    }),
  );
  await Promise.all(handles.map((handle) => handle.close()));
  expect(unexpected, `seed ${seed}`).toEqual([]);
  expect(notSeen(world), `seed ${seed}`).toEqual([]);
});

/** A run in which a situation never came about proves nothing about it. */
const mustBeSeen = [
  'enterSomething: entered',
  'enterSomething: missed',
  'writeSomething: written',
  'writeSomething: lost',
  'endSomething: ended',
  'endSomething: lost',
  'endSomething: handed-over',
  'stopWhatStarts: queued',
  'withdrawWhatWaits: withdrawn',
  'endByAdmin: recovered',
  'runAPass: recovered',
  'runAPass: stop-took-over',
];

function notSeen(world: World): readonly string[] {
  return mustBeSeen.filter((situation) => !world.seen.has(situation));
}

async function lookAt(sql: DatabaseHandle['sql'], cluster: FixtureCluster): Promise<FixtureCluster> {
  return { ...cluster, asRead: await readAgain(sql, cluster.id) };
}

/** Mostly the newest: those are held. Now and then an old one: a worker that comes back late. */
function aHold(world: World, random: Chance): Hold | undefined {
  const recent = world.holds.slice(random.below(4) === 0 ? 0 : -clusterCount);
  return recent.length === 0 ? undefined : random.pick(recent);
}
