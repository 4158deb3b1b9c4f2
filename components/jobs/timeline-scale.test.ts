import { describe, expect, it } from 'vitest';
import { makeScale, placeOf, ticksOf } from './timeline-scale';

describe('the time axis of a job', () => {
  it.each([400, 1_000, 7_000, 59_000, 61_000, 754_000, 3_600_000, 90_000_000, 9_000_000_000])(
    'has one to seven ticks for %i ms, all on it',
    (length) => {
      const scale = makeScale(1_000_000, [1_000_000 + length]);
      const ticks = ticksOf(scale);
      expect(ticks.length).toBeGreaterThanOrEqual(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
      for (const tick of ticks) expect(scale.startMs + tick).toBeLessThanOrEqual(scale.endMs);
    },
  );
  it('keeps moments outside of it on its edges', () => {
    const scale = makeScale(0, [10_000]);
    expect([placeOf(scale, -5), placeOf(scale, 5_000), placeOf(scale, 20_000)]).toEqual([0, 50, 100]);
  });
  it('a job of no length has an axis', () => expect(placeOf(makeScale(5, [5]), 5)).toBe(0));
});
