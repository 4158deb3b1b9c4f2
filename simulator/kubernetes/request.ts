/** What a request to the Kubernetes API is about. */
import type { ClusterRuntime } from './cluster-runtime';
import { otherVersions, type Resource } from './resources';
import { StatusError } from './status';

export interface Identity {
  name: string;
  groups: readonly string[];
}

export interface Target {
  resource: Resource;
  namespace: string;
  name: string;
  subresource: string;
}

export interface ApiRequest {
  runtime: ClusterRuntime;
  method: string;
  path: string;
  query: URLSearchParams;
  accept: string;
  contentType: string;
  userAgent: string;
  identity: Identity;
  /** `X-Holdfast-Operation`, empty without. */
  operation: string;
  body: Buffer;
}

/** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`: what authorisation and faults go by. */
export function verbOf(method: string, target: Target | null, query: URLSearchParams): string {
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return target === null || target.name !== '' ? 'delete' : 'deletecollection';
  if (target === null || (target.name !== '' && query.get('watch') !== 'true')) return 'get';
  return query.get('watch') === 'true' || query.get('watch') === '1' ? 'watch' : 'list';
}

/** Splits a resource path; null when it is none (discovery, health). Throws 404 for kinds that are not served. */
export function parseTarget(runtime: ClusterRuntime, path: string): Target | null {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const grouped = parts[0] === 'apis';
  if (!grouped && parts[0] !== 'api') return null;
  const group = grouped ? (parts[1] ?? '') : '';
  if (group === 'authorization.k8s.io') return null;
  const given = grouped ? parts[2] : parts[1];
  const rest = parts.slice(grouped ? 3 : 2);
  if (given === undefined || rest.length === 0) return null;
  const version = otherVersions[`${group}/${given}`] ?? given;
  const inNamespace = rest[0] === 'namespaces' && rest.length >= 3 && !['status', 'finalize'].includes(rest[2] ?? '');
  const namespace = inNamespace ? (rest[1] ?? '') : '';
  const [plural = '', name = '', subresource = ''] = inNamespace ? rest.slice(2) : rest;
  const resource = runtime
    .resources()
    .find((candidate) => candidate.group === group && candidate.version === version && candidate.plural === plural);
  if (resource === undefined) throw new StatusError(404, 'the server could not find the requested resource');
  return { resource, namespace, name, subresource };
}
