/** The data folder of the embedded PostgreSQL: how it is made, and what its pid file says. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { commandFor, giveTo } from './lib-postgres-binaries.mjs';
import { commandLine, isAlive } from './lib-process.mjs';
import { isDiskFull, PlainError } from './lib-say.mjs';

export const databaseUser = 'holdfast';
export const databaseName = 'holdfast';

/** What lies where below the folder that a starter is given. @param {string} dataDir */
export function layoutOf(dataDir) {
  return {
    root: dataDir,
    data: join(dataDir, 'data'),
    password: join(dataDir, 'password'),
    log: join(dataDir, 'postgres.log'),
    lock: join(dataDir, 'start.lock'),
    users: join(dataDir, 'users'),
    pidFile: join(dataDir, 'data', 'postmaster.pid'),
  };
}
/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * Makes the data folder if there is none. It is made aside and then renamed, so that an interrupted start leaves no half of one.
 * @param {Layout} layout
 * @param {string} native
 * @param {import('./lib-postgres-binaries.mjs').RunAs} runAs
 * @param {{ durable: boolean }} options
 * @returns {boolean} whether it was made now
 */
export function ensureData(layout, native, runAs, { durable }) {
  removeInterrupted(layout);
  if (existsSync(join(layout.data, 'PG_VERSION'))) {
    assertSameMajor(layout, native, runAs);
    return false;
  }
  const side = join(layout.root, `data.new-${process.pid}`);
  mkdirSync(side, { mode: 0o700 });
  const passwordFile = join(layout.root, `password.new-${process.pid}`);
  writeFileSync(passwordFile, existsSync(layout.password) ? readPassword(layout) : randomBytes(24).toString('hex'), {
    mode: 0o600,
  });
  giveTo(runAs, side);
  giveTo(runAs, passwordFile);
  try {
    run(native, runAs, 'initdb', initArguments(side, passwordFile));
    run(
      native,
      runAs,
      'postgres',
      ['--single', '-D', side, '-c', 'fsync=off', 'postgres'],
      `create database ${databaseName}\n`,
    );
    if (durable) run(native, runAs, 'initdb', ['--sync-only', '-D', side]);
    renameSync(passwordFile, layout.password);
    rmSync(layout.data, { recursive: true, force: true });
    renameSync(side, layout.data);
  } catch (error) {
    rmSync(side, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
    throw error;
  }
  return true;
}

/** @param {Layout} layout */
export function readPassword(layout) {
  try {
    chmodSync(layout.password, 0o600);
    return readFileSync(layout.password, 'utf8').trim();
  } catch {
    throw new PlainError(
      `${layout.password} is missing: it holds the password of the database beside it. Put it back, or remove ${layout.root} to begin with an empty database.`,
    );
  }
}

/**
 * The server that the pid file tells of, if it really runs on this folder. The number alone proves nothing: after a crash
 * it may belong to any other process, and PostgreSQL itself would then refuse to start.
 * @param {Layout} layout
 * @returns {{ pid: number, port: number, status: string } | undefined}
 */
export function runningServer(layout) {
  let lines;
  try {
    lines = readFileSync(layout.pidFile, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!isAlive(pid) || !isPostgresOn(pid, layout)) return undefined;
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
}

/** @param {number} pid @param {Layout} layout */
function isPostgresOn(pid, layout) {
  const command = commandLine(pid);
  // Where command lines cannot be read the number has to be believed.
  if (command === '') return process.platform === 'win32';
  return command.includes('postgres') && command.includes(`-D ${realpathSync(layout.data)} `);
}

/** @param {string} data @param {string} passwordFile */
function initArguments(data, passwordFile) {
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  return ['-D', data, '-U', databaseUser, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync', ...locale];
}

/**
 * @param {string} native
 * @param {import('./lib-postgres-binaries.mjs').RunAs} runAs
 * @param {'initdb' | 'postgres'} program
 * @param {string[]} args
 * @param {string} [input]
 */
function run(native, runAs, program, args, input) {
  const { command, args: words, ...options } = commandFor(runAs, join(native, 'bin', program), args);
  const ran = spawnSync(command, words, {
    ...options,
    input: input ?? '',
    encoding: 'utf8',
    timeout: 120_000,
    cwd: '/',
  });
  // Single-user mode ends with 0 after an error, so its output is read too.
  if (ran.status === 0 && !/^(ERROR|FATAL|PANIC):|(ERROR|FATAL|PANIC): {2}/m.test(ran.stderr)) return;
  const text = `${ran.stdout ?? ''}${ran.stderr ?? ''}`.trim();
  if (isDiskFull(text))
    throw new PlainError('The disk is full: the database could not be made. Free some space and try again.');
  throw new PlainError(`The database could not be made (${program}).\n${text.slice(-1500) || String(ran.error ?? '')}`);
}

/** Data of another major version cannot be read. @param {Layout} layout @param {string} native @param {import('./lib-postgres-binaries.mjs').RunAs} runAs */
function assertSameMajor(layout, native, runAs) {
  const made = readFileSync(join(layout.data, 'PG_VERSION'), 'utf8').trim();
  const { command, args, ...options } = commandFor(runAs, join(native, 'bin', 'postgres'), ['--version']);
  const version = /(\d+)\.\d/.exec(spawnSync(command, args, { ...options, encoding: 'utf8' }).stdout ?? '')?.[1];
  if (version === undefined || version === made) return;
  throw new PlainError(
    `The database in ${layout.data} was made by PostgreSQL ${made} and the bundled one is ${version}. Start the earlier version of Holdfast once, dump the database, and load it into a new one.`,
  );
}

/** What starters that died left behind; safe because the lock is held. @param {Layout} layout */
function removeInterrupted(layout) {
  for (const name of readdirSync(layout.root)) {
    if (/^(data|password)\.new-\d+$/.test(name)) rmSync(join(layout.root, name), { recursive: true, force: true });
  }
}
