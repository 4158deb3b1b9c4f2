/** What a route of the control port gets, and the things it names. */
import { isObject, type JsonObject } from '@/simulator/core/json';
import type { Machine } from '@/simulator/core/machine-model';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import type { World } from '@/simulator/world';

export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ControlRequest {
  world: World;
  parameters: readonly string[];
  query: URLSearchParams;
  body: JsonObject;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  run: (request: ControlRequest) => unknown;
}

/** A machine by id or name. */
export function machineOf({ world, parameters }: ControlRequest): Machine {
  const reference = parameters[0] ?? '';
  const machine =
    world.records.get('machine', reference) ??
    world.records.find('machine', (candidate) => candidate.name === reference);
  if (machine === undefined) throw new ControlError(404, `no machine ${reference}`);
  return machine;
}

/** A cluster by the simulator's id, the tag `holdfast-cluster`, its kubeadm name, or `host:port`. */
export function clusterOf({ world, parameters }: ControlRequest): ClusterRuntime {
  const runtime = world.clusters.find(parameters[0] ?? '');
  if (runtime === undefined) throw new ControlError(404, `no cluster ${parameters[0]}`);
  return runtime;
}

export function numberIn(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ControlError(400, `${name} must be a number`);
  return value;
}

export function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new ControlError(400, `${name} must be a text`);
  return value;
}

export function booleanIn(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw new ControlError(400, `${name} must be true or false`);
  return value;
}

export function objectIn(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  if (!isObject(value)) throw new ControlError(400, `${name} must be an object`);
  return value;
}
