import { createServer } from 'node:http';
import { AppsV1Api, CoreV1Api, PatchStrategy, StorageV1Api, setHeaderOptions } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from './core/json';
import { eventually, startTestCloud, type TestCloud } from './test-client';
import {
  apiAnswers,
  cloudConfig,
  createCluster,
  encoded,
  isoId,
  joinDocument,
  keyFiles,
  startNode,
  type TestCluster,
} from './test-cluster';

let cloud: TestCloud;
let cluster: TestCluster;
let core: CoreV1Api;
let apps: AppsV1Api;

beforeAll(async () => {
  cloud = await startTestCloud('127.35');
  cluster = await createCluster(cloud, 'beta');
  core = cluster.config.makeApiClient(CoreV1Api);
  apps = cluster.config.makeApiClient(AppsV1Api);
}, 20_000);

afterAll(async () => cloud.simulator.stop());

const workerDocument = (name: string): string =>
  cloudConfig({ '/etc/holdfast/kubeadm.yaml': joinDocument(cluster.keys, cluster.ip, name) });

async function isReady(name: string): Promise<boolean> {
  const { items } = await core.listNode();
  const node = items.find((candidate) => candidate.metadata?.name === name);
  return (
    node?.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false
  );
}

async function applyManifest(text: string): Promise<void> {
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as { kind: string; metadata: { name: string; namespace?: string } };
    const body = object;
    const { name } = object.metadata;
    const options = setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply);
    const common = { name, body, fieldManager: 'holdfast', force: true };
    if (object.kind === 'Deployment')
      await apps.patchNamespacedDeployment({ ...common, namespace: 'kube-system' }, options);
    if (object.kind === 'DaemonSet')
      await apps.patchNamespacedDaemonSet({ ...common, namespace: 'kube-system' }, options);
    if (object.kind === 'CSIDriver') await cluster.config.makeApiClient(StorageV1Api).patchCSIDriver(common, options);
  }
}

async function manifest(name: string): Promise<string> {
  const map = await core.readNamespacedConfigMap({ namespace: 'kube-system', name: 'holdfast-manifests' });
  return map.data?.[name] ?? '';
}

function cloudSecret(name: string, url: string, key: string): Promise<unknown> {
  return core.createNamespacedSecret({
    namespace: 'kube-system',
    body: {
      metadata: { name },
      stringData: {
        'cloud-config': `[Global]\napi-url = ${url}\napi-key = ${key}\nsecret-key = ${key.replace('key', 'secret')}\n`,
      },
    },
  });
}

test('further control nodes join with the same keys, and etcd needs its majority', async () => {
  for (const name of ['beta-control-2', 'beta-control-3']) {
    const document = cloudConfig({
      ...keyFiles(cluster.keys),
      '/etc/holdfast/kubeadm.yaml': joinDocument(cluster.keys, cluster.ip, name, true),
    });
    const id = await startNode(cloud, cluster.networkId, name, document);
    await eventually(() => isReady(name));
    await cloud.call('assignToLoadBalancerRule', { id: cluster.ruleId, virtualmachineids: id });
  }
  await cloud.call('stopVirtualMachine', { id: cluster.controlId });
  await eventually(async () => (await apiAnswers(cluster.config)) === 200);
  await cloud.control('POST', '/vm/beta-control-2/stop');
  await eventually(async () => (await apiAnswers(cluster.config)) === null);
  await cloud.call('startVirtualMachine', { id: cluster.controlId });
  await eventually(async () => (await apiAnswers(cluster.config)) === 200);
});

test('a wrong CA pin keeps a machine out, and its console says why', async () => {
  const document = workerDocument('beta-stranger').replace(/sha256:[0-9a-f]{4}/, 'sha256:0000');
  await startNode(cloud, cluster.networkId, 'beta-stranger', document);
  const console = () => cloud.control<{ lines: string[] }>('GET', '/vm/beta-stranger/console');
  await eventually(async () => (await console()).lines.some((line) => line.includes('pinned CA hash')));
  expect(await isReady('beta-stranger')).toBe(false);
});

test('a machine joins late where a fault says so, with a token made through the API', async () => {
  const [id, secret] = ['fedcba', 'fedcba9876543210'];
  await core.createNamespacedSecret({
    namespace: 'kube-system',
    body: {
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': id,
        'token-secret': secret,
        expiration: new Date(Date.now() + 600_000).toISOString(),
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      },
    },
  });
  await cloud.control('POST', '/faults', {
    match: { event: 'join', vm: 'beta-worker-1' },
    action: { kind: 'late', ms: 20_000 },
  });
  await startNode(
    cloud,
    cluster.networkId,
    'beta-worker-1',
    workerDocument('beta-worker-1').replace(/token: .*/, `token: ${id}.${secret}`),
  );
  expect(await isReady('beta-worker-1')).toBe(false);
  await eventually(() => isReady('beta-worker-1'));
});

