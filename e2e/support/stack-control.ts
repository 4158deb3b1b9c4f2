/** In the process that started the servers: does to them what specs ask. Loopback, with a secret. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendSignal, waitUntilGone } from '../../scripts/lib-process.mjs';
import { type Supervised, waitForAnswer } from '../../scripts/lib-supervise.mjs';

export type StackAct = 'kill' | 'stop' | 'restart' | 'pause' | 'resume';

export interface Controlled {
  readonly program: Supervised;
  /** Answers 200 when it is back; programs without a port have none. */
  readonly readyUrl?: string;
}

const readyWithinMs = 60_000;
const stopWithinMs = 30_000;

export async function startControl(programs: ReadonlyMap<string, Controlled>) {
  const secret = randomBytes(24).toString('hex');
  const server = createServer((request, response) => {
    const [, name = '', act = ''] = (request.url ?? '').split('/');
    const controlled = programs.get(name);
    if (request.headers.authorization !== `Bearer ${secret}`) return void response.writeHead(401).end();
    if (controlled === undefined || request.method !== 'POST') return void response.writeHead(404).end();
    perform(controlled, act as StackAct).then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, secret, close: () => server.close() };
}

export async function perform({ program, readyUrl }: Controlled, act: StackAct): Promise<void> {
  const pid = program.pid();
  switch (act) {
    case 'kill':
      return signalAndWait(pid, 'SIGKILL');
    case 'stop':
      return signalAndWait(pid, 'SIGTERM');
    case 'restart':
      await signalAndWait(pid, 'SIGKILL');
      await program.startAgain();
      if (readyUrl !== undefined) await waitForAnswer(program, readyUrl, { withinMs: readyWithinMs });
      return;
    case 'pause':
      if (pid !== undefined) sendSignal(pid, 'SIGSTOP');
      return;
    case 'resume':
      if (pid !== undefined) sendSignal(pid, 'SIGCONT');
      return;
    default:
      throw new Error(`unknown act ${String(act satisfies never)}`);
  }
}

async function signalAndWait(pid: number | undefined, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (pid === undefined) return;
  // A paused process takes no signal but SIGKILL.
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
  sendSignal(pid, signal);
  if (!(await waitUntilGone(pid, stopWithinMs))) throw new Error(`process ${pid} does not end on ${signal}`);
}
