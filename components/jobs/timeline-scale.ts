/** The time axis of a job: where a moment lies on it, and where its ticks are. Pure. */

export interface Scale {
  readonly startMs: number;
  readonly endMs: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [1, 2, 5, 10, 15, 30]
  .flatMap((count) => [count * second, count * minute])
  .concat([1, 2, 3, 6, 12, 24, 72, 168].map((count) => count * hour))
  .sort((a, b) => a - b);
const mostTicks = 6;
/** A job of no length still has an axis. */
const shortestMs = second;

/** An axis from `startMs` over everything that is drawn. */
export function makeScale(startMs: number, ends: readonly number[]): Scale {
  return { startMs, endMs: Math.max(startMs + shortestMs, ...ends) };
}

/** Share of the width, in per cent, kept on the axis. */
export function placeOf(scale: Scale, ms: number): number {
  return Math.min(100, Math.max(0, ((ms - scale.startMs) / (scale.endMs - scale.startMs)) * 100));
}

/** Offsets from the start at round durations, the first at 0; six at most. */
export function ticksOf(scale: Scale): readonly number[] {
  const length = scale.endMs - scale.startMs;
  const step = steps.find((each) => length / each <= mostTicks) ?? Math.ceil(length / mostTicks / hour) * hour;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}
