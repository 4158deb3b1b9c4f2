/** Faults and gates over HTTP. */

import type { FaultAction, Match } from '@/simulator/core/fault-model';
import type { GatePoint } from '@/simulator/core/faults';
import type { JsonObject } from '@/simulator/core/json';
import { ControlError, type ControlRequest, numberIn, objectIn, type Route, textIn } from './request';

const textFields = ['command', 'vm', 'step', 'cluster', 'verb', 'path', 'event'] as const;

function matchIn(body: JsonObject): Match {
  const given = objectIn(body, 'match');
  const unknown = Object.keys(given).find((key) => key !== 'nth' && !textFields.some((field) => field === key));
  if (unknown !== undefined) throw new ControlError(400, `match.${unknown} is not known`);
  const match: Match = {};
  for (const field of textFields) {
    const value = textIn(given, field);
    if (value !== undefined) match[field] = value;
  }
  const nth = numberIn(given, 'nth');
  if (nth !== undefined) match.nth = nth;
  if (Object.keys(match).length === 0) throw new ControlError(400, 'match names nothing');
  return match;
}

function withText<T extends object>(action: T, given: JsonObject): T & { text?: string } {
  const text = textIn(given, 'text');
  return text === undefined ? action : { ...action, text };
}

function codeIn(given: JsonObject): number {
  const code = numberIn(given, 'code');
  if (code === undefined) throw new ControlError(400, 'action.code is required');
  return code;
}

function msIn(given: JsonObject): number {
  const ms = numberIn(given, 'ms');
  if (ms === undefined) throw new ControlError(400, 'action.ms is required');
  return ms;
}

function actionIn(body: JsonObject): FaultAction {
  const given = objectIn(body, 'action');
  const kind = textIn(given, 'kind');
  switch (kind) {
    case 'refuse':
    case 'fail-job':
    case 'finish-as':
      return withText({ kind, code: codeIn(given) }, given);
    case 'slow':
    case 'late':
      return { kind, ms: msIn(given) };
    case 'lose-answer': {
      const code = numberIn(given, 'code');
      return code === undefined ? { kind } : { kind, code };
    }
    case 'hang':
    case 'close':
    case 'job-hangs':
    case 'job-vanishes':
    case 'never':
    case 'not-ready':
    case 'lose-pod':
      return { kind };
    default:
      throw new ControlError(400, `action.kind ${kind ?? ''} is not known`);
  }
}

function addFault({ world, body }: ControlRequest) {
  const times = body['times'] === null ? null : numberIn(body, 'times');
  const until = numberIn(body, 'until');
  return world.faults.add({
    match: matchIn(body),
    action: actionIn(body),
    ...(times === undefined ? {} : { times }),
    ...(until === undefined ? {} : { until }),
  });
}

function removeFault({ world, parameters }: ControlRequest) {
  const id = parameters[0] ?? '';
  if (world.records.get('fault', id) === undefined) throw new ControlError(404, `no fault ${id}`);
  world.records.remove('fault', id);
  return { removed: id };
}

function removeAllFaults({ world }: ControlRequest) {
  const all = world.records.all('fault');
  for (const fault of all) world.records.remove('fault', fault.id);
  return { removed: all.length };
}

const points: readonly GatePoint[] = ['before', 'after', 'job-before', 'job-after'];

function addGate({ world, body }: ControlRequest) {
  const when = points.find((point) => point === (textIn(body, 'when') ?? 'before'));
  if (when === undefined) throw new ControlError(400, `when must be one of ${points.join(', ')}`);
  return world.gates.add(matchIn(body), when);
}

/** How long a long poll waits unless told; the caller's own patience, so on the wall clock. */
const usualPatienceMs = 30_000;

async function listGates({ world, query }: ControlRequest) {
  const id = query.get('waitFor');
  if (id === null) return { gates: world.gates.list() };
  const stands = await world.gates.waitFor(id, Number(query.get('timeoutMs') ?? usualPatienceMs));
  return { stands, gates: world.gates.list() };
}

function releaseGate({ world, parameters, body }: ControlRequest) {
  const id = parameters[0] ?? '';
  if (!world.gates.release(id, body['once'] === true)) throw new ControlError(404, `no gate ${id}`);
  return { released: id };
}

function removeGate({ world, parameters }: ControlRequest) {
  const id = parameters[0] ?? '';
  if (!world.gates.remove(id)) throw new ControlError(404, `no gate ${id}`);
  return { removed: id };
}

export const faultRoutes: readonly Route[] = [
  { method: 'GET', path: /^\/faults$/, run: ({ world }) => ({ faults: world.records.all('fault') }) },
  { method: 'POST', path: /^\/faults$/, run: addFault },
  {
    method: 'DELETE',
    path: /^\/faults$/,
    run: removeAllFaults,
  },
  { method: 'DELETE', path: /^\/faults\/([^/]+)$/, run: removeFault },
  { method: 'GET', path: /^\/gates$/, run: listGates },
  { method: 'POST', path: /^\/gates$/, run: addGate },
  { method: 'POST', path: /^\/gates\/([^/]+)\/release$/, run: releaseGate },
  { method: 'DELETE', path: /^\/gates\/([^/]+)$/, run: removeGate },
];
