/** The project's own files, for hashes and for rules on their text. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { projectRoot } from './lib-run.mjs';

const ignored = new Set(['node_modules', '.git', '.holdfast', 'test-results', 'playwright-report', 'coverage']);

/**
 * Paths relative to the project, with `/`, sorted.
 * @param {string[]} tops files or folders of the project
 * @returns {string[]}
 */
export function listFiles(tops) {
  return tops.flatMap((top) => walk(join(projectRoot, top))).toSorted();
}

/** @param {string[]} files @param {string[]} [extra] further facts that the result depends on */
export function hashFiles(files, extra = []) {
  const hash = createHash('sha256');
  for (const fact of extra) hash.update(fact).update('\0');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(projectRoot, file)))
      .update('\0');
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function walk(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [relative(projectRoot, path).split(sep).join('/')];
  return readdirSync(path)
    .filter((name) => !ignored.has(name) && !name.startsWith('.next'))
    .flatMap((name) => walk(join(path, name)));
}
