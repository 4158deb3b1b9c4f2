/** What scripts say: progress lines with seconds, and errors that a person can act on. */
import { performance } from 'node:perf_hooks';

/** An expected failure: its message is shown alone, without a stack. */
export class PlainError extends Error {}

const startedAt = performance.now();

/** @param {number} since a `performance.now()` */
export function secondsSince(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** One progress line with the seconds since the program started. @param {string} text */
export function say(text) {
  process.stdout.write(`${secondsSince(startedAt).padStart(8)}  ${text}\n`);
}

/** Shows a failure and sets the exit code; only the unexpected gets a stack. @param {unknown} error */
export function sayFailure(error) {
  const known = error instanceof PlainError;
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`\n${text}\n`);
  process.exitCode = 1;
}

/** Turns "no space" and "not allowed" of the file system into a sentence; anything else comes back as it was. @param {unknown} error */
export function readable(error) {
  const text = error instanceof Error ? error.message : String(error);
  if (isDiskFull(text)) return new PlainError(`The disk is full. Free some space and try again.\n(${firstLine(text)})`);
  if (/\b(EACCES|EPERM|EROFS)\b/.test(text)) {
    return new PlainError(
      `A file may not be written, perhaps because another user made it (root?): ${firstLine(text)}`,
    );
  }
  return error;
}

/** @param {string} text */
export function isDiskFull(text) {
  return /ENOSPC|No space left on device|EDQUOT|Disk quota exceeded/i.test(text);
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n', 1)[0] ?? text;
}
