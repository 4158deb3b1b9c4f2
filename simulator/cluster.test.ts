import {
  AppsV1Api,
  BatchV1Api,
  CoreV1Api,
  PatchStrategy,
  PolicyV1Api,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from './core/json';
import { eventually, startTestCloud, type TestCloud } from './test-client';
import {
  apiAnswers,
  cloudConfig,
  createCluster,
  joinDocument,
  kubeConfig,
  startNode,
  type TestCluster,
} from './test-cluster';
import { newAuthority } from './test-keys';

let cloud: TestCloud;
let cluster: TestCluster;
let core: CoreV1Api;

beforeAll(async () => {
  cloud = await startTestCloud('127.31');
  cluster = await createCluster(cloud, 'alpha');
  core = cluster.config.makeApiClient(CoreV1Api);
  for (const name of ['alpha-worker-1', 'alpha-worker-2']) {
    await startNode(
      cloud,
      cluster.networkId,
      name,
      cloudConfig({ '/etc/holdfast/kubeadm.yaml': joinDocument(cluster.keys, cluster.ip, name) }),
    );
  }
}, 20_000);

afterAll(async () => cloud.simulator.stop());

async function readyNodes(): Promise<string[]> {
  const { items } = await core.listNode();
  return items
    .filter((node) =>
      node.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    )
    .map((node) => node.metadata?.name ?? '');
}

test('a control node and two workers become Ready from their user data alone', async () => {
  await eventually(async () => (await readyNodes()).length === 3);
  const { items } = await core.listNode();
  const control = items.find((node) => node.metadata?.name === 'alpha-control-1');
  expect(control?.status?.nodeInfo?.systemUUID).toBe(cluster.controlId);
  expect(control?.status?.nodeInfo?.kubeletVersion).toBe('v1.31.1');
  expect(items.find((node) => node.metadata?.name === 'alpha-worker-1')?.spec?.providerID).toBe(
    'alpha-worker-1-provider',
  );
});

test('the manifests of the ISO are published', async () => {
  const map = await core.readNamespacedConfigMap({ namespace: 'kube-system', name: 'holdfast-manifests' });
  expect(Object.keys(map.data ?? {}).sort()).toEqual([
    'autoscaler.yaml',
    'dashboard.yaml',
    'manifest.yaml',
    'network.yaml',
    'provider.yaml',
    'snapshot-crds.yaml',
  ]);
});

test('a certificate of another authority is refused', async () => {
  const stranger = await kubeConfig(cluster.keys, cluster.ip, await newAuthority('kubernetes'));
  expect(await apiAnswers(stranger, '/api/v1/nodes')).toBe(401);
  const distrusting = await kubeConfig(
    { ...cluster.keys, ca: await newAuthority('kubernetes') },
    cluster.ip,
    cluster.keys.ca,
  );
  expect(await apiAnswers(distrusting)).toBeNull();
});

test('server-side apply of a deployment ends with available replicas, and conflicts need force', async () => {
  const apps = cluster.config.makeApiClient(AppsV1Api);
  const apply = (body: object, fieldManager: string, force: boolean) =>
    apps.patchNamespacedDeployment(
      { namespace: 'default', name: 'web', body, fieldManager, force },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    );
  const deployment = (replicas: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  });
  await apply(deployment(2), 'holdfast', true);
  await eventually(async () => {
    const { status } = await apps.readNamespacedDeployment({ namespace: 'default', name: 'web' });
    return status?.availableReplicas === 2 && status.updatedReplicas === 2;
  });
  await expect(apply(deployment(3), 'somebody', false)).rejects.toMatchObject({ code: 409 });
  await apply(deployment(3), 'somebody', true);
  await eventually(
    async () =>
      (await apps.readNamespacedDeployment({ namespace: 'default', name: 'web' })).status?.availableReplicas === 3,
  );
});

test('an eviction is refused with 429 while the budget allows none', async () => {
  const policy = cluster.config.makeApiClient(PolicyV1Api);
  const pods = await core.listNamespacedPod({ namespace: 'default', labelSelector: 'app=web' });
  const pod = pods.items[0]?.metadata?.name ?? '';
  await policy.createNamespacedPodDisruptionBudget({
    namespace: 'default',
    body: { metadata: { name: 'web' }, spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } } },
  });
  const evict = () =>
    core.createNamespacedPodEviction({
      namespace: 'default',
      name: pod,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'default' } },
    });
  await eventually(
    async () =>
      (await policy.readNamespacedPodDisruptionBudget({ namespace: 'default', name: 'web' })).status?.currentHealthy ===
      3,
  );
  await expect(evict()).rejects.toMatchObject({ code: 429 });
  await policy.deleteNamespacedPodDisruptionBudget({ namespace: 'default', name: 'web' });
  await evict();
  await eventually(async () =>
    core.readNamespacedPod({ namespace: 'default', name: pod }).then(
      () => false,
      (error: { code: number }) => error.code === 404,
    ),
  );
});

