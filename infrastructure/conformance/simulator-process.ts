import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { ContractFaults, FaultyMethod } from './subject';

export interface SimulatorProcess {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly faults: ContractFaults;
  /** The control port; see simulator/README.md. Throws what it answers where that is no success. */
  readonly control: Control;
  stop(): Promise<void>;
}

type Control = (method: string, path: string, body?: unknown) => Promise<void>;

const root = join(import.meta.dirname, '..', '..');
const readyLine = z.object({ ready: z.literal(true), apiUrl: z.string(), controlUrl: z.string() });
const startMs = 20_000;

const commands: Readonly<Record<FaultyMethod, string>> = {
  ensureNetwork: 'createNetwork',
  ensureMachine: 'deployVirtualMachine',
  startMachine: 'startVirtualMachine',
  listZones: 'listZones',
};

/** The simulated cloud in a process of its own, on free ports and in a subnet of its own (`127.x`). Ends with `stop`. */
export async function startSimulatorProcess(subnet: string): Promise<SimulatorProcess> {
  const keys = { apiKey: 'contract-key', secretKey: crypto.randomUUID() };
  const controlSecret = crypto.randomUUID();
  const child = spawn(process.execPath, ['--import', 'tsx', 'simulator/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SIMULATOR_PORT: '0',
      SIMULATOR_CONTROL_PORT: '0',
      SIMULATOR_CONTROL_SECRET: controlSecret,
      SIMULATOR_SPEED: '0.01',
      SIMULATOR_SUBNET: subnet,
      SIMULATOR_API_KEY: keys.apiKey,
      SIMULATOR_SECRET_KEY: keys.secretKey,
      SIMULATOR_EXIT_WITH_PARENT: '1',
    },
  });
  const { apiUrl, controlUrl } = await readiness(child);
  const control = controlPort(controlUrl, controlSecret);
  return { ...keys, apiUrl, faults: controlledFaults(control), control, stop: () => ended(child) };
}

async function readiness(child: ChildProcess): Promise<z.infer<typeof readyLine>> {
  const { stdout } = child;
  if (stdout === null) throw new Error('The simulator has no output.');
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The simulator was not ready within ${startMs} ms.`)), startMs);
    child.once('exit', (code) => reject(new Error(`The simulator ended with ${code} before it was ready.`)));
    createInterface({ input: stdout }).on('line', (line) => {
      const ready = line.startsWith('{') ? readyLine.safeParse(JSON.parse(line)) : undefined;
      if (ready?.success !== true) return;
      clearTimeout(late);
      resolve(ready.data);
    });
  });
}

function controlPort(controlUrl: string, secret: string): Control {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${controlUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The control port answered ${response.status}: ${await response.text()}`);
  };
}

function controlledFaults(control: Control): ContractFaults {
  const add = (method: FaultyMethod, action: Record<string, unknown>) =>
    control('POST', '/faults', { match: { command: commands[method] }, action, times: 1 });
  return {
    refuse: (method, code) => add(method, { kind: 'refuse', code }),
    failJob: (method, code) => add(method, { kind: 'fail-job', code }),
    loseAnswer: (method) => add(method, { kind: 'lose-answer' }),
    hang: (method) => add(method, { kind: 'hang' }),
    clear: () => control('DELETE', '/faults'),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await gone;
}
