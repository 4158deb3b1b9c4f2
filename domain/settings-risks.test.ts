import { describe, expect, test } from 'vitest';
import { type SettingsInForce, settingsRisks } from './settings-risks';

/** What `npm run up` runs with. */
const usual: SettingsInForce = {
  beatMs: 2_000,
  leaseMs: 8_000,
  cronPeriodMs: 5_000,
  retentionHours: 24 * 90,
  cronSecretIsSet: true,
  publicUrl: 'http://127.0.0.1:3000',
  cloudIsSimulated: true,
  clockSkewMs: 20,
  protocols: [2, 2],
};

describe('settings that check each other', () => {
  test('the usual ones are without risk', () => {
    expect(settingsRisks(usual)).toEqual([]);
    expect(settingsRisks({ ...usual, cloudIsSimulated: false, publicUrl: 'https://holdfast.example.org' })).toEqual([]);
  });

  test.each<[string, Partial<SettingsInForce>, string, RegExp]>([
    ['three beats a lease', { leaseMs: 6_000 }, 'lease', /3 missed beats/],
    ['a lease shorter than a pause', { leaseMs: 1_000, beatMs: 200, cronPeriodMs: 500 }, 'lease', /pause of 1 s/],
    ['a lease of minutes', { leaseMs: 120_000 }, 'lease', /held for 120 s/],
    ['a cron period longer than a lease', { cronPeriodMs: 30_000 }, 'cron', /up to 38 s/],
    ['no cron secret', { cronSecretIsSet: false }, 'cron', /closed/],
    ['a day of history', { retentionHours: 24 }, 'retention', /a week ago/],
    ['a history shorter than an operation', { retentionHours: 1 }, 'retention', /may take/],
    ['an address that machines cannot reach', { cloudIsSimulated: false }, 'public-url', /cannot reach 127.0.0.1/],
    ['an open address', { publicUrl: 'http://holdfast.example.org' }, 'public-url', /without encryption/],
    ['a clock that is wrong', { clockSkewMs: -60_000 }, 'clock', /60 s behind/],
    ['servers of two versions', { protocols: [1, 2] }, 'protocol', /two versions/],
  ])('%s is named', (_what, more, setting, text) => {
    const risks = settingsRisks({ ...usual, ...more });
    expect(risks.map((risk) => risk.setting)).toEqual([setting]);
    expect(risks[0]?.text).toMatch(text);
  });
});