test('an upgrade job moves the control node, then a worker; the other order is refused', async () => {
  const { status } = await cloud.raw('listIsos', {});
  expect(status).toBe(200);
  const [iso] = await cloud.list('listIsos', 'iso', { name: 'v1.31.4-Kubernetes-Binaries-ISO' });
  const machines = await cloud.list('listVirtualMachines', 'virtualmachine', { networkid: cluster.networkId });
  for (const machine of machines)
    await cloud.call('attachIso', { id: String(iso?.['id']), virtualmachineid: String(machine['id']) });
  const batch = cluster.config.makeApiClient(BatchV1Api);
  await core.createNamespacedConfigMap({
    namespace: 'kube-system',
    body: {
      metadata: { name: 'upgrade' },
      data: {
        'upgrade.sh':
          'TARGET=v1.31.4\nif first; then kubeadm upgrade apply $TARGET -y; else kubeadm upgrade node; fi\n',
      },
    },
  });
  const upgrade = (node: string, name: string) =>
    batch.createNamespacedJob({
      namespace: 'kube-system',
      body: {
        metadata: { name },
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: 'Never',
              nodeName: node,
              hostPID: true,
              tolerations: [{ operator: 'Exists' }],
              containers: [
                {
                  name: 'upgrade',
                  image: 'registry.k8s.io/kube-proxy:v1.31.1',
                  imagePullPolicy: 'Never',
                  command: ['sh', '/scripts/upgrade.sh'],
                  securityContext: { privileged: true },
                },
              ],
              volumes: [
                { name: 'host', hostPath: { path: '/' } },
                { name: 'scripts', configMap: { name: 'upgrade' } },
              ],
            },
          },
        },
      },
    });
  const versionOf = async (name: string) => (await core.readNode({ name })).status?.nodeInfo?.kubeletVersion;
  await upgrade('alpha-worker-1', 'too-early');
  await eventually(async () =>
    (await batch.readNamespacedJob({ namespace: 'kube-system', name: 'too-early' })).status?.conditions?.some(
      (condition) => condition.type === 'Failed',
    ),
  );
  expect(await versionOf('alpha-worker-1')).toBe('v1.31.1');
  await upgrade('alpha-control-1', 'control');
  await eventually(
    async () => (await versionOf('alpha-control-1')) === 'v1.31.4' && (await readyNodes()).includes('alpha-control-1'),
  );
  await upgrade('alpha-worker-1', 'worker');
  await eventually(async () => (await versionOf('alpha-worker-1')) === 'v1.31.4');
}, 15_000);

test('the API goes with its only control node and comes back with it', async () => {
  await cloud.call('stopVirtualMachine', { id: cluster.controlId });
  await eventually(async () => (await apiAnswers(cluster.config)) === null);
  await cloud.call('startVirtualMachine', { id: cluster.controlId });
  await eventually(async () => (await apiAnswers(cluster.config)) === 200);
  await eventually(async () => (await readyNodes()).length === 3);
});

test('a stopped worker turns Unknown', async () => {
  const [worker] = await cloud.list('listVirtualMachines', 'virtualmachine', { name: 'alpha-worker-2' });
  await cloud.call('stopVirtualMachine', { id: String(worker?.['id']) });
  await eventually(
    async () =>
      (await core.readNode({ name: 'alpha-worker-2' })).status?.conditions?.find(
        (condition) => condition.type === 'Ready',
      )?.status === 'Unknown',
  );
});

test('deleting everything leaves nothing', async () => {
  const machines = await cloud.list('listVirtualMachines', 'virtualmachine', { networkid: cluster.networkId });
  for (const machine of machines)
    await cloud.call('destroyVirtualMachine', { id: String(machine['id']), expunge: 'true' });
  expect(await apiAnswers(cluster.config)).toBeNull();
  await cloud.call('deleteNetwork', { id: cluster.networkId });
  const state = await cloud.control<Record<string, JsonObject[]>>('GET', '/state');
  expect(state['machines']).toEqual([]);
  expect(state['addresses']).toEqual([]);
  expect(state['loadBalancerRules']).toEqual([]);
  expect(state['clusters']).toEqual([]);
});
