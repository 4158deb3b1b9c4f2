/** The control port of the simulated cloud: faults, gates, ledger, state. Never a part of what the product uses. */
export interface SimulatorClient {
  readonly apiUrl: string;
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  /** Each returns what the control port answers; the fault's id is in it. */
  addFault(fault: Record<string, unknown>): Promise<unknown>;
  removeFault(id: string): Promise<unknown>;
  addGate(gate: Record<string, unknown>): Promise<unknown>;
  removeGate(id: string): Promise<unknown>;
  gates(): Promise<unknown>;
  ledger(since?: number): Promise<unknown>;
  state(): Promise<unknown>;
}

export function createSimulatorClient(facts: {
  apiUrl: string;
  controlUrl: string;
  controlSecret: string;
}): SimulatorClient {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(new URL(path, facts.controlUrl), {
      method,
      headers: { authorization: `Bearer ${facts.controlSecret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} of the simulated cloud: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  return {
    apiUrl: facts.apiUrl,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body ?? {}),
    delete: (path) => ask('DELETE', path),
    addFault: (fault) => ask('POST', '/faults', fault),
    removeFault: (id) => ask('DELETE', `/faults/${encodeURIComponent(id)}`),
    addGate: (gate) => ask('POST', '/gates', gate),
    removeGate: (id) => ask('DELETE', `/gates/${encodeURIComponent(id)}`),
    gates: () => ask('GET', '/gates'),
    ledger: (since = 0) => ask('GET', `/ledger?since=${since}`),
    state: () => ask('GET', '/state'),
  };
}
