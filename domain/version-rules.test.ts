import { describe, expect, test } from 'vitest';
import { newVersion, newVersionIssues, versionNamedIn, versionText } from './version-rules';

const zones = [{ id: 'z-1', name: 'Zone 1', enabled: true }];
const iso = { id: 'i-1', name: 'v1.31.4-Kubernetes-Binaries-ISO', ready: true, zoneId: null };
const wanted = { isoId: 'i-1', version: '1.31.4', zoneId: null, minCpuCount: 2, minMemoryMb: 2048 };

describe('the text of a version', () => {
  test.each(['1.31.4', 'v1.31.4', ' 1.11.0 ', '2.0.0', '1.100.0'])('%o is taken', (text) => {
    expect(versionText.parse(text)).toBe(text.trim().replace('v', ''));
  });
  test.each([
    '',
    '1.31',
    '1.31.4.2',
    '1.31.4-rc.1',
    '01.31.4',
    'latest',
    '1.31.x',
    '1.-1.0',
    '1.10.13',
    '1.9.99',
    '0.0.1',
    '1.31.4\u0000',
  ])('%o is not', (text) => {
    expect(versionText.safeParse(text).success).toBe(false);
  });
});

test.each([
  ['v1.31.4-Kubernetes-Binaries-ISO', '1.31.4'],
  ['kubernetes-1.30.2', '1.30.2'],
  ['setup-v1.29.11-calico', '1.29.11'],
  ['ubuntu-24.04', null],
  ['build-1.2.3.4', null],
  ['Windows', null],
])('the ISO %s tells %s', (name, version) => {
  expect(versionNamedIn(name)).toBe(version);
});

describe('a new version', () => {
  test('of a ready ISO that names it is fine', () => {
    expect(newVersionIssues(wanted, { isos: [iso], zones })).toEqual([]);
    expect(newVersionIssues({ ...wanted, zoneId: 'z-1' }, { isos: [iso], zones })).toEqual([]);
  });

  test.each([
    ['an ISO that is gone', { isoId: 'i-2' }, {}, 'isoId'],
    ['an ISO that is not ready', {}, { ready: false }, 'isoId'],
    ['an ISO of another version', { version: '1.31.3' }, {}, 'version'],
    ['an ISO whose version only begins like it', { version: '1.31.4' }, { name: 'v1.31.40' }, 'version'],
    ['an ISO whose version only ends like it', { version: '1.31.4' }, { name: '11.31.4' }, 'version'],
    ['a zone that is gone', { zoneId: 'z-9' }, {}, 'zoneId'],
    ["every zone for one zone's ISO", {}, { zoneId: 'z-1' }, 'zoneId'],
  ])('of %s is refused at its field', (_what, asked, offered, field) => {
    const issues = newVersionIssues({ ...wanted, ...asked }, { isos: [{ ...iso, ...offered }], zones });
    expect(issues.map((issue) => issue.field)).toEqual([field]);
  });

  test.each([
    ['one CPU', { minCpuCount: 1 }],
    ['two CPUs and a half', { minCpuCount: 2.5 }],
    ['no number', { minCpuCount: 'many' }],
    ['less than 2 GB', { minMemoryMb: 2047 }],
    ['endless memory', { minMemoryMb: 1e12 }],
    ['no ISO', { isoId: '' }],
  ])('with %s is no request', (_what, more) => {
    expect(newVersion.safeParse({ ...wanted, ...more }).success).toBe(false);
  });
});
