/** One clock for the page, on the server's time: everything that shows an age ticks together. No React here: see use-now.ts. */

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
/** Server time minus this computer's, in ms. */
let offsetMs = 0;
let isOffsetKnown = false;
let nowMs = 0;
/** A difference beyond this means that somebody set a clock, not that an answer was slow. */
const clockSetMs = 5_000;

/**
 * Learns the server's time from an answer. Every answer is late by its way here, so of many the largest difference is the truest.
 */
export function syncClock(serverTime: string): void {
  const sample = Date.parse(serverTime) - Date.now();
  if (Number.isNaN(sample)) return;
  if (!isOffsetKnown || sample > offsetMs || offsetMs - sample > clockSetMs) {
    offsetMs = sample;
    isOffsetKnown = true;
  }
}

/** The server's time now, as well as it is known, in ms. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}

function tick() {
  nowMs = Math.floor(serverNowMs() / 1000) * 1000;
  for (const listener of listeners) listener();
}

/** Calls `listener` every second, until the returned function is called. */
export function onTick(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    tick();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of the last tick. */
export function tickedNowMs(): number {
  if (nowMs === 0) nowMs = Math.floor(serverNowMs() / 1000) * 1000;
  return nowMs;
}
