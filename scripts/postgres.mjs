/**
 * Starts the bundled PostgreSQL, or finds the one that runs. As a program: `node scripts/postgres.mjs [start | stop | status]`.
 * The server outlives its starter; whoever started or found it is one of its users, and the last one to leave stops it.
 */
import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withLock } from './lib-lock.mjs';
import { freePort } from './lib-ports.mjs';
import { assertReachable, chooseRunAs, commandFor, findBinaries, giveTo } from './lib-postgres-binaries.mjs';
import { databaseName, databaseUser, ensureData, layoutOf, readPassword, runningServer } from './lib-postgres-data.mjs';
import { isSameProcess, processIdentity, sendSignal, waitUntilGone } from './lib-process.mjs';
import { isDiskFull, PlainError, readable, sayFailure } from './lib-say.mjs';

/** Recovery after a crash may take long; a server that is still alive is waited for. */
const startWithinMs = 5 * 60_000;
const stopWithinMs = 30_000;
const portTries = 5;
const logLimitBytes = 10_000_000;
/** For databases whose loss is no loss. */
const testOptions = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum_naptime=10s'];

/**
 * @typedef {object} StartOptions
 * @property {string} dataDir folder for data, password and log
 * @property {(text: string) => void} [log]
 * @property {boolean} [testSettings] no fsync: fast, and the data may be lost
 * @typedef {{ url: string, port: number, pid: number, adopted: boolean, created: boolean, stop: () => Promise<boolean> }} Postgres
 */

/**
 * Safe to call from several processes at once: one starts, the others find it. `stop` says whether the server was stopped,
 * which it is not while another user of it lives.
 * @param {StartOptions} options
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ dataDir, log = () => undefined, testSettings = false }) {
  const layout = layoutOf(resolve(dataDir));
  try {
    mkdirSync(layout.users, { recursive: true, mode: 0o755 });
    return await withLock(layout.lock, async () => {
      const found = await findRunning(layout, log);
      const started = found ?? (await startAfresh(layout, { log, testSettings }));
      const mark = join(layout.users, String(process.pid));
      writeFileSync(mark, processIdentity(process.pid) ?? '');
      const url = `postgres://${databaseUser}:${readPassword(layout)}@127.0.0.1:${started.port}/${databaseName}`;
      const stop = () => leave(layout, mark);
      return {
        url,
        port: started.port,
        pid: started.pid,
        adopted: found !== undefined,
        created: started.created,
        stop,
      };
    });
  } catch (error) {
    throw readable(error);
  }
}

/** Stops the server of that folder, whoever uses it. @param {string} dataDir @returns {Promise<boolean>} whether one ran */
export async function stopPostgres(dataDir) {
  const layout = layoutOf(resolve(dataDir));
  const server = runningServer(layout);
  if (server === undefined) return false;
  // SIGINT is PostgreSQL's "fast": sessions are cut off, data is written. SIGQUIT leaves the rest to recovery.
  sendSignal(server.pid, 'SIGINT');
  if (!(await waitUntilGone(server.pid, stopWithinMs))) {
    sendSignal(server.pid, 'SIGQUIT');
    await waitUntilGone(server.pid, stopWithinMs);
  }
  return true;
}

/** @param {import('./lib-postgres-data.mjs').Layout} layout @param {string} mark */
function leave(layout, mark) {
  rmSync(mark, { force: true });
  return withLock(layout.lock, async () => (livingUsers(layout) === 0 ? stopPostgres(layout.root) : false));
}

/** @param {import('./lib-postgres-data.mjs').Layout} layout */
function livingUsers(layout) {
  return readdirSync(layout.users).filter((name) => {
    const path = join(layout.users, name);
    if (isSameProcess(readFileSync(path, 'utf8'))) return true;
    rmSync(path, { force: true });
    return false;
  }).length;
}

/** @param {import('./lib-postgres-data.mjs').Layout} layout @param {(text: string) => void} log */
async function findRunning(layout, log) {
  const server = runningServer(layout);
  if (server === undefined) return undefined;
  if (server.status === 'stopping') {
    log('waiting for PostgreSQL to end');
    await waitUntilGone(server.pid, stopWithinMs);
    return undefined;
  }
  const ready = await waitUntilReady(layout, server.pid, log);
  return ready && { ...ready, created: false };
}

