/** kubeadm init, as far as it can be seen from outside. */
import { createPrivateKey, createPublicKey, randomUUID, X509Certificate } from 'node:crypto';
import { attempts, latencyMs } from '@/simulator/core/latency';
import { noOrigin } from '@/simulator/core/ledger';
import type { Cluster, Intent, Machine } from '@/simulator/core/machine-model';
import type { Iso } from '@/simulator/core/model';
import { issueServerCertificate } from '@/simulator/kubernetes/certificates';
import type { World } from '@/simulator/world';
import { BootstrapError, finishBootstrap, type Script, setPhase } from './script';
import { splitEndpoint } from './user-data';

const certificatePairs = [
  ['ca.crt', 'ca.key'],
  ['front-proxy-ca.crt', 'front-proxy-ca.key'],
  ['etcd/ca.crt', 'etcd/ca.key'],
] as const;

/** The four key pairs must be there and fit each other; kubeadm would make its own, but then nobody outside could get in. */
function checkKeyPairs(intent: Intent): void {
  for (const [certificateName, keyName] of certificatePairs) {
    if (certificateName.startsWith('etcd/') && intent.etcdEndpoints.length > 0) continue;
    const certificate = intent.files[certificateName];
    const key = intent.files[keyName];
    if (certificate === undefined || key === undefined)
      throw new BootstrapError(`${certificateName} or ${keyName} is not among the files`);
    let matches = false;
    try {
      matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    } catch {
      throw new BootstrapError(`${certificateName} or ${keyName} can't be read`);
    }
    if (!matches) throw new BootstrapError(`${keyName} does not belong to ${certificateName}`);
  }
  const publicKey = intent.files['sa.pub'];
  const privateKey = intent.files['sa.key'];
  if (publicKey === undefined || privateKey === undefined)
    throw new BootstrapError('sa.pub or sa.key is not among the files');
  const spki = (pem: string, secret: boolean) =>
    createPublicKey(secret ? createPrivateKey(pem) : pem).export({ type: 'spki', format: 'der' });
  if (!spki(publicKey, false).equals(spki(privateKey, true)))
    throw new BootstrapError('sa.pub does not belong to sa.key');
}

/** v1beta4 came with 1.31; older kubeadm does not know it. */
export function checkDocumentVersion(machine: Machine, iso: Iso): void {
  const minor = Number(iso.kubernetesVersion?.split('.')[1]);
  if (machine.inside.apiVersion === 'v1beta4' && minor < 31)
    throw new BootstrapError(`kubeadm ${iso.kubernetesVersion} does not know kubeadm.k8s.io/v1beta4`);
}

/** How many of the external etcd machines must live. */
export function hasEtcdQuorum(world: World, endpoints: readonly string[]): boolean {
  if (endpoints.length === 0) return true;
  const hosts = endpoints.map(
    (endpoint) => splitEndpoint(endpoint.replace(/^https?:\/\//, '').replace(/\/$/, '')).host,
  );
  const alive = hosts.filter(
    (host) =>
      world.records.find(
        'machine',
        (machine) =>
          machine.ip === host && machine.inside.role === 'etcd' && machine.hostRunning && machine.inside.serving,
      ) !== undefined,
  );
  return alive.length > endpoints.length / 2;
}

async function newCluster(script: Script, intent: Intent, version: string): Promise<Cluster> {
  const { world } = script;
  const machine = script.machine();
  const { host, port } = splitEndpoint(intent.endpoint ?? `${machine.ip}:6443`);
  const caPem = intent.files['ca.crt'] ?? '';
  const caKeyPem = intent.files['ca.key'] ?? '';
  const names = [
    ...new Set([
      ...intent.certSans,
      host,
      machine.ip,
      machine.name,
      '10.96.0.1',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ]),
  ];
  const server = issueServerCertificate({ caPem, caKeyPem, names });
  const expiresAt = intent.tokenTtlMs === null ? null : world.clock.now() + intent.tokenTtlMs;
  return {
    id: randomUUID(),
    name: intent.clusterName,
    tag: world.tagsOf(machine.id).find((tag) => tag.key === 'holdfast-cluster')?.value ?? null,
    endpointHost: host,
    endpointPort: port,
    version,
    caPem,
    caKeyPem,
    serverCertPem: server.certificatePem,
    serverKeyPem: server.keyPem,
    memberIds: [machine.id],
    etcdEndpoints: intent.etcdEndpoints,
    tokens:
      intent.token === null
        ? {}
        : {
            [intent.token]: {
              expiresAt,
              groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'],
            },
          },
    api: 'up',
    loadPods: null,
    firstControlId: machine.id,
    created: world.clock.now(),
  };
}

/** The unit retries what may come right by itself: an etcd that is not there yet. */
async function waitForEtcd(script: Script, intent: Intent): Promise<void> {
  for (let attempt = 0; !hasEtcdQuorum(script.world, intent.etcdEndpoints); attempt += 1) {
    if (attempt === 0) script.log('waiting for etcd');
    if (attempt >= attempts.join) throw new BootstrapError('etcd did not answer');
    await script.sleep(latencyMs.retry);
  }
}

/**
 * First control node. The API server listens once its certificates are made; what kubeadm does through the control plane
 * endpoint (tokens, add-ons, publishing the manifests) waits until that endpoint leads here.
 */
export async function initialiseCluster(script: Script, iso: Iso): Promise<void> {
  const { world } = script;
  const machine = script.machine();
  const { intent } = machine.inside;
  const version = iso.kubernetesVersion;
  if (intent === null || version === null) throw new BootstrapError('nothing to initialise');
  checkDocumentVersion(machine, iso);
  if (intent.endpoint === null) throw new BootstrapError('controlPlaneEndpoint is not set');
  if (intent.version !== null && intent.version !== version)
    throw new BootstrapError(`the disk holds v${version}, but kubernetesVersion is v${intent.version}`);
  checkKeyPairs(intent);
  await waitForEtcd(script, intent);
  await world.clusters.passJoinFaults(script);
  script.log('kubeadm init');
  await script.sleep(world.random.jitter(latencyMs.initialise));
  const cluster = await newCluster(script, intent, version);
  world.clusters.add(cluster);
  const current = script.machine();
  Object.assign(current.inside, { clusterId: cluster.id, serving: true, kubernetesVersion: version });
  setPhase(script, 'bootstrapping');
  for (let attempt = 0; !world.edges.isReachable(intent.endpoint); attempt += 1) {
    if (attempt === 0) script.log(`waiting for ${intent.endpoint} to lead here`);
    if (attempt >= attempts.endpoint) throw new BootstrapError(`${intent.endpoint} does not lead to this machine`);
    await script.sleep(latencyMs.endpointPoll);
  }
  world.clusters.fill(cluster, script.machine(), iso);
  world.clusters.registerNode(cluster, script.machine());
  finishBootstrap(script, { clusterId: cluster.id, version, serving: true });
  world.effect('cluster initialised', noOrigin, { id: cluster.id, name: cluster.name, machine: machine.name, version });
}
