import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createBootstrapToken } from './bootstrap-token';
import { assertUserDataFits, parseCloudConfig, userDataLength } from './cloud-config';
import { caCertHash, createClusterPki } from './pki';
import { type BootstrapCluster, type BootstrapNode, nodeUserData, scrubbedUserData } from './user-data';

let cluster: BootstrapCluster;
const etcdMembers = [1, 2, 3].map((number) => ({
  name: `demo-8d21e0f4-etcd-${number}`,
  address: `10.1.1.${number + 10}`,
}));
const nodes: readonly BootstrapNode[] = [
  { kind: 'first-control', name: 'demo-8d21e0f4-control-1' },
  { kind: 'control', name: 'demo-8d21e0f4-control-2' },
  { kind: 'worker', name: 'demo-8d21e0f4-worker-1' },
  { kind: 'external', name: 'somebody-elses' },
  { kind: 'etcd', name: 'demo-8d21e0f4-etcd-1', address: '10.1.1.11' },
];

beforeAll(async () => {
  cluster = {
    id: '01931f7e-2c5a-7d41-9b7e-5a3c8d21e0f4',
    name: 'demo',
    kubernetesVersion: '1.31.4',
    endpoint: '127.20.0.10:6443',
    pki: await createClusterPki({ clusterName: 'demo' }),
    token: createBootstrapToken(),
    etcdMembers: [],
  };
});

async function filesOf(node: BootstrapNode, changes: Partial<BootstrapCluster> = {}): Promise<Map<string, string>> {
  const document = parseCloudConfig(await nodeUserData({ ...cluster, ...changes }, node));
  return new Map(document.write_files.map((file) => [file.path, file.content]));
}

describe('user data', () => {
  it.each(nodes)('of $kind is a cloud-config within the limit, whose script bash can read', async (node) => {
    const text = await nodeUserData({ ...cluster, etcdMembers }, node);
    expect(text.split('\n')[0]).toBe('#cloud-config');
    expect(userDataLength(text)).toBe(Buffer.from(text).toString('base64').length);
    expect(userDataLength(text)).toBeLessThan(28_000);
    const document = parseCloudConfig(text);
    for (const file of document.write_files) expect(file.permissions).toMatch(/^0[0-7]{3}$/);
    const script = document.write_files.find((file) => file.path === '/opt/holdfast/setup.sh')?.content ?? '';
    const checked = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect(checked.error === undefined ? checked.stderr : '').toBe('');
  });

  it('of the first control node carries all authorities, the token and the version', async () => {
    const files = await filesOf({ kind: 'first-control', name: 'demo-8d21e0f4-control-1' });
    expect(files.get('/etc/kubernetes/pki/ca.key')).toBe(cluster.pki.cluster.keyPem);
    expect(files.get('/etc/kubernetes/pki/etcd/ca.crt')).toBe(cluster.pki.etcd.certificatePem);
    expect(files.get('/etc/kubernetes/pki/front-proxy-ca.key')).toBe(cluster.pki.frontProxy.keyPem);
    expect(files.get('/etc/kubernetes/pki/sa.pub')).toBe(cluster.pki.serviceAccount.publicKeyPem);
    const [configuration, init] = parseAllDocuments(files.get('/etc/holdfast/kubeadm.yaml') ?? '').map((each) =>
      each.toJS(),
    );
    expect(configuration).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.31.4',
      controlPlaneEndpoint: '127.20.0.10:6443',
      apiServer: { certSANs: ['127.20.0.10'] },
    });
    expect(init).toMatchObject({
      kind: 'InitConfiguration',
      bootstrapTokens: [{ token: cluster.token }],
      nodeRegistration: { name: 'demo-8d21e0f4-control-1' },
    });
    expect(files.get('/etc/holdfast/node.env')).toContain('ROLE=init\nKUBERNETES_VERSION=1.31.4\n');
  });

  it('of a worker carries no key at all and pins the authority', async () => {
    const files = await filesOf({ kind: 'worker', name: 'demo-8d21e0f4-worker-1' });
    expect([...files.values()].join('')).not.toContain('PRIVATE KEY');
    const join = parse(files.get('/etc/holdfast/kubeadm.yaml') ?? '');
    expect(join.discovery.bootstrapToken).toEqual({
      apiServerEndpoint: '127.20.0.10:6443',
      token: cluster.token,
      caCertHashes: [caCertHash(cluster.pki.cluster.certificatePem)],
    });
    expect(join.controlPlane).toBeUndefined();
  });

  it('of a further control node joins as one, in the older document before 1.31', async () => {
    const files = await filesOf({ kind: 'control', name: 'demo-8d21e0f4-control-2' }, { kubernetesVersion: 'v1.30.8' });
    const join = parse(files.get('/etc/holdfast/kubeadm.yaml') ?? '');
    expect(join).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      controlPlane: { localAPIEndpoint: { bindPort: 6443 } },
    });
    expect(files.get('/etc/kubernetes/pki/sa.key')).toBe(cluster.pki.serviceAccount.keyPem);
  });

  it('points control nodes at separate etcd nodes, with a client certificate', async () => {
    const files = await filesOf({ kind: 'first-control', name: 'demo-8d21e0f4-control-1' }, { etcdMembers });
    const [configuration] = parseAllDocuments(files.get('/etc/holdfast/kubeadm.yaml') ?? '').map((each) => each.toJS());
    expect(configuration?.['etcd'].external.endpoints).toEqual(
      etcdMembers.map((member) => `https://${member.address}:2379`),
    );
    expect(files.get('/etc/kubernetes/pki/apiserver-etcd-client.key')).toContain('PRIVATE KEY');
  });

  it('of an etcd node names all members and speaks TLS only', async () => {
    const files = await filesOf({ kind: 'etcd', name: 'demo-8d21e0f4-etcd-1', address: '10.1.1.11' }, { etcdMembers });
    const unit = files.get('/etc/systemd/system/etcd.service') ?? '';
    expect(unit).toContain('demo-8d21e0f4-etcd-3=https://10.1.1.13:2380');
    expect(unit).not.toContain('http://');
    expect(files.has('/etc/holdfast/kubeadm.yaml')).toBe(false);
  });

  it('is refused for names and versions that could reach a shell', async () => {
    await expect(nodeUserData(cluster, { kind: 'worker', name: 'a; rm -rf /' })).rejects.toThrow('Not a node name');
    await expect(
      nodeUserData({ ...cluster, kubernetesVersion: '1.31.4$(x)' }, { kind: 'worker', name: 'a' }),
    ).rejects.toThrow('version');
    await expect(
      nodeUserData({ ...cluster, kubernetesVersion: '1.21.9' }, { kind: 'worker', name: 'a' }),
    ).rejects.toThrow('too old');
  });

  it('scrubbed holds nothing and does nothing but log', () => {
    expect(parseCloudConfig(scrubbedUserData())).toMatchObject({
      write_files: [],
      runcmd: [['logger', '-t', 'holdfast', expect.any(String)]],
    });
  });

  it('over the limit is refused with both numbers', () => {
    expect(() => assertUserDataFits('x'.repeat(30_000))).toThrow('40000 characters in base64; the cloud allows 32768');
    expect(() => parseCloudConfig('write_files: []\n')).toThrow('#cloud-config');
  });
});
