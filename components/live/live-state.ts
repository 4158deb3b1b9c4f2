/** What the page knows about its live updates; a store outside of React, because one connection serves the whole page. */
import { useSyncExternalStore } from 'react';

/** `polling`: the stream is down and answers still come. `lost`: neither. */
export type LiveHealth = 'connecting' | 'live' | 'polling' | 'lost';
/** How changes are shown: at once, every n seconds, or not at all (WCAG 2.2.2). */
export const liveModes = ['live', '5', '15', '60', 'paused'] as const;
export type LiveMode = (typeof liveModes)[number];

export interface LiveState {
  readonly health: LiveHealth;
  readonly mode: LiveMode;
  /** When the server was last heard of (ISO): how old what is shown may be. */
  readonly heardAt: string | null;
  /** The server behind the stream. */
  readonly server: string | null;
  /** A newer build answers; this page should be loaded again. */
  readonly isOutdated: boolean;
}

const initial: LiveState = { health: 'connecting', mode: 'live', heardAt: null, server: null, isOutdated: false };
let state: LiveState = initial;
const listeners = new Set<() => void>();

export function liveState(): LiveState {
  return state;
}

export function updateLive(change: Partial<LiveState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLive(): LiveState {
  return useSyncExternalStore(onLiveChange, liveState, () => initial);
}
