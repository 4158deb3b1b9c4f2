/** Everything that can be said without running the product: `node scripts/check.mjs [name …]`. */
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { packageFile, runCommand } from './lib-run.mjs';
import { say, secondsSince } from './lib-say.mjs';
import { textViolations } from './lib-text-rules.mjs';

const node = process.execPath;
/** A parser that sees nothing reports no violation; the tree has more files than this. */
const leastModules = 500;
const rooms = ['app', 'auth', 'components', 'db', 'domain', 'infrastructure', 'scanner', 'simulator', 'worker'];
const rootFiles = ['env.ts', 'runtime.ts', 'instrumentation.ts', 'proxy.ts'];

/**
 * @typedef {{ ok: boolean, output: string }} Outcome
 * @type {{ name: string, what: string, run: () => Promise<Outcome> }[]}
 */
const checks = [
  {
    name: 'biome',
    what: 'format and lint',
    run: () =>
      command([
        node,
        packageFile('@biomejs/biome/bin/biome'),
        'ci',
        '--colors=off',
        '--max-diagnostics=40',
        '--diagnostic-level=error',
      ]),
  },
  { name: 'types', what: 'types', run: checkTypes },
  { name: 'directions', what: 'import directions', run: checkDirections },
  {
    name: 'unused',
    what: 'unused files, exports and packages',
    run: () => command([node, packageFile('knip/bin/knip.js'), '--no-progress', '--no-config-hints']),
  },
  {
    name: 'migrations',
    what: 'migrations follow each other',
    run: () => command([node, packageFile('drizzle-kit/bin.cjs'), 'check']),
  },
  { name: 'rules', what: 'readers of the environment, writers of cluster states', run: checkText },
];

const defaultLimitMs = 5 * 60_000;
let deadline = 0;

/**
 * Runs them one after the other; each counts as one test.
 * @param {number} [limitMs] for all of them
 * @param {string[]} [names] all by default
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks(limitMs = defaultLimitMs, names = []) {
  deadline = Date.now() + limitMs;
  const count = { passed: 0, failed: 0 };
  for (const check of checks.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const since = performance.now();
    const { ok, output } = await check.run();
    say(`${ok ? 'passed' : 'FAILED'}  ${check.name}: ${check.what} (${secondsSince(since)})`);
    if (!ok) process.stdout.write(`${output.trim()}\n\n`);
    count[ok ? 'passed' : 'failed'] += 1;
  }
  return count;
}

/** @param {string[]} words @returns {Promise<Outcome>} */
async function command(words) {
  const { code, output } = await runCommand(words, {
    timeoutMs: Math.max(1000, deadline - Date.now()),
    env: { NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' },
  });
  return { ok: code === 0, output };
}

/** The types of routes are generated; without them a link's address is only a string. */
async function checkTypes() {
  const generated = await command([node, packageFile('next/dist/bin/next'), 'typegen']);
  if (!generated.ok) return generated;
  return command([node, packageFile('typescript/bin/tsc'), '--noEmit', '--pretty', 'false']);
}

/** @returns {Promise<Outcome>} */
async function checkDirections() {
  const bin = packageFile('dependency-cruiser/bin/dependency-cruise.mjs');
  const { output } = await command([
    node,
    bin,
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    ...rooms,
    ...rootFiles,
  ]);
  let result;
  try {
    result = JSON.parse(output);
  } catch {
    return { ok: false, output };
  }
  /** @type {string[]} */
  const lines = result.summary.violations.map(describeViolation);
  const own = result.modules.filter((/** @type {{ source: string }} */ { source }) =>
    /^(?!.*node_modules).*\.tsx?$/.test(source),
  ).length;
  if (own < leastModules) lines.push(`Only ${own} modules were seen, fewer than ${leastModules}: the parser is blind.`);
  return { ok: lines.length === 0, output: lines.join('\n') };
}

/** @param {{ rule: { name: string }, from: string, to: string, cycle?: { name: string }[], comment?: string }} violation */
function describeViolation({ rule, from, to, cycle, comment }) {
  const way = cycle === undefined ? to : cycle.map(({ name }) => name).join(' → ');
  return `${rule.name}: ${from} → ${way}${comment === undefined ? '' : `\n    ${comment}`}`;
}

/** @returns {Promise<Outcome>} */
async function checkText() {
  const lines = textViolations();
  return { ok: lines.length === 0, output: lines.join('\n') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    process.stderr.write(
      `Unknown check ${unknown.join(', ')}. There are: ${checks.map(({ name }) => name).join(', ')}.\n`,
    );
    process.exit(1);
  }
  const { passed, failed } = await runChecks(defaultLimitMs, names);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
