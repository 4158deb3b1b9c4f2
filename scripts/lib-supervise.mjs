/** Keeps a program running: logs to a file, starts it again when it dies, ends it politely. */
import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, isSameProcess, processIdentity } from './lib-process.mjs';
import { projectRoot } from './lib-run.mjs';
import { PlainError } from './lib-say.mjs';

/** What waits before each further start; a program that then lives long enough begins again at the first. */
const backOffSeconds = [1, 2, 4, 8, 15];
const livedLongMs = 60_000;
const logLimitBytes = 50_000_000;
const logCheckMs = 60_000;

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string[]} words
 * @property {Record<string, string | undefined>} env
 * @property {string} logFile
 * @property {boolean} restart
 * @property {boolean} [onTerminal] print instead of logging to the file
 * @property {(text: string) => void} [say]
 * @property {() => void} [onChange] the process is another one now, or none
 *
 * @typedef {object} Supervised
 * @property {string} name
 * @property {() => number | undefined} pid
 * @property {() => string | undefined} identity
 * @property {(graceMs: number) => Promise<void>} stop for good
 * @property {() => Promise<void>} startAgain after `restart: false` and its end
 * @property {() => void} keepAlive from now on start it again when it dies, whatever was said at first
 * @property {() => string} logTail since the last start
 */

/** @param {Program} program @returns {Supervised} */
export function supervise(program) {
  const { name, logFile, say = () => undefined, onChange = () => undefined } = program;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {string | undefined} */
  let identity;
  /** @type {Promise<void>} */
  let ended = Promise.resolve();
  let stopping = false;
  let restart = program.restart;
  let failures = 0;
  let logFrom = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let pause;
  const logKeeper = setInterval(() => limitLog(logFile), logCheckMs).unref();

  const launch = () => {
    const since = Date.now();
    mkdirSync(dirname(logFile), { recursive: true });
    logFrom = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const started = spawnLogged(program);
    child = started;
    identity = started.pid === undefined ? undefined : processIdentity(started.pid);
    let isOver = false;
    let tellEnd = () => {};
    ended = new Promise((resolve) => {
      tellEnd = resolve;
    });
    const onEnd = (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
      if (isOver) return;
      isOver = true;
      child = undefined;
      identity = undefined;
      tellEnd();
      onChange();
      if (stopping || !restart) return;
      failures = Date.now() - since > livedLongMs ? 0 : failures;
      const seconds = backOffSeconds[Math.min(failures, backOffSeconds.length - 1)] ?? 1;
      failures += 1;
      say(`${name} ended (${signal ?? `exit code ${code}`}); it is started again in ${seconds} s. Its log: ${logFile}`);
      pause = setTimeout(launch, seconds * 1000);
    };
    started.once('error', () => onEnd(127, null));
    started.once('exit', onEnd);
    onChange();
  };
  launch();

  return {
    name,
    pid: () => child?.pid,
    identity: () => identity,
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(pause);
      clearInterval(logKeeper);
      if (child?.pid !== undefined) await endProcess(child.pid, graceMs);
    },
    startAgain: async () => {
      if (identity !== undefined && isSameProcess(identity)) return;
      // The process may be gone a moment before Node says so.
      await ended;
      if (child === undefined) launch();
    },
    keepAlive: () => {
      restart = true;
      if (child === undefined && !stopping) launch();
    },
    logTail: () => {
      try {
        return readFileSync(logFile).subarray(logFrom).toString().trim().slice(-2000);
      } catch {
        return '';
      }
    },
  };
}

/**
 * Asks until the answer is good. Gives up when the program ends or the time is over, and says what it last heard.
 * @param {Supervised} program
 * @param {string} url
 * @param {{ withinMs: number, accept?: (response: Response) => boolean }} options
 */
export async function waitForAnswer(program, url, { withinMs, accept = (response) => response.status === 200 }) {
  const until = Date.now() + withinMs;
  let heard = 'nothing';
  while (Date.now() < until) {
    if (program.pid() === undefined) {
      throw new PlainError(`${program.name} did not start.\n${program.logTail() || 'It left no word.'}`);
    }
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
      if (accept(response)) return;
      heard = `${response.status} ${(await response.text()).slice(0, 300)}`;
    } catch (error) {
      heard = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    }
    await sleep(100);
  }
  throw new PlainError(
    `${program.name} was not ready within ${withinMs / 1000} s. ${url} last answered: ${heard}\n${program.logTail()}`,
  );
}

/** In a process group of its own: Ctrl-C reaches the starter alone, which then ends everything in order. @param {Program} program */
function spawnLogged({ words, env, logFile, onTerminal = false }) {
  const [command = '', ...args] = words;
  const output = onTerminal ? 'inherit' : openSync(logFile, 'a', 0o600);
  // A file and no pipe: what outlives a killed starter can go on writing while it finishes its work.
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', output, output],
  });
  if (typeof output === 'number') closeSync(output);
  return child;
}

/** The programs append, so a file that is cut under them goes on at its new end. @param {string} path */
function limitLog(path) {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < logLimitBytes) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // A log that cannot be cut is no reason to end anything.
  }
}
