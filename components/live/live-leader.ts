/** Which tab of a browser has the stream. Browsers allow six connections a host, so each tab having one would block the seventh. */
import type { Hello } from './live-stream';

/** What the leading tab tells the others. */
export type TabMessage =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'health';
      readonly health: 'live' | 'polling' | 'lost';
      readonly heardAt: string | null;
      readonly hello: Hello | null;
    }
  /** A tab that has just opened asks how things are. */
  | { readonly kind: 'ask' };

const name = 'holdfast-live';

/**
 * Calls `lead` in exactly one tab at a time; when that tab closes, in another one. `lead` returns its stop. Where the browser has no
 * Web Locks (plain http), every visible tab leads for itself.
 */
export function electLeader(lead: () => () => void): () => void {
  if (!('locks' in navigator)) return leadWhileVisible(lead);
  const left = new AbortController();
  navigator.locks
    .request(name, { signal: left.signal }, () => {
      const stop = lead();
      return new Promise<void>((resolve) => {
        left.signal.addEventListener('abort', () => {
          stop();
          resolve();
        });
      });
    })
    .catch((error: unknown) => {
      if (!left.signal.aborted) throw error;
    });
  return () => left.abort();
}

function leadWhileVisible(lead: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const adjust = () => {
    if (document.visibilityState === 'visible') stop ??= lead();
    else {
      stop?.();
      stop = undefined;
    }
  };
  document.addEventListener('visibilitychange', adjust);
  adjust();
  return () => {
    document.removeEventListener('visibilitychange', adjust);
    stop?.();
  };
}

export function openTabChannel(onMessage: (message: TabMessage) => void): {
  post: (message: TabMessage) => void;
  close: () => void;
} {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event: MessageEvent<TabMessage>) => onMessage(event.data);
  let isOpen = true;
  return {
    // What was on its way when the page left has nobody to go to.
    post: (message) => {
      if (isOpen) channel.postMessage(message);
    },
    close: () => {
      isOpen = false;
      channel.close();
    },
  };
}
