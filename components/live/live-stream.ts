/** The EventSource itself: opens, notices silence, opens again with growing, jittered waits. Used by one tab of a browser. */

export interface Hello {
  readonly deployment: string;
  readonly server: string;
  readonly time: string;
}

export interface StreamEvents {
  onHello(hello: Hello): void;
  onIds(ids: readonly string[]): void;
  onBeat(time: string): void;
  /** Called after each failed attempt, with how many there were in a row. */
  onDown(failures: number): void;
  onSignedOut(): void;
}

/** The server beats every 15 s; two missed ones mean that the connection is dead, even if nobody said so. */
const silenceMs = 35_000;
const firstWaitMs = 400;
const longestWaitMs = 8_000;

export function openStream(path: string, events: StreamEvents): () => void {
  let source: EventSource | undefined;
  let failures = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const heard = () => {
    clearTimeout(watch);
    watch = setTimeout(fail, silenceMs);
  };

  function fail() {
    clearTimeout(watch);
    source?.close();
    source = undefined;
    if (isClosed) return;
    failures += 1;
    events.onDown(failures);
    clearTimeout(waiting);
    // Half of the wait is chance, so that a server that comes back is not met by everybody at once.
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures, 6));
    waiting = setTimeout(open, wait / 2 + (Math.random() * wait) / 2);
  }

  function open() {
    if (isClosed) return;
    source = new EventSource(path);
    heard();
    source.onerror = fail;
    source.addEventListener('hello', (message) => {
      failures = 0;
      heard();
      events.onHello(JSON.parse(message.data) as Hello);
    });
    source.addEventListener('ids', (message) => {
      heard();
      events.onIds(JSON.parse(message.data) as string[]);
    });
    source.addEventListener('beat', (message) => {
      heard();
      events.onBeat(JSON.parse(message.data) as string);
    });
    source.addEventListener('bye', () => events.onSignedOut());
  }

  open();
  return () => {
    isClosed = true;
    clearTimeout(waiting);
    clearTimeout(watch);
    source?.close();
  };
}
