/** The reader's choice between UTC and local time, kept in this browser. */
import { useSyncExternalStore } from 'react';
import type { TimeZoneChoice } from './time-format';

const key = 'holdfast-time-zone';
const listeners = new Set<() => void>();

function read(): TimeZoneChoice {
  try {
    return localStorage.getItem(key) === 'local' ? 'local' : 'utc';
  } catch {
    return 'utc';
  }
}

export function chooseTimeZone(choice: TimeZoneChoice): void {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // A browser that keeps nothing shows UTC.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

export function useTimeZone(): TimeZoneChoice {
  return useSyncExternalStore(subscribe, read, () => 'utc');
}
