import { renderCloudConfig, type UserDataFile } from './cloud-config';
import { type EtcdMember, etcdEndpoint, etcdFiles } from './etcd-member';
import { initDocuments, joinDocument, pkiDirectory, plainVersion } from './kubeadm-documents';
import { type ClusterPki, caCertHash, signEtcdClientCertificate } from './pki';
import { kubeadmPath, settingsPath, setupScriptPath, setupUnitName } from './setup-paths';
import { renderSettings, type SetupSettings, setupScript, setupUnit } from './setup-script';

/** What all nodes of a cluster share. */
export interface BootstrapCluster {
  readonly id: string;
  readonly name: string;
  /** Of the ISO that the node will find: for a node that joins, the cluster's current version. */
  readonly kubernetesVersion: string;
  /** `host:port` of the load balancer rule. */
  readonly endpoint: string;
  readonly pki: ClusterPki;
  readonly token: string;
  /** Separate etcd nodes; empty means etcd on the control nodes. */
  readonly etcdMembers: readonly EtcdMember[];
  readonly podSubnet?: string;
}

/** `external` is a machine that Holdfast did not make and that joins as a worker on a restored disk (C.8). */
export type BootstrapNode =
  | { readonly kind: 'first-control' | 'control' | 'worker' | 'external'; readonly name: string }
  | ({ readonly kind: 'etcd' } & EtcdMember);

const unitDirectory = '/etc/systemd/system';
/** The operation gives up long before; a machine that is started again later waits anew. */
const isoWaitSeconds = 3_600;
const nameShape = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * The node's user data, as plain text. Secrets are in it: after the node is Ready, replace it by `scrubbedUserData`. Throws on
 * a name or version that could not be a node's. The length is the caller's to check (`assertUserDataFits`).
 */
export async function nodeUserData(cluster: BootstrapCluster, node: BootstrapNode): Promise<string> {
  if (!nameShape.test(node.name))
    throw new Error(`Not a node name: ${node.name}; it must be [a-z0-9-], at most 63, a letter first.`);
  const role = setupRole(node);
  const settings = { role, kubernetesVersion: plainVersion(cluster.kubernetesVersion), isoWaitSeconds };
  return renderCloudConfig({
    files: [
      ...(await roleFiles(cluster, node)),
      { path: settingsPath, content: renderSettings(settings), permissions: '0644' },
      { path: setupScriptPath, content: setupScript(role), permissions: '0755' },
      { path: `${unitDirectory}/${setupUnitName}`, content: setupUnit, permissions: '0644' },
    ],
    // Without blocking: the unit waits for the ISO, and cloud-init must be able to end before.
    commands: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', setupUnitName],
      ['systemctl', 'start', '--no-block', setupUnitName],
    ],
  });
}

/** Replaces a node's user data once the keys in it have done their work. On a restored disk it does nothing but log. */
export function scrubbedUserData(): string {
  return renderCloudConfig({
    files: [],
    commands: [['logger', '-t', 'holdfast', 'The user data of this machine was scrubbed: nothing to do.']],
  });
}

function setupRole(node: BootstrapNode): SetupSettings['role'] {
  switch (node.kind) {
    case 'first-control':
      return 'init';
    case 'control':
      return 'control';
    case 'etcd':
      return 'etcd';
    case 'worker':
    case 'external':
      return 'worker';
  }
}

async function roleFiles(cluster: BootstrapCluster, node: BootstrapNode): Promise<readonly UserDataFile[]> {
  switch (node.kind) {
    case 'first-control':
      return [...(await controlFiles(cluster)), kubeadmFile(initText(cluster, node.name))];
    case 'control':
      return [...(await controlFiles(cluster)), kubeadmFile(joinText(cluster, node.name, true))];
    case 'worker':
    case 'external':
      return [kubeadmFile(joinText(cluster, node.name, false))];
    case 'etcd':
      return etcdFiles(cluster.pki, { clusterId: cluster.id, members: cluster.etcdMembers }, node);
  }
}

/** All pairs are on every control node, so that nothing has to be uploaded and no certificate key expires (C.3). */
async function controlFiles({ pki, etcdMembers }: BootstrapCluster): Promise<readonly UserDataFile[]> {
  const files = [
    ...pairFiles('ca', pki.cluster),
    ...pairFiles('front-proxy-ca', pki.frontProxy),
    ...pairFiles('etcd/ca', pki.etcd),
    publicFile('sa.pub', pki.serviceAccount.publicKeyPem),
    secretFile('sa.key', pki.serviceAccount.keyPem),
  ];
  if (etcdMembers.length === 0) return files;
  return [...files, ...pairFiles('apiserver-etcd-client', await signEtcdClientCertificate(pki))];
}

function initText(cluster: BootstrapCluster, nodeName: string): string {
  const host = cluster.endpoint.replace(/:\d+$/, '');
  return initDocuments({
    clusterName: cluster.name,
    kubernetesVersion: cluster.kubernetesVersion,
    controlPlaneEndpoint: cluster.endpoint,
    certificateNames: [host],
    nodeName,
    token: cluster.token,
    etcdEndpoints: cluster.etcdMembers.map(etcdEndpoint),
    ...(cluster.podSubnet === undefined ? {} : { podSubnet: cluster.podSubnet }),
  });
}

function joinText(cluster: BootstrapCluster, nodeName: string, controlPlane: boolean): string {
  return joinDocument({
    kubernetesVersion: cluster.kubernetesVersion,
    controlPlaneEndpoint: cluster.endpoint,
    nodeName,
    token: cluster.token,
    caCertHash: caCertHash(cluster.pki.cluster.certificatePem),
    controlPlane,
  });
}

function kubeadmFile(content: string): UserDataFile {
  return { path: kubeadmPath, content, permissions: '0600' };
}

function pairFiles(name: string, pair: { certificatePem: string; keyPem: string }): readonly UserDataFile[] {
  return [publicFile(`${name}.crt`, pair.certificatePem), secretFile(`${name}.key`, pair.keyPem)];
}

function publicFile(name: string, content: string): UserDataFile {
  return { path: `${pkiDirectory}/${name}`, content, permissions: '0644' };
}

function secretFile(name: string, content: string): UserDataFile {
  return { path: `${pkiDirectory}/${name}`, content, permissions: '0600' };
}
