import { createServer } from 'node:https';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueLeaf } from '@/infrastructure/bootstrap/authority';
import { type ClusterPki, createClusterPki, signClientCertificate } from '@/infrastructure/bootstrap/pki';
import type { CallContext } from '@/infrastructure/cloud';
import type { KubernetesApi } from '@/infrastructure/kubernetes';
import { connectKubernetes } from './connect-kubernetes';

/** An API server of a few lines: what the simulated cloud does not do, or not on demand. */
type Reply = { readonly code: number; readonly body: unknown } | 'hang' | 'close';
interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly type: string | undefined;
  readonly body: string;
}

let pki: ClusterPki;
let stop: () => void = () => undefined;
const received: Received[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
  pki = await createClusterPki({ clusterName: 'demo' });
});
afterEach(() => {
  stop();
  received.length = 0;
});

async function open(script: (request: Received, count: number) => Reply): Promise<KubernetesApi> {
  const serving = await issueLeaf(pki.cluster, {
    commonName: 'kube-apiserver',
    days: 1,
    use: ['server'],
    addresses: ['127.0.0.1'],
  });
  const server = createServer({ cert: serving.certificatePem, key: serving.keyPem }, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'https://127.0.0.1');
      const type = request.headers['content-type'];
      const call = { method: request.method ?? '', path: url.pathname, query: url.searchParams, type, body };
      received.push(call);
      const reply = script(call, received.filter((each) => each.path === call.path).length);
      if (reply === 'hang') return;
      if (reply === 'close') {
        response.destroy();
        return;
      }
      response.writeHead(reply.code, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = await signClientCertificate(pki, {
    commonName: 'holdfast',
    organizations: ['system:masters'],
    days: 1,
  });
  const api = connectKubernetes({
    endpoint: `https://127.0.0.1:${port}`,
    caPem: pki.cluster.certificatePem,
    ...client,
  });
  stop = () => {
    api.close();
    server.close();
    server.closeAllConnections();
  };
  return api;
}

const call = (changes: Partial<CallContext> = {}): CallContext => ({
  signal: never,
  operation: 'job-1/7/drain',
  authorize: async () => undefined,
  ...changes,
});
const status = (code: number, message: string, causes: readonly string[] = []): Reply => ({
  code,
  body: { kind: 'Status', status: 'Failure', code, message, details: { causes: causes.map((reason) => ({ reason })) } },
});
const coreResources: Reply = {
  code: 200,
  body: {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: [] }],
  },
};
const pod = { namespace: 'default', name: 'web-1', uid: 'u-1' };

describe('an eviction', () => {
  it.each([
    [{ code: 201, body: { kind: 'Status', status: 'Success' } }, { kind: 'evicted' }],
    [status(404, 'pods "web-1" not found'), { kind: 'gone' }],
    [status(409, 'the UID in the precondition does not match'), { kind: 'gone' }],
    [
      status(429, 'web needs 1 healthy pod', ['DisruptionBudget']),
      { kind: 'blocked', message: 'web needs 1 healthy pod' },
    ],
    [
      status(403, 'forbidden', ['NamespaceTerminating']),
      { kind: 'blocked', message: 'its namespace is being deleted' },
    ],
  ] as const)('answered with %o is %o', async (reply, expected) => {
    const api = await open(() => reply);
    expect(await api.evictPod(call(), pod)).toEqual(expected);
    expect(JSON.parse(received[0]?.body ?? '{}')).toMatchObject({
      apiVersion: 'policy/v1',
      deleteOptions: { preconditions: { uid: 'u-1' } },
    });
  });

  it('of a pod with two budgets is refused by name: waiting cannot help', async () => {
    const api = await open(() => status(500, 'This pod has more than one PodDisruptionBudget'));
    await expect(api.evictPod(call(), pod)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('default/web-1'),
    });
  });

  it('that is forbidden for another reason is denied', async () => {
    const api = await open(() => status(403, 'no'));
    await expect(api.evictPod(call(), pod)).rejects.toMatchObject({ kind: 'denied', code: 403 });
  });
});

