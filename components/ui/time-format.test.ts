import { describe, expect, it } from 'vitest';
import { absoluteText, durationText, relativeText } from './time-format';

describe('durations and times as texts', () => {
  it.each([
    [0, '0 s'],
    [-5_000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [192_000, '3 min 12 s'],
    [20 * 60_000 + 5_000, '20 min'],
    [3_600_000, '1 h'],
    [11_100_000, '3 h 5 min'],
    [86_400_000, '1 d'],
    [2 * 86_400_000 + 7_200_000, '2 d 2 h'],
    [20 * 86_400_000 + 7_200_000, '20 d'],
  ])('%d ms is %s', (ms, text) => expect(durationText(ms)).toBe(text));

  it('says past, future and present apart', () => {
    const now = Date.parse('2026-12-01T12:00:00Z');
    expect(relativeText('2026-12-01T11:59:17Z', now)).toBe('43 s ago');
    expect(relativeText('2026-12-01T12:00:12Z', now)).toBe('in 12 s');
    expect(relativeText('2026-12-01T11:59:59Z', now)).toBe('just now');
  });

  it('leaves the date out where it is today, and never calls UTC anything else', () => {
    const now = Date.parse('2026-12-01T23:00:00Z');
    expect(absoluteText('2026-12-01T12:03:10Z', 'utc', now)).toBe('12:03:10 UTC');
    expect(absoluteText('2026-11-30T12:03:10Z', 'utc', now)).toBe('30 Nov 2026, 12:03:10 UTC');
  });

  it('shows what it cannot read as it is', () => expect(absoluteText('soon', 'utc')).toBe('soon'));
});
