/** Starts the product once for all specs: a database, the simulated cloud, three app servers of one build, a cron caller. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { isBuilt } from '../../scripts/lib-build.mjs';
import { ownSecretKey, statePath } from '../../scripts/lib-folder.mjs';
import { tryLock } from '../../scripts/lib-lock.mjs';
import { isAlive } from '../../scripts/lib-process.mjs';
import { startPostgres } from '../../scripts/postgres.mjs';
import { addTokens } from './api';
import { startControl } from './stack-control';
import { publishStack } from './stack-facts';
import { startStack } from './start-stack';

/** Short, so that recovery is seen in seconds; long enough for a busy machine to beat in time. */
const quick = {
  HOLDFAST_BEAT_MS: process.env['HOLDFAST_BEAT_MS'] ?? '500',
  HOLDFAST_LEASE_MS: process.env['HOLDFAST_LEASE_MS'] ?? '3000',
  HOLDFAST_POLL_MS: process.env['HOLDFAST_POLL_MS'] ?? '100',
  HOLDFAST_CRON_PERIOD_MS: process.env['HOLDFAST_CRON_PERIOD_MS'] ?? '1000',
};
const cloud = {
  SIMULATOR_SPEED: process.env['SIMULATOR_SPEED'] ?? '0.05',
  SIMULATOR_SUBNET: process.env['SIMULATOR_SUBNET'] ?? '127.40',
};

type Cleanup = () => Promise<unknown> | unknown;

export default async function startForSpecs(): Promise<() => Promise<void>> {
  const cleanups: Cleanup[] = [];
  const tearDown = async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  };
  try {
    await start(cleanups);
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}

async function start(cleanups: Cleanup[]): Promise<void> {
  const secretKey = ownSecretKey();
  if (!isBuilt(secretKey)) throw new Error('The build is missing or old: node scripts/test.mjs --only build,e2e');
  cleanups.push(await claimTurn());
  const folder = freshFolder(cleanups);
  const databaseUrl = await createDatabase(cleanups);
  const { facts, programs } = await startStack({
    folder,
    databaseUrl,
    secretKey,
    cronSecret: 'browser-tests-cron-secret',
    serverCount: 3,
    settings: quick,
    cloud,
    onStarted: (end) => cleanups.push(end),
  });
  const control = await startControl(programs);
  cleanups.push(control.close);
  const tokens = await onServer(databaseUrl, addTokens);
  publishStack({ ...facts, tokens, control: { url: control.url, secret: control.secret } });
}

/** The simulated cloud's addresses exist once on this machine: a second run waits for the first. */
async function claimTurn(): Promise<Cleanup> {
  const lock = tryLock(statePath('e2e.lock'));
  if ('heldBy' in lock) throw new Error(`Browser tests run in this folder already (process ${lock.heldBy}).`);
  return lock.release;
}

/** Logs of the last run stay for a look; those of earlier ones go. */
function freshFolder(cleanups: Cleanup[]): string {
  const root = statePath('e2e');
  rmSync(root, { recursive: true, force: true });
  cleanups.push(() => {
    for (const name of readdirSync(root))
      if (name === 'simulator') rmSync(join(root, name), { recursive: true, force: true });
  });
  return root;
}

/** Named like the databases of the other tests, so that whichever run comes next removes what a killed one left. */
async function createDatabase(cleanups: Cleanup[]): Promise<string> {
  const server = await testServer();
  cleanups.push(server.stop);
  const name = `test_${process.pid}_e2e`;
  await onServer(server.url, async (sql) => {
    const databases = await sql<
      { datname: string }[]
    >`select datname from pg_database where datname ~ '^test_[0-9]+_e2e$'`;
    for (const { datname } of databases) {
      if (!isAlive(Number(datname.split('_')[1]))) await sql.unsafe(`drop database if exists ${datname} with (force)`);
    }
    await sql.unsafe(`create database ${name}`);
  });
  cleanups.push(() => onServer(server.url, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`)));
  const url = new URL(server.url);
  url.pathname = name;
  return url.href;
}

async function testServer(): Promise<{ url: string; stop: Cleanup }> {
  const external = process.env['TEST_DATABASE_URL'];
  if (external !== undefined) return { url: external, stop: () => undefined };
  return startPostgres({ dataDir: statePath('test-pg'), testSettings: true });
}

async function onServer<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
