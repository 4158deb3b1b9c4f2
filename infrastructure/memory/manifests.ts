import { stringify } from 'yaml';
import type { KubernetesObject } from '@/infrastructure/kubernetes';

const system = 'kube-system';

function deployment(
  name: string,
  namespace: string,
  replicas: number,
  labels: Record<string, string> = { app: name },
): KubernetesObject {
  const template = { metadata: { labels }, spec: { containers: [{ name, image: `example/${name}:1` }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

function daemonSet(name: string, image: string): KubernetesObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: system },
    spec: { selector: { matchLabels: labels }, template },
  };
}

const account = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: system },
});

/** What the binaries ISO brings, in the file names of CloudStack's ISO script, with as much in it as a test can see. */
const files: Readonly<Record<string, readonly KubernetesObject[]>> = {
  'network.yaml': [daemonSet('network', 'example/network:1')],
  'provider.yaml': [account('cloud-controller-manager'), deployment('cloud-controller-manager', system, 1)],
  'snapshot-crds.yaml': [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'volumesnapshots.snapshot.storage.k8s.io' },
      spec: {
        group: 'snapshot.storage.k8s.io',
        scope: 'Namespaced',
        names: { kind: 'VolumeSnapshot', plural: 'volumesnapshots' },
      },
    },
  ],
  'manifest.yaml': [
    { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'csi.cloudstack.apache.org' }, spec: {} },
    deployment('cloudstack-csi-controller', system, 2),
    daemonSet('cloudstack-csi-node', 'example/csi:1'),
  ],
  'dashboard.yaml': [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kubernetes-dashboard' } },
    deployment('kubernetes-dashboard', 'kubernetes-dashboard', 1, { 'k8s-app': 'kubernetes-dashboard' }),
  ],
  'autoscaler.yaml': [
    account('cluster-autoscaler'),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cluster-autoscaler', namespace: system },
      spec: {
        replicas: 1,
        template: {
          metadata: { labels: { app: 'cluster-autoscaler' } },
          spec: {
            containers: [
              { name: 'cluster-autoscaler', image: 'example/autoscaler:1', args: ['--nodes=<min>:<max>:<cluster-id>'] },
            ],
            volumes: [{ name: 'cloud-config', secret: { secretName: 'cloudstack-secret' } }],
          },
        },
      },
    },
  ],
};

/** What is there when the first control node is done. */
export function initialObjects(version: string): readonly KubernetesObject[] {
  const data = Object.fromEntries(
    Object.entries(files).map(([name, objects]) => [name, objects.map((object) => stringify(object)).join('---\n')]),
  );
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'holdfast-manifests', namespace: system }, data },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kubeadm-config', namespace: system }, data: {} },
    daemonSet('kube-proxy', `registry.k8s.io/kube-proxy:v${version}`),
    ...(files['network.yaml'] ?? []),
    deployment('coredns', system, 2),
  ];
}
