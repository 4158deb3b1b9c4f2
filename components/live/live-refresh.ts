/** Makes queries out of date: exactly those that a change touches, gathered so that a busy fleet does not cost a refetch a row. */
import { focusManager, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { keysOf } from './live-keys';
import { liveState, onLiveChange } from './live-state';

/** A burst is shown after this, and nothing is shown more often than every `trailMs`. */
const leadMs = 250;
const trailMs = 1_000;

export interface Refresher {
  /** Texts of the stream. */
  note(texts: readonly string[]): void;
  stop(): void;
}

export function startRefresher(client: QueryClient): Refresher {
  let pending = new Map<string, QueryKey>();
  let isAllPending = false;
  let lastFlush = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    timer = undefined;
    if (liveState().mode === 'paused' || document.visibilityState === 'hidden') return;
    if (!isAllPending && pending.size === 0) return;
    lastFlush = performance.now();
    const keys = isAllPending ? [undefined] : [...pending.values()];
    pending = new Map();
    isAllPending = false;
    // Errors are shown by the queries themselves.
    for (const queryKey of keys)
      void client.invalidateQueries(queryKey === undefined ? {} : { queryKey }, { cancelRefetch: false });
  }

  function schedule() {
    const { mode } = liveState();
    if (timer !== undefined || mode === 'paused') return;
    const period = mode === 'live' ? trailMs : Number(mode) * 1000;
    timer = setTimeout(flush, Math.max(leadMs, lastFlush + period - performance.now()));
  }

  function reconsider() {
    // Pausing holds everything still, also what would come with the window's focus.
    focusManager.setFocused(liveState().mode === 'paused' ? false : undefined);
    clearTimeout(timer);
    timer = undefined;
    if (isAllPending || pending.size > 0) schedule();
  }

  let mode = liveState().mode;
  const stopWatching = onLiveChange(() => {
    if (liveState().mode === mode) return;
    mode = liveState().mode;
    reconsider();
  });
  document.addEventListener('visibilitychange', reconsider);
  return {
    note(texts) {
      for (const text of texts) {
        const keys = keysOf(text);
        if (keys === null) isAllPending = true;
        else for (const key of keys) pending.set(JSON.stringify(key), key);
      }
      schedule();
    },
    stop() {
      stopWatching();
      document.removeEventListener('visibilitychange', reconsider);
      clearTimeout(timer);
    },
  };
}
