/** Builds the product, unless what lies in `.next` was built from these very sources. */
import { createHash, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { readJson, readText, writePrivate } from './lib-folder.mjs';
import { withLock } from './lib-lock.mjs';
import { packageFile, projectRoot, runCommand } from './lib-run.mjs';
import { isDiskFull, PlainError } from './lib-say.mjs';
import { hashFiles, listFiles } from './lib-sources.mjs';

const marker = join(projectRoot, '.holdfast', 'build.json');
const log = join(projectRoot, '.holdfast', 'logs', 'build.log');
/** Proofs, tools and texts change nothing in the product. */
const irrelevant =
  /^(bench|docs|drizzle|e2e|scripts|simulator|test)\/|^\.|\.test\.tsx?$|-for-tests\.ts$|^infrastructure\/conformance\/|^[^/]+\.(md|tsbuildinfo|cjs)$|^(biome|knip)\.json$|^(vitest|playwright|drizzle)\.config\.ts$|^next-env\.d\.ts$/;

/**
 * With one key in each build, servers that were built apart understand each other's forms.
 * Made as auth/keys.ts makes keys.
 * @param {string} secretKey
 */
export function serverActionsKey(secretKey) {
  const secret = Buffer.from(secretKey, 'base64');
  return Buffer.from(hkdfSync('sha256', secret, '', 'holdfast/server actions', 32)).toString('base64');
}

/** @param {string} secretKey */
function wantedHash(secretKey) {
  const files = listFiles(['.']).filter((file) => !irrelevant.test(file));
  const key = createHash('sha256').update(serverActionsKey(secretKey)).digest('hex');
  return hashFiles(files, [process.versions.node.split('.')[0] ?? '', key]);
}

/** @param {string} secretKey */
export function isBuilt(secretKey) {
  const made = readJson(marker);
  const id = readText(join(projectRoot, '.next', 'BUILD_ID'));
  return id !== undefined && made?.buildId === id && made.hash === wantedHash(secretKey);
}

/**
 * @param {{ secretKey: string, log: (text: string) => void, timeoutMs?: number }} options
 * @returns {Promise<boolean>} whether anything had to be built
 */
export function ensureBuild({ secretKey, log: tell, timeoutMs = 10 * 60_000 }) {
  const lock = join(projectRoot, '.holdfast', 'build.lock');
  const onWait = (/** @type {number} */ pid) => tell(`Waiting for the build of process ${pid}`);
  return withLock(lock, () => buildIfNeeded(secretKey, tell, timeoutMs), { onWait, withinMs: timeoutMs });
}

/** @param {string} secretKey @param {(text: string) => void} tell @param {number} timeoutMs */
async function buildIfNeeded(secretKey, tell, timeoutMs) {
  if (isBuilt(secretKey)) return false;
  tell('Building (next build)');
  // Taken before: a file that is changed during the build calls for another one.
  const hash = wantedHash(secretKey);
  const { code, output } = await runCommand([process.execPath, packageFile('next/dist/bin/next'), 'build'], {
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: serverActionsKey(secretKey),
    },
    timeoutMs,
  });
  writePrivate(log, output);
  if (code !== 0) {
    if (isDiskFull(output))
      throw new PlainError('The disk is full: the build could not be written. Free some space and try again.');
    throw new PlainError(`The build failed; all of it is in ${log}.\n${output.trim().slice(0, 6000)}`);
  }
  writePrivate(marker, JSON.stringify({ hash, buildId: readText(join(projectRoot, '.next', 'BUILD_ID')) }));
  return true;
}
