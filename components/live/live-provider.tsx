'use client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { readJson } from '@/components/request';
import { serverNowMs, syncClock } from '@/components/ui/clock';
import { resync } from './live-keys';
import { electLeader, openTabChannel, type TabMessage } from './live-leader';
import { startRefresher } from './live-refresh';
import { type LiveMode, liveModes, liveState, updateLive } from './live-state';
import { type Hello, openStream } from './live-stream';

const modeKey = 'holdfast-live-mode';
/** After so many failures in a row the page asks by itself. */
const failuresBeforePolling = 3;
const pollMs = 5_000;
/** A leader is heard of at least every 15 s; a tab that hears nothing for this long looks after itself. */
const leaderSilenceMs = 40_000;
const summaryPath = '/api/v1/summary';

export function chooseLiveMode(mode: LiveMode): void {
  updateLive({ mode });
  try {
    localStorage.setItem(modeKey, mode);
  } catch {
    // Not kept then.
  }
}

/** Connects the page to the live stream, once. `deployment` is the build that made this page. */
export function LiveProvider({ deployment, children }: { deployment: string; children: ReactNode }) {
  const client = useQueryClient();
  useEffect(() => {
    const kept = liveModes.find((mode) => mode === localStorage.getItem(modeKey));
    if (kept !== undefined) updateLive({ mode: kept });
    const refresher = startRefresher(client);
    const stop = connect(deployment, (texts) => refresher.note(texts));
    return () => {
      stop();
      refresher.stop();
    };
  }, [client, deployment]);
  return children;
}

function connect(deployment: string, note: (texts: readonly string[]) => void): () => void {
  let isLeader = false;
  let lastHello: Hello | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function take(message: TabMessage) {
    if (message.kind === 'ask') {
      if (isLeader) tellHealth();
      return;
    }
    if (!isLeader) watchLeader();
    if (message.kind === 'ids') {
      updateLive({ heardAt: new Date(serverNowMs()).toISOString() });
      note(message.ids);
    } else {
      if (message.heardAt !== null) syncClock(message.heardAt);
      const changed =
        message.hello === null
          ? {}
          : { server: message.hello.server, isOutdated: message.hello.deployment !== deployment };
      updateLive({ health: message.health, heardAt: message.heardAt, ...changed });
    }
  }
  const tabs = openTabChannel(take);
  const tell = (message: TabMessage) => {
    take(message);
    tabs.post(message);
  };
  const tellHealth = (change: { health?: 'live' | 'polling' | 'lost'; heardAt?: string } = {}) => {
    const { health, heardAt } = liveState();
    tell({
      kind: 'health',
      health: change.health ?? (health === 'connecting' ? 'lost' : health),
      heardAt: change.heardAt ?? heardAt,
      hello: lastHello,
    });
  };
  function watchLeader() {
    clearTimeout(silence);
    silence = setTimeout(() => updateLive({ health: 'lost' }), leaderSilenceMs);
  }

  function lead() {
    isLeader = true;
    clearTimeout(silence);
    let polling: ReturnType<typeof setInterval> | undefined;
    const poll = async () => {
      try {
        await readJson<unknown>(summaryPath);
        tellHealth({ health: 'polling', heardAt: new Date().toISOString() });
        tell({ kind: 'ids', ids: [resync] });
      } catch {
        tellHealth({ health: 'lost' });
      }
    };
    const stopPolling = () => {
      clearInterval(polling);
      polling = undefined;
    };
    const close = openStream('/api/live', {
      onHello(hello) {
        stopPolling();
        lastHello = hello;
        tellHealth({ health: 'live', heardAt: hello.time });
        tell({ kind: 'ids', ids: [resync] });
      },
      onIds: (ids) => tell({ kind: 'ids', ids }),
      onBeat: (time) => tellHealth({ health: 'live', heardAt: time }),
      onDown(failures) {
        if (failures < failuresBeforePolling || polling !== undefined) return;
        void poll();
        polling = setInterval(() => void poll(), pollMs);
      },
      onSignedOut: () => location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`),
    });
    return () => {
      isLeader = false;
      stopPolling();
      close();
    };
  }

  const leave = electLeader(lead);
  tabs.post({ kind: 'ask' });
  return () => {
    leave();
    clearTimeout(silence);
    tabs.close();
  };
}
