'use client';
import { useSyncExternalStore } from 'react';
import { onTick, tickedNowMs } from './clock';

/** Server time in whole seconds, ticking; null on the server and until the page has come alive. */
export function useNow(): number | null {
  return useSyncExternalStore(onTick, tickedNowMs, () => null);
}
