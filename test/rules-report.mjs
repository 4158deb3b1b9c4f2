/**
 * Which test proves which rule: `node test/rules-report.mjs [vitest's JSON report]`, or `npm test -- --rules`. Imports nothing but
 * Node's own modules.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rules } from './rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** One or more numbers at the beginning of a name. */
const leadingNumbers = /^(?:[A-Z]{3,4}-\d+[\s:,]+)+/;
const number = /[A-Z]{3,4}-\d+/g;
/** Tests of one file are shown up to this many; a table by state can have a hundred. */
const shownOfEachFile = 4;

/**
 * @typedef {{ ancestorTitles: string[], title: string, status: string }} Assertion
 * @typedef {{ testResults: { name: string, assertionResults: Assertion[] }[] }} VitestReport
 * @typedef {{ file: string, title: string, passed: boolean, ran: boolean }} Proof
 * @typedef {'passed' | 'failed' | 'not run' | 'missing' | 'nothing to test'} RuleResult
 * @typedef {{ id: string, what: string, result: RuleResult, proofs: Proof[], why?: string }} RuleLine
 */

/** @param {VitestReport} report @returns {RuleLine[]} */
export function ruleLines(report) {
  const proofs = proofsByRule(report);
  return rules.map(({ id, what, nothingToTest }) => {
    const own = proofs.get(id) ?? [];
    if (own.length === 0 && nothingToTest !== undefined) {
      return { id, what, result: 'nothing to test', proofs: own, why: nothingToTest };
    }
    return { id, what, result: resultOf(own), proofs: own };
  });
}

/** Numbers in test names that are no rules: a typing error would otherwise look like a missing test. @param {VitestReport} report */
export function unknownNumbers(report) {
  const known = new Set(rules.map(({ id }) => id));
  const families = new Set(rules.map(({ id }) => id.split('-')[0]));
  return [...proofsByRule(report).keys()].filter((id) => families.has(id.split('-')[0]) && !known.has(id));
}

/** @param {VitestReport} report */
function proofsByRule(report) {
  /** @type {Map<string, Proof[]>} */
  const found = new Map();
  for (const { name, assertionResults } of report.testResults) {
    const file = relative(root, name);
    for (const { ancestorTitles, title, status } of assertionResults) {
      const numbers = new Set([...ancestorTitles, title].flatMap(numbersAtStart));
      const proof = { file, title, passed: status === 'passed', ran: status === 'passed' || status === 'failed' };
      for (const id of numbers) found.set(id, [...(found.get(id) ?? []), proof]);
    }
  }
  return found;
}

/** @param {string} title @returns {string[]} */
function numbersAtStart(title) {
  return leadingNumbers.exec(`${title} `)?.[0].match(number) ?? [];
}

/** @param {Proof[]} proofs @returns {RuleResult} */
function resultOf(proofs) {
  if (proofs.length === 0) return 'missing';
  const ran = proofs.filter((proof) => proof.ran);
  if (ran.some((proof) => !proof.passed)) return 'failed';
  return ran.length === 0 ? 'not run' : 'passed';
}

/** @param {VitestReport} report @returns {string} */
export function rulesText(report) {
  const lines = ruleLines(report);
  const text = lines.flatMap(({ id, what, result, proofs, why }) => [
    `${id.padEnd(8)}${result.padEnd(17)}${what}${why === undefined ? '' : ` (${why})`}`,
    ...proofLines(proofs),
  ]);
  /** @param {RuleResult} result */
  const ids = (result) => lines.filter((line) => line.result === result).map(({ id }) => id);
  const unknown = unknownNumbers(report);
  return [
    ...text,
    '',
    `${lines.length} rules: ${ids('passed').length} proven, ${ids('nothing to test').length} with nothing to test`,
    ...['failed', 'not run', 'missing']
      .map((result) => [result, ids(/** @type {RuleResult} */ (result))])
      .filter(([, found]) => found !== undefined && found.length > 0)
      .map(([result, found]) => `${String(result)}: ${Array.isArray(found) ? found.join(', ') : ''}`),
    ...(unknown.length === 0 ? [] : [`no such rule: ${unknown.join(', ')}`]),
    '',
  ].join('\n');
}

/** @param {Proof[]} proofs @returns {string[]} */
function proofLines(proofs) {
  return [...new Set(proofs.map(({ file }) => file))].flatMap((file) => {
    const own = proofs.filter((proof) => proof.file === file);
    // Failures first: they are what one looks for.
    const shown = own.toSorted((a, b) => Number(a.passed) - Number(b.passed)).slice(0, shownOfEachFile);
    const left = own.length - shown.length;
    return [
      ...shown.map(
        ({ title, passed, ran }) => `          ${passed ? 'ok  ' : ran ? 'FAIL' : 'skip'}  ${file}: ${title}`,
      ),
      ...(left > 0 ? [`                ${file}: … and ${left} more`] : []),
    ];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = resolve(process.argv[2] ?? join(root, '.holdfast', 'reports', 'vitest.json'));
  process.stdout.write(rulesText(JSON.parse(readFileSync(path, 'utf8'))));
}
