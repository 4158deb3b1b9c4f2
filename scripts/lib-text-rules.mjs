/** Rules that no tool knows: who reads the environment, and who writes a cluster's state. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib-run.mjs';
import { listFiles } from './lib-sources.mjs';

const proofs =
  /\.test\.tsx?$|^infrastructure\/conformance\/|-for-tests\.ts$|^(test|e2e|bench|scripts|simulator)\/|\.config\.ts$/;
/** env.ts parses it once; instrumentation.ts must ask Next in which runtime it is before it may load env.ts; migrate.ts is a program. */
const readersOfEnvironment = new Set(['env.ts', 'instrumentation.ts', 'db/migrate.ts']);

/** @returns {string[]} one line a violation */
export function textViolations() {
  const found = [];
  for (const file of listFiles(['.']).filter((name) => /\.tsx?$/.test(name) && !proofs.test(name))) {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    found.push(...environmentReads(file, text), ...stateWrites(file, text));
  }
  return found;
}

/** @param {string} file @param {string} text */
function environmentReads(file, text) {
  if (readersOfEnvironment.has(file)) return [];
  // NODE_ENV is no setting: the bundler puts a constant in its place.
  return matches(text, /\bprocess\.env\b(?!\.NODE_ENV\b|\['NODE_ENV'\])/g).map(
    (line) => `${file}:${line} reads process.env; only env.ts does`,
  );
}

/** @param {string} file @param {string} text */
function stateWrites(file, text) {
  if (file === 'db/transition.ts') return [];
  const lines = matches(text, /\bupdate\s+"?clusters"?\s+set\b[^;`]*?\bstate\s*=/gi);
  for (const update of text.matchAll(/\bupdate\(\s*clusters\s*\)/g)) {
    const from = text.indexOf('.set(', update.index);
    if (from !== -1 && /(^|[{,\s])state\s*[:,}]/.test(argumentAt(text, from + '.set'.length))) {
      lines.push(lineOf(text, update.index));
    }
  }
  return lines.map((line) => `${file}:${line} writes clusters.state; only db/transition.ts does`);
}

/** The text between a bracket and its partner. @param {string} text @param {number} open */
function argumentAt(text, open) {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(open, at);
  }
  return text.slice(open);
}

/** @param {string} text @param {RegExp} pattern */
function matches(text, pattern) {
  return [...text.matchAll(pattern)].map((match) => lineOf(text, match.index));
}

/** @param {string} text @param {number} index */
function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
