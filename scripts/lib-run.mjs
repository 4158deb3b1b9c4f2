/** Runs a command with a limit, alone in its process group so that nothing of it stays behind. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Groups that still run; none outlives this process, however it ends. @type {Set<number>} */
const running = new Set();
process.on('exit', () => {
  for (const pid of running) endGroup(pid, 'SIGTERM');
});

export const projectRoot = join(import.meta.dirname, '..');

/** The file that a package's command runs; called through Node, so signals reach it. @param {string} path */
export function packageFile(path) {
  return join(projectRoot, 'node_modules', path);
}

/**
 * @typedef {{ code: number, output: string, timedOut: boolean }} Ran
 * @param {string[]} words the program and its arguments
 * @param {{ env?: Record<string, string | undefined>, timeoutMs?: number, show?: boolean }} [options] `show`: print while it runs
 * @returns {Promise<Ran>}
 */
export function runCommand(words, { env, timeoutMs = 10 * 60_000, show = false } = {}) {
  const [command = '', ...args] = words;
  return new Promise((resolve) => {
    let output = '';
    let timedOut = false;
    const child = spawn(command, args, {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) running.add(child.pid);
    const take = (/** @type {Buffer} */ chunk) => {
      output += chunk;
      if (show) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid, 'SIGTERM');
      setTimeout(() => endGroup(child.pid, 'SIGKILL'), 5000).unref();
    }, timeoutMs);
    const forward = (/** @type {NodeJS.Signals} */ signal) => endGroup(child.pid, signal);
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) running.delete(child.pid);
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      if (timedOut) output += `\nStopped after ${timeoutMs / 1000} s.\n`;
      resolve({ code, output, timedOut });
    };
    child.once('error', (error) => {
      output += error.message;
      finish(127);
    });
    // `exit` and not `close`: a grandchild that keeps the pipe open must not keep us.
    child.once('exit', (code) => setTimeout(() => finish(timedOut ? 124 : (code ?? 1)), 50));
  });
}

/** @param {number | undefined} pid @param {NodeJS.Signals} signal */
function endGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It is gone already.
  }
}
