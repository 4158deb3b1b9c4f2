'use client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { connectLive } from './live-connection';
import { startRefresher } from './live-refresh';
import { type LiveMode, liveModes, updateLive } from './live-state';

const modeKey = 'holdfast-live-mode';

export function chooseLiveMode(mode: LiveMode): void {
  updateLive({ mode });
  try {
    localStorage.setItem(modeKey, mode);
  } catch {
    // Not kept then.
  }
}

function keptMode(): LiveMode | undefined {
  try {
    const kept = localStorage.getItem(modeKey);
    return liveModes.find((mode) => mode === kept);
  } catch {
    return undefined;
  }
}

/** Connects the page to the live stream, once. `deployment` is the build that made this page. */
export function LiveProvider({ deployment, children }: { deployment: string; children: ReactNode }) {
  const client = useQueryClient();
  useEffect(() => {
    const mode = keptMode();
    if (mode !== undefined) updateLive({ mode });
    const refresher = startRefresher(client);
    const stop = connectLive(deployment, (texts) => refresher.note(texts));
    return () => {
      stop();
      refresher.stop();
    };
  }, [client, deployment]);
  return children;
}
