/** The control port of the simulated cloud: faults, gates, ledger, state, acts behind the product's back. */

/** What a fault or gate waits for; `*` stands for anything within a text. */
export interface Match {
  readonly command?: string;
  readonly vm?: string;
  readonly step?: string;
  readonly cluster?: string;
  readonly verb?: string;
  readonly path?: string;
  readonly event?: string;
  /** From the nth time on. */
  readonly nth?: number;
}

export interface Fault {
  readonly match: Match;
  /** `{ kind: 'refuse', code: 533 }`, `{ kind: 'lose-answer' }`, `{ kind: 'slow', ms: 500 }` … */
  readonly action: { readonly kind: string; readonly code?: number; readonly ms?: number; readonly text?: string };
  /** How often; once unless said, null for always. */
  readonly times?: number | null;
}

export interface Gate {
  readonly id: string;
  /** Resolves when a call stands at the gate; throws when none does in time. */
  reached(timeoutMs?: number): Promise<void>;
  /** Lets everything pass from now on; with `once` only what stands there. */
  release(options?: { once?: boolean }): Promise<void>;
  remove(): Promise<void>;
}

export interface LedgerEntry {
  readonly sequence: number;
  readonly kind: 'call' | 'effect' | 'control';
  readonly what: string;
  /** `<job id>/<token>/<step>` */
  readonly operation: string | null;
  readonly details: Record<string, unknown>;
  readonly outcome: string | null;
  readonly answerLost: boolean;
}

export interface SimulatorClient {
  readonly apiUrl: string;
  /** Any route of the control port, e.g. `post('/vm/<name>/stop')`. */
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  addFault(fault: Fault): Promise<{ id: string }>;
  removeFault(id: string): Promise<void>;
  /** Holds whatever fits; a gate released or removed lets it go on. */
  addGate(match: Match, when?: 'before' | 'after' | 'job-before' | 'job-after'): Promise<Gate>;
  ledger(since?: number): Promise<{ lastSequence: number; entries: LedgerEntry[] }>;
  state(): Promise<Record<string, unknown>>;
}

const patienceMs = 30_000;

export function createSimulatorClient(facts: {
  apiUrl: string;
  controlUrl: string;
  controlSecret: string;
}): SimulatorClient {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(new URL(path, facts.controlUrl), {
      method,
      headers: { authorization: `Bearer ${facts.controlSecret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} of the simulated cloud: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const gateOf = (id: string): Gate => ({
    id,
    reached: async (timeoutMs = patienceMs) => {
      const { stands } = await ask<{ stands: boolean }>('GET', `/gates?waitFor=${id}&timeoutMs=${timeoutMs}`);
      if (!stands) throw new Error(`nothing came to gate ${id} within ${timeoutMs} ms`);
    },
    release: async ({ once = false } = {}) => void (await ask('POST', `/gates/${id}/release`, { once })),
    remove: async () => void (await ask('DELETE', `/gates/${id}`)),
  });
  return {
    apiUrl: facts.apiUrl,
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    delete: (path) => ask('DELETE', path),
    addFault: (fault) => ask('POST', '/faults', fault),
    removeFault: async (id) => void (await ask('DELETE', `/faults/${id}`)),
    addGate: async (match, when = 'before') =>
      gateOf((await ask<{ id: string }>('POST', '/gates', { match, when })).id),
    ledger: (since = 0) => ask('GET', `/ledger?since=${since}`),
    state: () => ask('GET', '/state'),
  };
}
