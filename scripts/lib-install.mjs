/** Installs the packages of the lock file, unless they are there already. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './lib-folder.mjs';
import { projectRoot, runCommand } from './lib-run.mjs';
import { isDiskFull, PlainError } from './lib-say.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} Packages */

/** @param {(text: string) => void} log */
export async function ensurePackages(log) {
  if (isInstalled()) return;
  log('Installing packages (npm ci)');
  const npm = process.env['npm_execpath'];
  const words = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  // NODE_ENV=production would leave out what the build needs.
  const { code, output } = await runCommand([...words, 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    env: { NODE_ENV: undefined },
    timeoutMs: 15 * 60_000,
  });
  if (code === 0) return;
  if (isDiskFull(output))
    throw new PlainError('The disk is full: the packages could not be installed. Free some space and try again.');
  throw new PlainError(`The packages could not be installed.\n${output.trim().slice(-2000)}`);
}

/**
 * npm writes its own list of what lies in node_modules last of all, so a list that agrees with the lock means a finished
 * installation of exactly these versions.
 */
function isInstalled() {
  const wanted = readJson(join(projectRoot, 'package-lock.json'));
  const present = readJson(join(projectRoot, 'node_modules', '.package-lock.json'));
  const manifest = readJson(join(projectRoot, 'package.json'));
  if (wanted === undefined || present === undefined || manifest === undefined) return false;
  return lockFits(wanted.packages[''] ?? {}, manifest) && sameVersions(wanted.packages, present.packages);
}

/** A package.json that was changed without its lock file is for npm to complain about. @param {any} root @param {any} manifest */
function lockFits(root, manifest) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((kind) => {
    const names = Object.keys({ ...root[kind], ...manifest[kind] });
    return names.every((name) => root[kind]?.[name] === manifest[kind]?.[name]);
  });
}

/** @param {Packages} wanted @param {Packages} present */
function sameVersions(wanted, present) {
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '' || present[path]?.version === version) return true;
    // Packages for other machines are never installed.
    return (optional === true || devOptional === true) && !existsSync(join(projectRoot, path));
  });
}
