/** A cluster's API server: TLS with the cluster's own CA on both sides, faults and gates, and an answer for every request. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { TLSSocket } from 'node:tls';
import { readBody, setTimeouts } from '@/simulator/cloudstack/server';
import type { Happening } from '@/simulator/core/faults';
import { authenticate, authorise } from './authentication';
import { issueServerCertificate } from './certificates';
import type { ClusterRuntime } from './cluster-runtime';
import { answerGeneral } from './general';
import type { Reply } from './reply';
import { type ApiRequest, parseTarget, type Target, verbOf } from './request';
import { answerResource } from './resource-requests';
import { failure, StatusError } from './status';
import { answerWatch } from './watch';

const slowMs = 2_000;

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

export function write(response: ServerResponse, reply: Reply, retryAfter: number | null): void {
  const json = typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body);
  const headers: Record<string, string> = {
    'content-type': reply.contentType ?? (json ? 'application/json' : 'text/plain; charset=utf-8'),
    'cache-control': 'no-cache, private',
  };
  if (retryAfter !== null) headers['retry-after'] = String(retryAfter);
  response.writeHead(reply.status, headers).end(json ? JSON.stringify(reply.body) : reply.body);
}

/** States of the whole API server that a test has set. */
async function passApiState(runtime: ClusterRuntime, request: ApiRequest, verb: string): Promise<void> {
  const state = runtime.cluster.api;
  if (state === 'slow') await runtime.world.clock.sleep(slowMs);
  if (state === 'unready') throw new StatusError(request.path.startsWith('/readyz') ? 500 : 503, 'etcd is not ready');
  if (state === 'readonly' && !['get', 'list', 'watch'].includes(verb))
    throw new StatusError(503, 'etcdserver: request timed out');
}

/** True when the request is over: a fault broke it off or let it hang. */
async function strike(runtime: ClusterRuntime, happening: Happening, socket: TLSSocket): Promise<boolean> {
  const fault = runtime.world.faults.take(happening, ['refuse', 'hang', 'close', 'slow']);
  if (fault === undefined) return false;
  if (fault.kind === 'slow') await runtime.world.clock.sleep(fault.ms);
  if (fault.kind === 'refuse') throw new StatusError(fault.code, fault.text ?? 'the request was refused by a fault');
  if (fault.kind === 'close') socket.destroy();
  return fault.kind === 'hang' || fault.kind === 'close';
}

function happeningOf(runtime: ClusterRuntime, request: ApiRequest, verb: string, operation: string): Happening {
  const { cluster } = runtime;
  const tag = runtime.world.tagsOf(cluster.firstControlId).find((entry) => entry.key === 'holdfast-cluster')?.value;
  return {
    verb,
    path: request.path,
    cluster: tag ?? cluster.tag ?? cluster.name,
    step: operation === '' ? undefined : operation,
  };
}

function replyTo(request: ApiRequest, target: Target | null): Reply {
  return target === null ? answerGeneral(request) : answerResource(request, target);
}

async function handle(
  runtime: ClusterRuntime,
  incoming: IncomingMessage,
  response: ServerResponse,
  socket: TLSSocket,
): Promise<void> {
  const { world } = runtime;
  const url = new URL(incoming.url ?? '/', 'https://cluster');
  const operation = header(incoming, 'x-holdfast-operation');
  const identity = authenticate(runtime, socket, incoming.headers.authorization, url.pathname);
  const request: ApiRequest = {
    runtime,
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    accept: header(incoming, 'accept'),
    contentType: header(incoming, 'content-type'),
    userAgent: header(incoming, 'user-agent'),
    identity,
    operation,
    body: await readBody(incoming),
  };
  const target = parseTarget(runtime, url.pathname);
  const sequence = world.ledger.open();
  const verb = verbOf(request.method, target, url.searchParams);
  const happening = happeningOf(runtime, request, verb, operation);
  const origin = { operation: operation || null, account: identity.name, jobId: null };
  const record = (outcome: string, answerLost = false) =>
    world.ledger.call(sequence, `${verb} ${url.pathname}`, origin, {
      details: { cluster: runtime.cluster.id, query: url.search },
      outcome,
      answerLost,
    });
  try {
    authorise(identity, verb, url.pathname);
    await world.gates.pass('before', happening);
    if (await strike(runtime, happening, socket)) return record('broken off', true);
    await passApiState(runtime, request, verb);
    const loss = world.faults.take(happening, ['lose-answer']);
    if (verb === 'watch' && target !== null) {
      record('watch');
      return answerWatch(request, target, response);
    }
    const reply = replyTo(request, target);
    record(String(reply.status), loss !== undefined);
    world.records.flush();
    world.ledger.flush();
    await world.gates.pass('after', happening);
    if (loss !== undefined) return void socket.destroy();
    write(response, reply, null);
  } catch (error) {
    record(error instanceof StatusError ? String(error.code) : '500');
    throw error;
  }
}

function answerError(runtime: ClusterRuntime, error: unknown, response: ServerResponse): void {
  if (!(error instanceof StatusError)) runtime.world.unexpected(error);
  if (response.headersSent || response.destroyed) return void response.destroy();
  const status = error instanceof StatusError ? error : new StatusError(500, 'Internal error occurred');
  write(response, { status: status.code, body: failure(status) }, status.retryAfter);
}

/** A server that is not yet listening. */
export function createClusterServer(runtime: ClusterRuntime): Server {
  const { cluster } = runtime;
  const shown =
    cluster.api === 'expired'
      ? issueServerCertificate({
          caPem: cluster.caPem,
          caKeyPem: cluster.caKeyPem,
          names: [cluster.endpointHost],
          expired: true,
        })
      : { certificatePem: cluster.serverCertPem, keyPem: cluster.serverKeyPem };
  const options = {
    cert: shown.certificatePem,
    key: shown.keyPem,
    ca: cluster.caPem,
    requestCert: true,
    rejectUnauthorized: false,
    noDelay: true,
  };
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    if (!(socket instanceof TLSSocket)) return response.destroy();
    handle(runtime, request, response, socket).catch((error: unknown) => answerError(runtime, error, response));
  });
  setTimeouts(server);
  server.on('tlsClientError', () => {
    // A client with another CA hangs up; nothing to do.
  });
  return server;
}
