/** The control port: for tests and the demo page, never for the product. Bearer secret, JSON in and out, all of it in the ledger. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readBody, setTimeouts } from '@/simulator/cloudstack/server';
import { isObject, type JsonObject } from '@/simulator/core/json';
import type { World } from '@/simulator/world';
import { ControlError } from './request';
import { routes } from './routes';

function isAllowed(world: World, authorization: string | undefined): boolean {
  const secret = world.settings.controlSecret;
  // No secret set means closed, not open.
  if (secret === '') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${secret}`));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const text = (await readBody(request)).toString('utf8');
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Answered below, like a body that is no object.
  }
  throw new ControlError(400, 'the body must be a JSON object');
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isAllowed(world, request.headers.authorization))
    return send(response, 401, { error: 'authorization: Bearer <SIMULATOR_CONTROL_SECRET> is required' });
  const url = new URL(request.url ?? '/', 'http://localhost');
  const method = request.method ?? 'GET';
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(url.pathname) : null;
    if (match === null) continue;
    const body = await bodyOf(request);
    const answer = await route.run({
      world,
      parameters: match.slice(1).map(decodeURIComponent),
      query: url.searchParams,
      body,
    });
    if (method !== 'GET') world.ledger.control(`${method} ${url.pathname}`, body);
    world.records.flush();
    world.ledger.flush();
    return send(response, 200, answer);
  }
  send(response, 404, { error: `no route ${method} ${url.pathname}` });
}

export function createControlServer(world: World): Server {
  const server = createServer({ noDelay: true }, (request, response) => {
    handle(world, request, response).catch((error: unknown) => {
      if (!(error instanceof ControlError)) world.unexpected(error);
      send(response, error instanceof ControlError ? error.status : 500, {
        error: error instanceof Error ? error.message : 'failed',
      });
    });
  });
  setTimeouts(server);
  return server;
}
