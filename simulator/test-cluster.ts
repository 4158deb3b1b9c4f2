/** For tests: the keys and user data of a cluster, and the way from nothing to Ready nodes. */

import { createHash, X509Certificate } from 'node:crypto';
import { KubeConfig } from '@kubernetes/client-node';
import type { JsonObject } from './core/json';
import { eventually, type TestCloud } from './test-client';
import { newClientCertificate, newClusterKeys, type Pair, type TestKeys } from './test-keys';

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');

export function cloudConfig(files: Record<string, string>): string {
  const entries = Object.entries(files).map(
    ([path, content]) => `  - path: ${path}\n    permissions: '0600'\n    content: |\n${indented(content)}`,
  );
  return `#cloud-config\nwrite_files:\n${entries.join('\n')}\nruncmd:\n  - [systemctl, enable, --now, holdfast-setup.service]\n`;
}

export function keyFiles(keys: TestKeys): Record<string, string> {
  const root = '/etc/kubernetes/pki';
  return {
    [`${root}/ca.crt`]: keys.ca.certificatePem,
    [`${root}/ca.key`]: keys.ca.keyPem,
    [`${root}/front-proxy-ca.crt`]: keys.frontProxy.certificatePem,
    [`${root}/front-proxy-ca.key`]: keys.frontProxy.keyPem,
    [`${root}/etcd/ca.crt`]: keys.etcd.certificatePem,
    [`${root}/etcd/ca.key`]: keys.etcd.keyPem,
    [`${root}/sa.pub`]: keys.serviceAccount.publicPem,
    [`${root}/sa.key`]: keys.serviceAccount.privatePem,
  };
}

export const token = 'abcdef.0123456789abcdef';

export function initDocument(ip: string, name: string, version: string): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v${version}
clusterName: test
controlPlaneEndpoint: ${ip}:6443
apiServer:
  certSANs: [${ip}]
networking:
  podSubnet: 192.168.0.0/16
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens:
- token: ${token}
  ttl: 1h0m0s
nodeRegistration:
  name: ${name}
localAPIEndpoint:
  bindPort: 6443
`;
}

export function caHash(caPem: string): string {
  return `sha256:${createHash('sha256')
    .update(new X509Certificate(caPem).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
}

export function joinDocument(keys: TestKeys, ip: string, name: string, control = false): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken:
    apiServerEndpoint: ${ip}:6443
    token: ${token}
    caCertHashes: ["${caHash(keys.ca.certificatePem)}"]
nodeRegistration:
  name: ${name}
  kubeletExtraArgs:
  - name: provider-id
    value: ${name}-provider
${control ? 'controlPlane:\n  localAPIEndpoint:\n    bindPort: 6443\n' : ''}`;
}

export const encoded = (text: string): string => Buffer.from(text).toString('base64');

export interface TestCluster {
  networkId: string;
  ip: string;
  addressId: string;
  ruleId: string;
  controlId: string;
  keys: TestKeys;
  config: KubeConfig;
}

export async function kubeConfig(keys: TestKeys, ip: string, signer: Pair = keys.ca): Promise<KubeConfig> {
  const client = await newClientCertificate(signer, 'O=system:masters, CN=holdfast');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'test', server: `https://${ip}:6443`, caData: encoded(keys.ca.certificatePem), skipTLSVerify: false },
    { name: 'holdfast', certData: encoded(client.cert), keyData: encoded(client.key) },
  );
  return config;
}

export async function isoId(cloud: TestCloud, version: string): Promise<string> {
  const [iso] = await cloud.list('listIsos', 'iso', { name: `v${version}-Kubernetes-Binaries-ISO` });
  return String(iso?.['id']);
}

/** A machine with its ISO and its user data, started. */
export async function startNode(
  cloud: TestCloud,
  networkId: string,
  name: string,
  document: string,
  version = '1.31.1',
): Promise<string> {
  const id = await cloud.machine(name, networkId, { userdata: encoded(document) });
  await cloud.call('attachIso', { id: await isoId(cloud, version), virtualmachineid: id });
  await cloud.call('startVirtualMachine', { id });
  return id;
}

/** Network, address, rules, and a first control node that serves. */
export async function createCluster(cloud: TestCloud, name: string, version = '1.31.1'): Promise<TestCluster> {
  const keys = await newClusterKeys();
  const networkId = await cloud.network(name);
  const address = (await cloud.call('associateIpAddress', { networkid: networkId }))['ipaddress'] as JsonObject;
  const addressId = String(address['id']);
  const ip = String(address['ipaddress']);
  await cloud.call('createFirewallRule', {
    ipaddressid: addressId,
    protocol: 'tcp',
    startport: '6443',
    endport: '6443',
  });
  await cloud.call('createEgressFirewallRule', { networkid: networkId, protocol: 'all' });
  const rule = await cloud.call('createLoadBalancerRule', {
    name: 'api',
    algorithm: 'roundrobin',
    publicport: '6443',
    privateport: '6443',
    publicipid: addressId,
    openfirewall: 'false',
  });
  const ruleId = String(rule['id']);
  const document = cloudConfig({
    ...keyFiles(keys),
    '/etc/holdfast/kubeadm.yaml': initDocument(ip, `${name}-control-1`, version),
  });
  const controlId = await startNode(cloud, networkId, `${name}-control-1`, document, version);
  await cloud.call('assignToLoadBalancerRule', { id: ruleId, virtualmachineids: controlId });
  const config = await kubeConfig(keys, ip);
  await eventually(async () => (await apiAnswers(config)) === 200);
  return { networkId, ip, addressId, ruleId, controlId, keys, config };
}

/** The HTTP status of `/readyz`, or null when nobody answers. */
export async function apiAnswers(config: KubeConfig, path = '/readyz'): Promise<number | null> {
  const { request } = await import('node:https');
  const server = config.getCurrentCluster()?.server ?? '';
  const user = config.getCurrentUser();
  const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
  return new Promise((resolve) => {
    const call = request(
      `${server}${path}`,
      {
        ca: decode(config.getCurrentCluster()?.caData),
        cert: decode(user?.certData),
        key: decode(user?.keyData),
        agent: false,
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? null);
      },
    );
    call.on('error', () => resolve(null));
    call.end();
  });
}
