/**
 * This tab's connection to what changes: it listens to the leading tab, and leads when it is its turn. Leading means: it has the
 * stream, tells the others what it hears, and asks by itself while the stream is down.
 */
import { readJson } from '@/components/request';
import { serverNowMs, syncClock } from '@/components/ui/clock';
import { resync } from './live-keys';
import { electLeader, openTabChannel, type TabMessage } from './live-leader';
import { liveState, updateLive } from './live-state';
import { type Hello, openStream } from './live-stream';

/** After so many failures in a row the page asks by itself. */
const failuresBeforePolling = 3;
const pollMs = 5_000;
/** A leader is heard of at least every 15 s; a tab that hears nothing for this long looks after itself. */
const leaderSilenceMs = 40_000;
const summaryPath = '/api/v1/summary';

type Health = 'live' | 'polling' | 'lost';

/** `note` gets the texts of the stream. Returns its end. */
export function connectLive(deployment: string, note: (texts: readonly string[]) => void): () => void {
  let isLeader = false;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function take(message: TabMessage) {
    if (message.kind === 'ask') {
      if (isLeader) speaker.repeat();
      return;
    }
    clearTimeout(silence);
    if (!isLeader) silence = setTimeout(() => updateLive({ health: 'lost' }), leaderSilenceMs);
    if (message.kind === 'ids') {
      updateLive({ heardAt: new Date(serverNowMs()).toISOString() });
      note(message.ids);
      return;
    }
    if (message.heardAt !== null) syncClock(message.heardAt);
    const hello = message.hello;
    const known = hello === null ? {} : { server: hello.server, isOutdated: hello.deployment !== deployment };
    updateLive({ health: message.health, heardAt: message.heardAt, ...known });
  }

  const tabs = openTabChannel(take);
  const speaker = createSpeaker((message) => {
    take(message);
    tabs.post(message);
  });
  const leave = electLeader(() => {
    isLeader = true;
    const stop = followStream(speaker);
    return () => {
      isLeader = false;
      stop();
    };
  });
  tabs.post({ kind: 'ask' });
  return () => {
    leave();
    clearTimeout(silence);
    tabs.close();
  };
}

interface Speaker {
  health(health: Health, heardAt?: string): void;
  /** Says again how things are, to a tab that has just opened. */
  repeat(): void;
  ids(ids: readonly string[]): void;
  hello: Hello | null;
}

function createSpeaker(tell: (message: TabMessage) => void): Speaker {
  const speaker: Speaker = {
    hello: null,
    health: (health, heardAt) =>
      tell({ kind: 'health', health, heardAt: heardAt ?? liveState().heardAt, hello: speaker.hello }),
    repeat() {
      const { health } = liveState();
      if (health !== 'connecting') speaker.health(health);
    },
    ids: (ids) => tell({ kind: 'ids', ids }),
  };
  return speaker;
}

/** The leader's part. */
function followStream(speaker: Speaker): () => void {
  let polling: ReturnType<typeof setInterval> | undefined;
  const poll = async () => {
    try {
      await readJson<unknown>(summaryPath);
      // The stream came back meanwhile.
      if (polling === undefined) return;
      speaker.health('polling', new Date(serverNowMs()).toISOString());
      speaker.ids([resync]);
    } catch {
      if (polling !== undefined) speaker.health('lost');
    }
  };
  const stopPolling = () => {
    clearInterval(polling);
    polling = undefined;
  };
  const close = openStream('/api/live', {
    onHello(hello) {
      stopPolling();
      speaker.hello = hello;
      speaker.health('live', hello.time);
      speaker.ids([resync]);
    },
    onIds: (ids) => speaker.ids(ids),
    onBeat: (time) => speaker.health('live', time),
    onDown(failures) {
      if (failures < failuresBeforePolling || polling !== undefined) return;
      void poll();
      polling = setInterval(() => void poll(), pollMs);
    },
    onSignedOut: () => location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`),
  });
  return () => {
    stopPolling();
    close();
  };
}
