/** The folder that holds what this installation keeps between starts; everything in it is for its owner's eyes. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { projectRoot } from './lib-run.mjs';

/** `.holdfast`, or what HOLDFAST_DIR says. */
export const stateFolder = resolve(projectRoot, process.env['HOLDFAST_DIR'] ?? '.holdfast');

/** @param {string[]} names */
export function statePath(...names) {
  return join(stateFolder, ...names);
}

/** @param {string} path @param {string} text */
export function writePrivate(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  // Renamed into place: a reader never sees half of it, and a full disk does not empty what was there.
  const side = `${path}.new-${process.pid}`;
  writeFileSync(side, text, { mode: 0o600 });
  renameSync(side, path);
}

/** The key that seals what is stored, unless the environment gives one: made at the first start and kept. */
export function ownSecretKey() {
  return process.env['HOLDFAST_SECRET_KEY'] || keptSecret('secret-key', 'base64');
}

/** What the cron caller and the servers know of each other, unless the environment gives it. */
export function ownCronSecret() {
  return process.env['CRON_SECRET'] || keptSecret('cron-secret', 'base64url');
}

/** @param {string} name @param {BufferEncoding} encoding */
function keptSecret(name, encoding) {
  const path = statePath(name);
  const existing = readText(path)?.trim();
  if (existing !== undefined && existing !== '') {
    chmodSync(path, 0o600);
    return existing;
  }
  const secret = randomBytes(32).toString(encoding);
  writePrivate(
    path,
    `${secret}
`,
  );
  return secret;
}

/** @param {string} path @returns {string | undefined} undefined when there is no such file */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {string} path @returns {any} undefined when there is none or it is not JSON */
export function readJson(path) {
  try {
    return JSON.parse(readText(path) ?? '');
  } catch {
    return undefined;
  }
}

/** @param {string} path */
export function removeFile(path) {
  rmSync(path, { force: true });
}
