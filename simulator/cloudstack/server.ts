/** The listener of the CloudStack API: one request from its bytes to its answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { JsonObject } from '@/simulator/core/json';
import { withoutSecrets } from '@/simulator/core/ledger';
import type { World } from '@/simulator/world';
import { type Answered, dispatch, type Received } from './dispatch';
import { readParameters } from './parameters';

const largestBodyBytes = 4 * 1_024 * 1_024;

/** Idle connections live longer than any client's pause; Node's own 5 s makes old clients fail with an unexpected end. */
export function setTimeouts(server: Server): void {
  server.keepAliveTimeout = 120_000;
  server.headersTimeout = 125_000;
  server.requestTimeout = 0;
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > largestBodyBytes) throw new Error('request body too large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function send(response: ServerResponse, status: number, body: JsonObject, errorText: string | null): void {
  const text = JSON.stringify(body);
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=UTF-8' };
  if (errorText !== null) headers['x-description'] = errorText.replace(/[^\x20-\x7e]/g, '?');
  response.writeHead(status, headers).end(text);
}

function record(world: World, received: Received, answered: Answered): void {
  const { command, operation } = received;
  world.ledger.call(
    received.sequence,
    command === '' ? '(none)' : command,
    { operation, account: answered.account, jobId: answered.jobId },
    {
      details: withoutSecrets(Object.fromEntries(received.parameters)),
      outcome: answered.action === 'answer' ? String(answered.status) : answered.action,
      answerLost: answered.action === 'lose',
    },
  );
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (!/^\/client\/api\/?$/.test(url.pathname)) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    return;
  }
  const body = (await readBody(request)).toString('utf8');
  const form = (header(request, 'content-type') ?? '').startsWith('application/x-www-form-urlencoded');
  const parameters = readParameters(url.search, form ? body : '');
  const received: Received = {
    sequence: world.ledger.open(),
    parameters,
    command: parameters.get('command') ?? '',
    method: request.method ?? 'GET',
    operation: header(request, 'x-holdfast-operation'),
  };
  const answered = await dispatch(world, received);
  record(world, received, answered);
  // Written before the answer: what a client was told must survive a crash.
  world.records.flush();
  world.ledger.flush();
  if (answered.action === 'hang') return;
  if (answered.action !== 'answer') {
    request.socket.destroy();
    return;
  }
  send(response, answered.status, answered.body, answered.errorText);
}

/** Makes the server; whatever goes wrong in a request is answered with 530 and ends nothing else. */
export function createApiServer(world: World): Server {
  const server = createServer({ noDelay: true }, (request, response) => {
    handle(world, request, response).catch((error: unknown) => {
      world.unexpected(error);
      if (response.headersSent) return response.destroy();
      send(
        response,
        530,
        { errorresponse: { uuidList: [], errorcode: 530, errortext: 'Internal error' } },
        'Internal error',
      );
    });
  });
  setTimeouts(server);
  return server;
}
