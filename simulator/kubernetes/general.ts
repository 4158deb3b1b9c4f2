/** Answers that are about no resource: health, version, discovery, openapi. */
import type { Reply } from './reply';
import type { ApiRequest } from './request';
import { apiVersionOf, type Resource } from './resources';
import { StatusError } from './status';

const checks = ['ping', 'log', 'etcd', 'informer-sync', 'poststarthook/start-apiextensions-controllers', 'shutdown'];

function health(request: ApiRequest): Reply {
  if (!request.query.has('verbose')) return { status: 200, body: 'ok' };
  return { status: 200, body: `${checks.map((check) => `[+]${check} ok`).join('\n')}\nreadyz check passed\n` };
}

function version(request: ApiRequest): Reply {
  const gitVersion = `v${request.runtime.cluster.version}`;
  const [major = '1', minor = '0'] = request.runtime.cluster.version.split('.');
  return {
    status: 200,
    body: {
      major,
      minor,
      gitVersion,
      gitCommit: '0000000000000000000000000000000000000000',
      gitTreeState: 'clean',
      buildDate: '2025-01-01T00:00:00Z',
      goVersion: 'go1.23.4',
      compiler: 'gc',
      platform: 'linux/amd64',
    },
  };
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

function describe(resource: Resource): object[] {
  const base = {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.plural === 'pods' || resource.group === 'apps' ? { categories: ['all'] } : {}),
  };
  const subresources = resource.subresources.map((subresource) => {
    const name = `${resource.plural}/${subresource}`;
    const plain = {
      name,
      singularName: '',
      namespaced: resource.namespaced,
      kind: resource.kind,
      verbs: ['get', 'patch', 'update'],
    };
    if (subresource === 'eviction')
      return { ...plain, group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] };
    if (subresource === 'scale') return { ...plain, group: 'autoscaling', version: 'v1', kind: 'Scale' };
    if (subresource === 'log') return { ...plain, verbs: ['get'] };
    return plain;
  });
  return [base, ...subresources];
}

const reviews = {
  name: 'selfsubjectaccessreviews',
  singularName: 'selfsubjectaccessreview',
  namespaced: false,
  kind: 'SelfSubjectAccessReview',
  verbs: ['create'],
};

function resourceList(request: ApiRequest, groupVersion: string): Reply {
  const resources = request.runtime
    .resources()
    .filter((resource) => apiVersionOf(resource) === groupVersion)
    .flatMap(describe);
  if (groupVersion === 'authorization.k8s.io/v1') resources.push(reviews);
  if (resources.length === 0) throw new StatusError(404, 'the server could not find the requested resource');
  return { status: 200, body: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources } };
}

function groupList(request: ApiRequest): Reply {
  const versions = new Map<string, Set<string>>([['authorization.k8s.io', new Set(['v1'])]]);
  for (const resource of request.runtime.resources()) {
    if (resource.group === '') continue;
    const known = versions.get(resource.group) ?? new Set<string>();
    versions.set(resource.group, known.add(resource.version));
  }
  const groups = [...versions].map(([name, known]) => {
    const list = [...known].map((entry) => ({ groupVersion: `${name}/${entry}`, version: entry }));
    return { name, versions: list, preferredVersion: list[0] };
  });
  return { status: 200, body: { kind: 'APIGroupList', apiVersion: 'v1', groups } };
}

/** Posting a review of one's own rights is the only thing here that is not a read. */
function accessReview(request: ApiRequest): Reply {
  const review = JSON.parse(request.body.toString('utf8') || '{}') as object;
  const allowed = request.identity.groups.includes('system:masters');
  return {
    status: 201,
    body: { ...review, apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', status: { allowed } },
  };
}

/** Throws 404 for paths that are not served. */
export function answerGeneral(request: ApiRequest): Reply {
  const { path } = request;
  if (isAccessReview(path) && request.method === 'POST') return accessReview(request);
  if (/^\/(readyz|livez|healthz)(\/|$)/.test(path)) return health(request);
  if (path === '/version' || path === '/version/') return version(request);
  if (path === '/api')
    return { status: 200, body: { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] } };
  if (path === '/apis') return groupList(request);
  if (path === '/api/v1') return resourceList(request, 'v1');
  // Zero bytes are enough for every kubectl; the type must not echo what was asked for.
  if (path === '/openapi/v2') return { status: 200, body: Buffer.alloc(0), contentType: 'application/octet-stream' };
  const groupVersion = /^\/apis\/([^/]+\/[^/]+)$/.exec(path)?.[1];
  if (groupVersion !== undefined) return resourceList(request, groupVersion);
  throw new StatusError(404, 'the server could not find the requested resource');
}

/** True for the one virtual resource that is created and never stored. */
export function isAccessReview(path: string): boolean {
  return /^\/apis\/authorization\.k8s\.io\/v1\/selfsubject(access|rules)reviews$/.test(path);
}