/** @param {import('./lib-postgres-data.mjs').Layout} layout @param {{ log: (text: string) => void, testSettings: boolean }} options */
async function startAfresh(layout, { log, testSettings }) {
  const native = findBinaries();
  const runAs = chooseRunAs();
  assertReachable(runAs, join(native, 'bin', 'postgres'), layout.root);
  const created = ensureData(layout, native, runAs, { durable: !testSettings });
  readPassword(layout);
  giveTo(runAs, layout.data);
  // No server runs on this folder, as was just seen: the file is a dead one's, and its number may be anybody's by now.
  rmSync(layout.pidFile, { force: true });
  rotate(layout.log);
  let wanted = lastPort(layout);
  for (let attempt = 1; attempt <= portTries; attempt += 1) {
    const port = await freePort(wanted);
    const server = await launch(layout, { native, runAs, port, testSettings, log });
    if (server !== undefined) {
      writeFileSync(join(layout.root, 'port'), String(server.port));
      return { ...server, created };
    }
    wanted = undefined;
  }
  throw new PlainError(`PostgreSQL found no free port in ${portTries} tries. Its log is ${layout.log}.`);
}

/**
 * @param {import('./lib-postgres-data.mjs').Layout} layout
 * @param {{ native: string, runAs: import('./lib-postgres-binaries.mjs').RunAs, port: number, testSettings: boolean, log: (text: string) => void }} options
 * @returns {Promise<{ pid: number, port: number } | undefined>} undefined when the port was taken in the meantime
 */
async function launch(layout, { native, runAs, port, testSettings, log }) {
  const settings = [
    `listen_addresses=127.0.0.1`,
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  const options = [...settings, ...(testSettings ? testOptions : [])].flatMap((setting) => ['-c', setting]);
  const before = sizeOf(layout.log);
  const output = openSync(layout.log, 'a', 0o600);
  const { command, args, ...spawnOptions } = commandFor(runAs, join(native, 'bin', 'postgres'), [
    '-D',
    layout.data,
    '-p',
    String(port),
    ...options,
  ]);
  const child = spawn(command, args, { ...spawnOptions, cwd: '/', detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  const failure = new Promise((resolveFailure) => child.once('error', resolveFailure));
  child.unref();
  if (child.pid === undefined) throw new PlainError(`PostgreSQL could not be run: ${String(await failure)}`);
  const server = await waitUntilReady(layout, child.pid, log);
  if (server !== undefined) return server;
  const text = readFileSync(layout.log, 'utf8').slice(before);
  if (/could not create any TCP\/IP sockets|could not bind/.test(text)) return undefined;
  if (/pre-existing shared memory block/.test(text)) {
    log('waiting for the last processes of the killed PostgreSQL');
    await sleep(500);
    return undefined;
  }
  if (isDiskFull(text))
    throw new PlainError('The disk is full: PostgreSQL could not start. Free some space and try again.');
  throw new PlainError(`PostgreSQL did not start. The end of ${layout.log}:\n${text.slice(-1500)}`);
}

/**
 * @param {import('./lib-postgres-data.mjs').Layout} layout
 * @param {number} pid
 * @param {(text: string) => void} log
 * @returns {Promise<{ pid: number, port: number } | undefined>} undefined when the process ended
 */
async function waitUntilReady(layout, pid, log) {
  const began = Date.now();
  let tellAt = began + 10_000;
  while (Date.now() - began < startWithinMs) {
    const server = runningServer(layout);
    if (server?.pid === pid && server.status === 'ready') return { pid, port: server.port };
    if (processIdentity(pid) === undefined) return undefined;
    if (Date.now() > tellAt) {
      log('PostgreSQL is still starting (it may be recovering after a crash)');
      tellAt += 10_000;
    }
    await sleep(10);
  }
  throw new PlainError(
    `PostgreSQL (process ${pid}) was not ready within ${startWithinMs / 60_000} minutes. Its log is ${layout.log}.`,
  );
}

/** The port of last time, so that addresses stay valid. @param {import('./lib-postgres-data.mjs').Layout} layout */
function lastPort(layout) {
  try {
    return Number(readFileSync(join(layout.root, 'port'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** @param {string} path */
function rotate(path) {
  if (sizeOf(path) > logLimitBytes) renameSync(path, `${path}.1`);
}

async function main() {
  const dataDir = process.env['HOLDFAST_POSTGRES_DIR'] ?? join(import.meta.dirname, '..', '.holdfast', 'pg');
  const command = process.argv[2] ?? 'start';
  if (command === 'start') {
    const { url, adopted } = await startPostgres({ dataDir, log: (text) => process.stderr.write(`${text}\n`) });
    process.stderr.write(
      `${adopted ? 'PostgreSQL runs already' : 'PostgreSQL is started'}. It goes on until: node scripts/postgres.mjs stop\n`,
    );
    process.stdout.write(`${url}\n`);
  } else if (command === 'stop') {
    process.stderr.write((await stopPostgres(dataDir)) ? 'PostgreSQL is stopped.\n' : 'PostgreSQL was not running.\n');
  } else if (command === 'status') {
    const server = runningServer(layoutOf(resolve(dataDir)));
    process.stdout.write(
      server === undefined ? 'not running\n' : `process ${server.pid}, port ${server.port}, ${server.status}\n`,
    );
  } else {
    throw new PlainError(`Unknown command ${command}: use start, stop or status.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main().catch(sayFailure);
