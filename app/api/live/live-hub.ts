/** One LISTEN connection a server process; every open stream hears it. Ids only: who may see what is decided when they are read. */
import 'server-only';
import { runtime } from '@/runtime';

/** `cluster <id>`, `job <id> <cluster>`, `server <id>`, `pass <id>`, `event <cluster>`, or `resync`: anything may have been missed. */
type Listener = (texts: readonly string[]) => void;

interface Hub {
  readonly listeners: Set<Listener>;
  readonly pending: Set<string>;
  listening: Promise<unknown> | undefined;
}

const slot = Symbol.for('holdfast.live-hub');
type Global = typeof globalThis & { [slot]?: Hub };

const channel = 'holdfast';
/** A transaction notifies of several rows at once; they travel together. */
const gatherMs = 20;
const retryMs = 1_000;

function hub(): Hub {
  const holder = globalThis as Global;
  holder[slot] ??= { listeners: new Set(), pending: new Set(), listening: undefined };
  return holder[slot];
}

/** Calls `listener` with what changed, until the returned function is called. */
export function hearChanges(listener: Listener): () => void {
  const { listeners } = hub();
  listeners.add(listener);
  listen();
  return () => listeners.delete(listener);
}

/** Begins to listen once, and tries again while the database is away. postgres.js listens again by itself after a lost connection. */
function listen(): void {
  const own = hub();
  own.listening ??= runtime()
    .sql.listen(channel, gather, () => gather('resync'))
    .catch((error: unknown) => {
      console.warn('live updates: cannot listen yet', error instanceof Error ? error.message : error);
      own.listening = undefined;
      setTimeout(() => {
        if (own.listeners.size > 0) listen();
      }, retryMs);
    });
}

function gather(text: string): void {
  const { pending } = hub();
  if (pending.size === 0) setTimeout(spread, gatherMs);
  pending.add(text);
}

function spread(): void {
  const { pending, listeners } = hub();
  const texts = [...pending];
  pending.clear();
  for (const listener of listeners) listener(texts);
}