describe('an answer', () => {
  it.each([
    [403, 'denied'],
    [404, 'not-found'],
    [409, 'conflict'],
    [422, 'refused'],
    [429, 'blocked'],
    [500, 'not-ready'],
    [503, 'not-ready'],
  ] as const)('of %i is %s, in the words of the server', async (code, kind) => {
    const api = await open(() => status(code, 'the reason'));
    await expect(api.listNodes(call())).rejects.toMatchObject({
      name: 'KubernetesError',
      kind,
      code,
      message: 'the reason',
    });
  });

  it('of 401 says what is not accepted, for the client drops the words', async () => {
    const api = await open(() => status(401, 'Unauthorized'));
    await expect(api.listNodes(call())).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('certificate'),
    });
  });

  it('that breaks off is unreachable, and not ready', async () => {
    const api = await open(() => 'close');
    await expect(api.listNodes(call())).rejects.toMatchObject({ kind: 'unreachable' });
    expect(await api.isReady(call())).toBe(false);
  });

  it('that never comes ends when the caller says so', async () => {
    const api = await open(() => 'hang');
    const enough = new AbortController();
    const waiting = api.listNodes(call({ signal: enough.signal }));
    setTimeout(() => enough.abort(new Error('enough')), 30);
    await expect(waiting).rejects.toMatchObject({ kind: 'unreachable', cause: { message: 'enough' } });
  });
});

describe('requests', () => {
  it('cordon by strategic merge, annotate by merge', async () => {
    const api = await open(() => ({ code: 200, body: { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } } }));
    await api.setUnschedulable(call(), 'n', false);
    await api.annotateNode(call(), 'n', { a: 'b' });
    expect(received.map((each) => each.type)).toEqual([
      'application/strategic-merge-patch+json',
      'application/merge-patch+json',
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ spec: { unschedulable: null } });
  });

  it('apply the object as it is, with our name, and forced', async () => {
    const api = await open((request) => (request.path === '/api/v1' ? coreResources : { code: 200, body: {} }));
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', namespace: 'default' },
      someFieldOfTomorrow: { a: 1 },
    };
    await api.apply(call(), object);
    const [, patch] = received;
    expect(patch).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/namespaces/default/configmaps/c',
      type: 'application/apply-patch+yaml',
    });
    expect(Object.fromEntries(patch?.query ?? [])).toEqual({ fieldManager: 'holdfast', force: 'true' });
    expect(JSON.parse(patch?.body ?? '')).toEqual(object);
  });

  it('follow all pages of a list, and say what kind the items are', async () => {
    const item = (name: string) => ({ metadata: { name, creationTimestamp: '2026-12-01T14:00:00Z' } });
    const api = await open((request) => {
      if (request.path === '/api/v1') return coreResources;
      const last = request.query.get('continue') === 'more';
      return { code: 200, body: { metadata: last ? {} : { continue: 'more' }, items: [item(last ? 'b' : 'a')] } };
    });
    const found = await api.list(call(), { apiVersion: 'v1', kind: 'ConfigMap', labelSelector: 'a=b' });
    expect(found).toMatchObject([
      { kind: 'ConfigMap', metadata: { name: 'a', creationTimestamp: '2026-12-01T14:00:00Z' } },
      { kind: 'ConfigMap', metadata: { name: 'b' } },
    ]);
    expect(received.at(-1)?.query.get('labelSelector')).toBe('a=b');
  });

  it('for a kind that the cluster does not know find nothing, and cannot apply it', async () => {
    const api = await open(() => status(404, 'the server could not find the requested resource'));
    const reference = {
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      namespace: 'default',
      name: 'x',
    };
    expect(await api.get(call(), reference)).toBeNull();
    expect(await api.list(call(), reference)).toEqual([]);
    await api.delete(call(), reference);
    await expect(api.apply(call(), { ...reference, metadata: { name: 'x' } })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
