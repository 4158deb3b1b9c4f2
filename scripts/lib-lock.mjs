/** A lock between processes: a file that names its holder and is free again when that process is gone. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, processIdentity } from './lib-process.mjs';

let attempts = 0;

/**
 * Takes the lock or says who has it. Two locks of one process are told apart by nothing: take each path once.
 * @param {string} path
 * @returns {{ release: () => void } | { heldBy: number }}
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const mark = processIdentity(process.pid) ?? String(process.pid);
  attempts += 1;
  const mine = `${path}.${process.pid}.${attempts}`;
  // Written first and linked afterwards: nobody ever sees a lock file without its holder's name.
  writeFileSync(mine, mark);
  try {
    for (;;) {
      if (linked(mine, path)) return { release: () => releaseIfMine(path, mark) };
      const holder = readText(path);
      if (holder === undefined) continue;
      if (isSameProcess(holder)) return { heldBy: Number.parseInt(holder, 10) };
      takeAway(path, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Waits for the lock, runs, gives it back.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} run
 * @param {{ withinMs?: number, onWait?: (pid: number) => void }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(path, run, { withinMs = 10 * 60_000, onWait } = {}) {
  const until = Date.now() + withinMs;
  let told = false;
  for (;;) {
    const lock = tryLock(path);
    if ('release' in lock) {
      try {
        return await run();
      } finally {
        lock.release();
      }
    }
    if (!told) onWait?.(lock.heldBy);
    told = true;
    if (Date.now() > until) throw new Error(`${path} is still held by process ${lock.heldBy}.`);
    await sleep(25);
  }
}

/** @param {string} from @param {string} to */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead holder's file. When another process has replaced it meanwhile, that one is put back. @param {string} path @param {string} holder */
function takeAway(path, holder) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return;
    throw error;
  }
  if (readText(aside) !== holder) linked(aside, path);
  rmSync(aside, { force: true });
}

/** @param {string} path @param {string} mark */
function releaseIfMine(path, mark) {
  if (readText(path) === mark) unlinkSync(path);
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
