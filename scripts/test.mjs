/**
 * `npm test [-- --only check,unit,build,e2e] [--rules]`: every proof, one part after the other. A part that fails stops no other
 * one. `--rules` says which test proves which numbered rule. The last line is `N passed, N failed`. Imports nothing but Node's own
 * modules, because it runs before packages are installed.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { ruleLines, rulesText } from '../test/rules-report.mjs';
import { runChecks } from './check.mjs';
import { ensureBuild } from './lib-build.mjs';
import { ownSecretKey, readJson, removeFile, statePath } from './lib-folder.mjs';
import { ensurePackages } from './lib-install.mjs';
import { requireNode } from './lib-requirements.mjs';
import { packageFile, runCommand } from './lib-run.mjs';
import { PlainError, readable, say, sayFailure, secondsSince } from './lib-say.mjs';

const minute = 60_000;
/** Nothing may hang: what is left of this bounds each part. */
const wholeMs = 24 * minute;
const began = performance.now();

/** @typedef {{ passed: number, failed: number }} Count */

/** A new part is one more row. @type {{ name: string, what: string, limitMs: number, run: (limitMs: number) => Promise<Count> }[]} */
const parts = [
  {
    name: 'check',
    what: 'format, lint, types, directions, unused code, migrations',
    limitMs: 5 * minute,
    run: runChecks,
  },
  { name: 'unit', what: 'unit, database and conformance tests', limitMs: 10 * minute, run: runUnit },
  { name: 'build', what: 'production build', limitMs: 5 * minute, run: runBuild },
  { name: 'e2e', what: 'browser tests', limitMs: 10 * minute, run: runBrowserTests },
];

async function main() {
  requireNode();
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, rules: { type: 'boolean' } } });
  const only = (values.only ?? []).flatMap((names) => names.split(','));
  const unknown = only.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    throw new PlainError(`Unknown part ${unknown.join(', ')}. There are: ${parts.map(({ name }) => name).join(', ')}.`);
  }
  await ensurePackages(say);
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const summary = [];
  for (const part of parts.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const since = performance.now();
    process.stdout.write(`\n=== ${part.name}: ${part.what}\n\n`);
    const { passed, failed } = await runPart(part);
    total.passed += passed;
    total.failed += failed;
    summary.push(
      `${part.name.padEnd(8)}${failed === 0 ? 'passed' : 'FAILED'}  ${passed} passed, ${failed} failed, ${secondsSince(since)}`,
    );
  }
  const report = values.rules === true ? readJson(unitReport()) : undefined;
  if (report !== undefined) process.stdout.write(`\n=== rules\n\n${rulesText(report)}`);
  process.stdout.write(
    `\n=== ${secondsSince(began)}\n\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed\n`,
  );
  process.exitCode = total.failed === 0 ? 0 : 1;
}

/** @param {(typeof parts)[number]} part @returns {Promise<Count>} */
async function runPart({ name, limitMs, run }) {
  const leftMs = wholeMs - (performance.now() - began);
  if (leftMs < 1000) {
    process.stdout.write(`${name} was not run: the ${wholeMs / minute} minutes are over.\n`);
    return { passed: 0, failed: 1 };
  }
  try {
    return await run(Math.min(limitMs, leftMs));
  } catch (error) {
    const known = readable(error);
    process.stdout.write(
      `${known instanceof Error ? (known instanceof PlainError ? known.message : known.stack) : known}\n`,
    );
    return { passed: 0, failed: 1 };
  }
}

const unitReport = () => statePath('reports', 'vitest.json');

/** @param {number} limitMs @returns {Promise<Count>} */
async function runUnit(limitMs) {
  const report = unitReport();
  removeFile(report);
  const words = [
    process.execPath,
    packageFile('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { code } = await runCommand(words, { timeoutMs: limitMs, show: true });
  const result = readJson(report);
  /** A file that could not even be loaded has no tests of its own to count. @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = result?.testResults ?? [];
  const broken = files.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const unproven = result === undefined ? [] : rulesWithoutProof(result);
  return countOf(code, result?.numPassedTests ?? 0, (result?.numFailedTests ?? 0) + broken + unproven.length);
}

/** A numbered rule that no test proves counts as a failed test of its own. @param {Parameters<typeof ruleLines>[0]} report */
function rulesWithoutProof(report) {
  const missing = ruleLines(report).filter(({ result }) => result === 'missing');
  for (const { id, what } of missing) process.stdout.write(`FAILED  no test proves ${id}: ${what}\n`);
  return missing;
}

/** @param {number} limitMs @returns {Promise<Count>} */
async function runBuild(limitMs) {
  const fresh = await ensureBuild({ secretKey: ownSecretKey(), log: say, timeoutMs: limitMs });
  say(fresh ? 'Built' : 'What lies in .next was built from these sources');
  return { passed: 1, failed: 0 };
}

/** @param {number} limitMs @returns {Promise<Count>} */
async function runBrowserTests(limitMs) {
  const report = statePath('reports', 'playwright.json');
  removeFile(report);
  const { code } = await runCommand(
    [process.execPath, packageFile('@playwright/test/cli.js'), 'test', '--pass-with-no-tests', '--reporter=list,json'],
    {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, HOLDFAST_E2E_LIMIT_MS: String(Math.round(limitMs - 20_000)) },
      timeoutMs: limitMs,
      show: true,
    },
  );
  const stats = readJson(report)?.stats ?? { expected: 0, unexpected: 0, flaky: 0 };
  return countOf(code, stats.expected + stats.flaky, stats.unexpected);
}

/** A command that failed counts as a failure, even where its report names none. @param {number} code @param {number} passed @param {number} failed */
function countOf(code, passed, failed) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

await main().catch(sayFailure);
