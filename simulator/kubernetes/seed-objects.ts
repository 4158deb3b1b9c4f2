/** What a cluster holds after init: namespaces, kubeadm's config maps, kube-proxy, CoreDNS, the network, and the manifests. */
import { parseAllDocuments } from 'yaml';
import { isObject, type JsonObject } from '@/simulator/core/json';
import type { Machine } from '@/simulator/core/machine-model';
import type { Iso } from '@/simulator/core/model';
import type { ClusterRuntime } from './cluster-runtime';
import { setDefaults } from './defaults';
import { isoManifests } from './iso-manifests';
import { nameOf, namespaceOf } from './objects';
import {
  apiVersionOf,
  configMaps,
  daemonSets,
  deployments,
  namespaces,
  type Resource,
  secrets,
  serviceAccounts,
  services,
} from './resources';

function add(runtime: ClusterRuntime, resource: Resource, object: JsonObject): void {
  setDefaults(resource, object);
  if (runtime.store.find(resource, namespaceOf(object), nameOf(object)) === undefined)
    runtime.store.create(resource, object);
}

/** Applies a manifest of several documents; kinds the cluster does not serve are left out. */
export function applyManifest(runtime: ClusterRuntime, text: string): void {
  for (const document of parseAllDocuments(text)) {
    const object: unknown = document.toJS();
    if (!isObject(object)) continue;
    const resource = runtime
      .resources()
      .find((candidate) => candidate.kind === object['kind'] && apiVersionOf(candidate) === object['apiVersion']);
    if (resource !== undefined) add(runtime, resource, object);
  }
}

const everywhere = [{ operator: 'Exists' }];

function kubeProxy(version: string): JsonObject {
  const labels = { 'k8s-app': 'kube-proxy' };
  return {
    metadata: { name: 'kube-proxy', namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          serviceAccountName: 'kube-proxy',
          priorityClassName: 'system-node-critical',
          tolerations: everywhere,
          containers: [
            { name: 'kube-proxy', image: `registry.k8s.io/kube-proxy:v${version}`, imagePullPolicy: 'IfNotPresent' },
          ],
        },
      },
    },
  };
}

function coreDns(): JsonObject {
  const labels = { 'k8s-app': 'kube-dns' };
  const tolerations = [
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
    { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
  ];
  return {
    metadata: { name: 'coredns', namespace: 'kube-system', labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: 'coredns',
          priorityClassName: 'system-cluster-critical',
          tolerations,
          containers: [
            { name: 'coredns', image: 'registry.k8s.io/coredns/coredns:v1.11.3', imagePullPolicy: 'IfNotPresent' },
          ],
        },
      },
    },
  };
}

function configMap(namespace: string, name: string, data: JsonObject): JsonObject {
  return { metadata: { name, namespace }, data };
}

function kubeadmConfig(runtime: ClusterRuntime, podSubnet: string | null): string {
  const { cluster } = runtime;
  return `apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\nclusterName: ${cluster.name}\ncontrolPlaneEndpoint: ${cluster.endpointHost}:${cluster.endpointPort}\nkubernetesVersion: v${cluster.version}\nnetworking:\n  podSubnet: ${podSubnet ?? '192.168.0.0/16'}\n`;
}

function clusterInfo(runtime: ClusterRuntime): string {
  const { cluster } = runtime;
  const authority = Buffer.from(cluster.caPem).toString('base64');
  return `apiVersion: v1\nkind: Config\nclusters:\n- name: ""\n  cluster:\n    certificate-authority-data: ${authority}\n    server: https://${cluster.endpointHost}:${cluster.endpointPort}\n`;
}

function addConfigMaps(runtime: ClusterRuntime, machine: Machine): void {
  const podSubnet = machine.inside.intent?.podSubnet ?? null;
  add(
    runtime,
    configMaps,
    configMap('kube-system', 'kubeadm-config', { ClusterConfiguration: kubeadmConfig(runtime, podSubnet) }),
  );
  add(
    runtime,
    configMaps,
    configMap('kube-system', 'kubelet-config', {
      kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
    }),
  );
  add(runtime, configMaps, configMap('kube-system', 'kube-proxy', { 'config.conf': 'kind: KubeProxyConfiguration\n' }));
  add(runtime, configMaps, configMap('kube-public', 'cluster-info', { kubeconfig: clusterInfo(runtime) }));
  for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    add(runtime, configMaps, configMap(namespace, 'kube-root-ca.crt', { 'ca.crt': runtime.cluster.caPem }));
    add(runtime, serviceAccounts, { metadata: { name: 'default', namespace } });
  }
}

/** kubeadm keeps init's token as a Secret, so that it can be seen and revoked. */
function addTokens(runtime: ClusterRuntime): void {
  for (const [token, { expiresAt }] of Object.entries(runtime.cluster.tokens)) {
    const [id = '', secret = ''] = token.split('.');
    const stringData: JsonObject = {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    };
    if (expiresAt !== null) stringData['expiration'] = new Date(expiresAt).toISOString();
    add(runtime, secrets, {
      metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      stringData,
    });
  }
}

/** Puts everything in; safe to call twice. */
export function fillCluster(runtime: ClusterRuntime, machine: Machine, iso: Iso): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
    add(runtime, namespaces, { metadata: { name } });
  addConfigMaps(runtime, machine);
  addTokens(runtime);
  runtime.cluster.tokens = {};
  runtime.world.records.save('cluster', runtime.cluster);
  add(runtime, services, {
    metadata: { name: 'kubernetes', namespace: 'default' },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  });
  add(runtime, daemonSets, kubeProxy(runtime.cluster.version));
  add(runtime, deployments, coreDns());
  const manifests = isoManifests(iso);
  applyManifest(runtime, manifests['network.yaml'] ?? '');
  add(runtime, configMaps, configMap('kube-system', 'holdfast-manifests', { ...manifests }));
}
