import { stringify } from 'yaml';

/** Documents for `kubeadm init` and `kubeadm join`, in the API version that the Kubernetes version reads (C.4). */

export interface InitRequest {
  readonly clusterName: string;
  /** `1.31.4`, with or without a leading `v`. */
  readonly kubernetesVersion: string;
  /** `host:port` of the load balancer rule; fixed before the first boot. */
  readonly controlPlaneEndpoint: string;
  /** Names and addresses besides the node's own that the API server's certificate is valid for. */
  readonly certificateNames: readonly string[];
  readonly nodeName: string;
  readonly token: string;
  readonly podSubnet?: string;
  /** `https://address:2379` of each separate etcd node; empty for etcd on the control nodes. */
  readonly etcdEndpoints: readonly string[];
}

export interface JoinRequest {
  readonly kubernetesVersion: string;
  readonly controlPlaneEndpoint: string;
  readonly nodeName: string;
  readonly token: string;
  /** `sha256:…` of the cluster CA; joins are never unverified. */
  readonly caCertHash: string;
  readonly controlPlane: boolean;
}

const criSocket = 'unix:///run/containerd/containerd.sock';
const bindPort = 6443;
/** Long enough for all first nodes; later ones get a token by Secret. */
const firstTokenTtl = '2h0m0s';
/** Calico reads it from kubeadm's configuration, Weave has a default of its own. Apart from CloudStack's usual guest networks. */
const defaultPodSubnet = '10.244.0.0/16';
export const pkiDirectory = '/etc/kubernetes/pki';

/** ClusterConfiguration and InitConfiguration of the first control node. */
export function initDocuments(request: InitRequest): string {
  const apiVersion = kubeadmApiVersion(request.kubernetesVersion);
  const cluster = {
    apiVersion,
    kind: 'ClusterConfiguration',
    clusterName: request.clusterName,
    kubernetesVersion: `v${plainVersion(request.kubernetesVersion)}`,
    controlPlaneEndpoint: request.controlPlaneEndpoint,
    apiServer: { certSANs: [...request.certificateNames] },
    networking: { podSubnet: request.podSubnet ?? defaultPodSubnet },
    ...(request.etcdEndpoints.length > 0 ? { etcd: { external: externalEtcd(request.etcdEndpoints) } } : {}),
  };
  const init = {
    apiVersion,
    kind: 'InitConfiguration',
    bootstrapTokens: [{ token: request.token, ttl: firstTokenTtl, description: 'Holdfast: the first nodes.' }],
    nodeRegistration: nodeRegistration(request.nodeName),
    localAPIEndpoint: { bindPort },
  };
  return [cluster, init].map((document) => stringify(document, { lineWidth: 0 })).join('---\n');
}

/** JoinConfiguration of a worker, or of a further control node. */
export function joinDocument(request: JoinRequest): string {
  return stringify(
    {
      apiVersion: kubeadmApiVersion(request.kubernetesVersion),
      kind: 'JoinConfiguration',
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: request.controlPlaneEndpoint,
          token: request.token,
          caCertHashes: [request.caCertHash],
        },
      },
      nodeRegistration: nodeRegistration(request.nodeName),
      ...(request.controlPlane ? { controlPlane: { localAPIEndpoint: { bindPort } } } : {}),
    },
    { lineWidth: 0 },
  );
}

/** v1beta3 up to 1.30, v1beta4 from 1.31. The fields used here read the same in both. Throws below 1.22. */
export function kubeadmApiVersion(kubernetesVersion: string): 'kubeadm.k8s.io/v1beta3' | 'kubeadm.k8s.io/v1beta4' {
  const { major, minor } = parseVersion(kubernetesVersion);
  if (major === 1 && minor < 22)
    throw new Error(`Kubernetes ${kubernetesVersion} is too old: Holdfast bootstraps 1.22 and later.`);
  return major === 1 && minor <= 30 ? 'kubeadm.k8s.io/v1beta3' : 'kubeadm.k8s.io/v1beta4';
}

/** Without the leading `v`. Throws on anything but three numbers, with an optional suffix as in `-rc.1`. */
export function plainVersion(version: string): string {
  parseVersion(version);
  return version.replace(/^v/, '');
}

/** Node name = machine name: cloud provider, CSI driver and autoscaler assume it. */
function nodeRegistration(name: string) {
  return { name, criSocket, imagePullPolicy: 'IfNotPresent' };
}

function externalEtcd(endpoints: readonly string[]) {
  return {
    endpoints: [...endpoints],
    caFile: `${pkiDirectory}/etcd/ca.crt`,
    certFile: `${pkiDirectory}/apiserver-etcd-client.crt`,
    keyFile: `${pkiDirectory}/apiserver-etcd-client.key`,
  };
}

const versionShape = /^v?(\d+)\.(\d+)\.\d+([-+][0-9A-Za-z.+-]+)?$/;

function parseVersion(version: string): { major: number; minor: number } {
  const [, major, minor] = versionShape.exec(version) ?? [];
  if (major === undefined || minor === undefined)
    throw new Error(`Not a Kubernetes version: ${version}; it must read like 1.31.4.`);
  return { major: Number(major), minor: Number(minor) };
}
