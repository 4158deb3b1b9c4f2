import { describe, expect, test } from 'vitest';
import { rules } from './rules.mjs';
import { ruleLines, rulesText, unknownNumbers } from './rules-report.mjs';

/** How many rules each family of cluster-semantics section 3 has. */
const families = { CAS: 6, ENT: 9, HOLD: 7, SCL: 9, ADD: 3, SCN: 4, REC: 12, JOB: 2, MIX: 3, OUT: 8 };

function report(...tests: [title: string, status: string, ancestors?: string[]][]) {
  const assertionResults = tests.map(([title, status, ancestorTitles]) => ({
    title,
    status,
    ancestorTitles: ancestorTitles ?? [],
  }));
  return { testResults: [{ name: `${import.meta.dirname}/some.test.ts`, assertionResults }] };
}

const resultOf = (id: string, about: ReturnType<typeof report>) =>
  ruleLines(about).find((line) => line.id === id)?.result;

describe('the list of rules', () => {
  test('has every rule of section 3 once, in order', () => {
    const expected = Object.entries(families).flatMap(([family, count]) =>
      Array.from({ length: count }, (_, index) => `${family}-${index + 1}`),
    );
    expect(rules.map(({ id }) => id)).toEqual(expected);
  });

  test('says why for the three that have nothing to test', () => {
    expect(rules.filter((rule) => rule.nothingToTest !== undefined).map(({ id }) => id)).toEqual([
      'CAS-5',
      'SCL-7',
      'MIX-3',
    ]);
  });
});

describe('the report of rules', () => {
  test('counts a test for every number that its name, or that of a describe around it, begins with', () => {
    const about = report(
      ['ENT-2 ENT-3 the second enters nothing', 'passed'],
      ['waits', 'passed', ['OUT-1 a stop of a start']],
    );
    expect(['ENT-2', 'ENT-3', 'OUT-1'].map((id) => resultOf(id, about))).toEqual(['passed', 'passed', 'passed']);
  });

  test('does not count a number further on in a name', () => {
    expect(resultOf('REC-7', report(['the rule REC-7 is only mentioned', 'passed']))).toBe('missing');
  });

  test('tells failed, not run, missing and nothing to test apart', () => {
    const about = report(['CAS-1 one', 'passed'], ['CAS-1 other', 'failed'], ['CAS-2 later', 'skipped']);
    expect(['CAS-1', 'CAS-2', 'CAS-3', 'CAS-5'].map((id) => resultOf(id, about))).toEqual([
      'failed',
      'not run',
      'missing',
      'nothing to test',
    ]);
  });

  test('names numbers that are no rules', () => {
    expect(unknownNumbers(report(['REC-13 there is none', 'passed'], ['UTF-8 is no family', 'passed']))).toEqual([
      'REC-13',
    ]);
  });

  test('ends with what is proven and what is missing', () => {
    const text = rulesText(
      report(...rules.filter(({ id }) => id !== 'OUT-7').map(({ id }): [string, string] => [`${id} holds`, 'passed'])),
    );
    expect(text).toContain('OUT-7   missing');
    expect(text.trimEnd().split('\n').at(-1)).toBe('missing: OUT-7');
  });
});