test('a plain machine becomes a node by new user data and a restore', async () => {
  const id = await cloud.machine('beta-external', cluster.networkId);
  await cloud.call('startVirtualMachine', { id });
  await cloud.call('updateVirtualMachine', { id, userdata: encoded(workerDocument('beta-external')) });
  await cloud.call('attachIso', { id: await isoId(cloud, '1.31.1'), virtualmachineid: id });
  expect(await isReady('beta-external')).toBe(false);
  await cloud.call('restoreVirtualMachine', { virtualmachineid: id });
  await eventually(() => isReady('beta-external'));
});

test('components wait for their secret and for keys that are valid', async () => {
  await applyManifest(await manifest('provider.yaml'));
  const available = async () =>
    (await apps.readNamespacedDeployment({ namespace: 'kube-system', name: 'cloud-controller-manager' })).status
      ?.availableReplicas ?? 0;
  await cloud.control('POST', '/clock', { stepMs: 20_000 });
  expect(await available()).toBe(0);
  await cloudSecret('cloudstack-secret', cloud.simulator.apiUrl, 'holdfast-demo-key');
  await eventually(async () => (await available()) === 1);
});

test('a claim is provisioned while the CSI driver runs, protected while it is used, and deleted with its volume', async () => {
  await applyManifest(await manifest('manifest.yaml'));
  await eventually(
    async () =>
      (await apps.readNamespacedDeployment({ namespace: 'kube-system', name: 'cloudstack-csi-controller' })).status
        ?.availableReplicas === 2,
  );
  await core.createNamespacedPersistentVolumeClaim({
    namespace: 'default',
    body: {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
    },
  });
  await core.createNamespacedPod({
    namespace: 'default',
    body: {
      metadata: { name: 'user' },
      spec: {
        containers: [{ name: 'user', image: 'user:1' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    },
  });
  await eventually(
    async () => (await core.readNamespacedPod({ namespace: 'default', name: 'user' })).status?.phase === 'Running',
  );
  await core.deleteNamespacedPersistentVolumeClaim({ namespace: 'default', name: 'data' });
  expect(
    (await core.readNamespacedPersistentVolumeClaim({ namespace: 'default', name: 'data' })).metadata
      ?.deletionTimestamp,
  ).toBeDefined();
  await core.deleteNamespacedPod({ namespace: 'default', name: 'user' });
  await eventually(async () => (await core.listPersistentVolume()).items.length === 0);
  expect((await cloud.control<{ volumes: unknown[] }>('GET', '/state')).volumes).toEqual([]);
});

test('a played autoscaler asks the address in its secret for more workers', async () => {
  const asked: URLSearchParams[] = [];
  const facade = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    asked.push(query);
    const group = { id: 'c-1', name: 'beta', minsize: 1, maxsize: 5, size: 1, masternodes: 1, virtualmachines: [] };
    const body: Record<string, JsonObject> =
      query.get('command') === 'listKubernetesClusters'
        ? { listkubernetesclustersresponse: { count: 1, kubernetescluster: [group] } }
        : query.get('command') === 'scaleKubernetesCluster'
          ? { scalekubernetesclusterresponse: { jobid: 'j-1' } }
          : { queryasyncjobresultresponse: { jobstatus: 1 } };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => facade.listen(0, '127.0.0.1', resolve));
  const address = facade.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await cloudSecret('holdfast-autoscaler', `http://127.0.0.1:${port}/api`, 'autoscaler-key');
  const text = (await manifest('autoscaler.yaml'))
    .replace('<min>:<max>:<cluster-id>', '1:5:c-1')
    .replace('cloudstack-secret', 'holdfast-autoscaler');
  await applyManifest(text);
  await cloud.control('POST', `/cluster/${encodeURIComponent(`${cluster.ip}:6443`)}/load`, { pods: 35 });
  await eventually(async () =>
    asked.some(
      (query) =>
        query.get('command') === 'scaleKubernetesCluster' &&
        query.get('size') === '4' &&
        query.get('signatureversion') === null,
    ),
  );
  await eventually(async () => asked.some((query) => query.get('command') === 'queryAsyncJobResult'));
  await new Promise((resolve) => facade.close(resolve));
});

test('faults and gates work on the Kubernetes API too', async () => {
  await cloud.control('POST', '/faults', {
    match: { verb: 'list', path: '/api/v1/nodes' },
    action: { kind: 'refuse', code: 503 },
  });
  await expect(core.listNode()).rejects.toMatchObject({ code: 503 });
  const gate = await cloud.control<{ id: string }>('POST', '/gates', {
    match: { verb: 'create', path: '/api/v1/namespaces/default/configmaps' },
    when: 'after',
  });
  const creating = core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'gated' } } });
  await cloud.control('GET', `/gates?waitFor=${gate.id}`);
  expect((await core.readNamespacedConfigMap({ namespace: 'default', name: 'gated' })).metadata?.name).toBe('gated');
  await cloud.control('DELETE', `/gates/${gate.id}`);
  await creating;
  await cloud.control('POST', '/cluster/test/api', { state: 'unready' });
  expect(await apiAnswers(cluster.config)).toBe(500);
  await cloud.control('POST', '/cluster/test/api', { state: 'expired' });
  await eventually(async () => (await apiAnswers(cluster.config)) === null);
  await cloud.control('POST', '/cluster/test/api', { state: 'up' });
  await eventually(async () => (await apiAnswers(cluster.config)) === 200);
});
