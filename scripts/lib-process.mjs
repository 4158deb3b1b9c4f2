/** Processes told apart from later ones with the same number, and ended politely. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `pid:start`, so that a number that was given to another process later is not taken for the first one.
 * @param {number} pid
 * @returns {string | undefined} undefined when there is no such process
 */
export function processIdentity(pid) {
  if (!isAlive(pid)) return undefined;
  return `${pid}:${startMark(pid)}`;
}

/** Whether the process that gave this identity still runs. @param {string} identity */
export function isSameProcess(identity) {
  const pid = Number.parseInt(identity, 10);
  return Number.isInteger(pid) && processIdentity(pid) === identity;
}

/** @param {number} pid */
export function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  return !isZombie(pid);
}

/** The command line, words separated by blanks; empty when it cannot be read. @param {number} pid */
export function commandLine(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** @param {number} pid @param {number} withinMs @returns {Promise<boolean>} false when it still runs */
export async function waitUntilGone(pid, withinMs) {
  const until = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(15);
  }
  return true;
}

/** Sends a signal; a process that is already gone is no error. @param {number} pid @param {NodeJS.Signals} signal */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/** SIGTERM, a while to finish, SIGKILL. @param {number} pid @param {number} graceMs */
export async function endProcess(pid, graceMs) {
  sendSignal(pid, 'SIGTERM');
  if (await waitUntilGone(pid, graceMs)) return;
  sendSignal(pid, 'SIGKILL');
  await waitUntilGone(pid, 5000);
}

/** @param {number} pid */
function statFields(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may itself hold blanks and brackets, so fields are counted after the last one.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A zombie answers to signal 0 but runs no more. @param {number} pid */
function isZombie(pid) {
  if (process.platform !== 'linux') return false;
  try {
    return statFields(pid)[0] === 'Z';
  } catch {
    return true;
  }
}

/** When it started, as the system says it; empty where that is not known. @param {number} pid */
function startMark(pid) {
  try {
    if (process.platform === 'linux') return statFields(pid)[19] ?? '';
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
