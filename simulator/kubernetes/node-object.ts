/** The Node object of a machine, as its kubelet registers it, and the static pods of control nodes. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@/simulator/core/json';
import { noOrigin } from '@/simulator/core/ledger';
import type { Machine } from '@/simulator/core/machine-model';
import type { ClusterRuntime } from './cluster-runtime';
import { nodes, pods } from './resources';

export function nodeNameOf(machine: Machine): string {
  return machine.inside.intent?.nodeName ?? machine.name.toLowerCase();
}

const isControl = (machine: Machine): boolean =>
  machine.inside.role === 'first-control' || machine.inside.role === 'control';

/** Images that are surely on a node: those of kubeadm and of the manifests on the ISO. */
export function imagesOn(version: string): string[] {
  return [
    `registry.k8s.io/kube-proxy:v${version}`,
    `registry.k8s.io/kube-apiserver:v${version}`,
    'registry.k8s.io/coredns/coredns:v1.11.3',
    'registry.k8s.io/pause:3.10',
    'docker.io/calico/node:v3.28.0',
    'apache/cloudstack-kubernetes-provider:v1.1.0',
    'ghcr.io/cloudstack/cloudstack-csi-driver:3.0.0',
    'registry.k8s.io/autoscaling/cluster-autoscaler:v1.30.0',
    'docker.io/kubernetesui/dashboard:v2.7.0',
  ];
}

function nodeInfo(machine: Machine, version: string): JsonObject {
  return {
    machineID: machine.id.replaceAll('-', ''),
    systemUUID: machine.id,
    bootID: machine.diskId,
    kernelVersion: '6.1.0-28-amd64',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    containerRuntimeVersion: 'containerd://1.7.24',
    kubeletVersion: `v${version}`,
    kubeProxyVersion: `v${version}`,
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}

function newNode(runtime: ClusterRuntime, machine: Machine, version: string): JsonObject {
  const name = nodeNameOf(machine);
  const intent = machine.inside.intent;
  const offering = runtime.world.records.get('offering', machine.offeringId);
  const capacity: JsonObject = {
    cpu: String(offering?.cpuCount ?? 1),
    memory: `${(offering?.memoryMb ?? 1_024) * 1_024}Ki`,
    pods: '110',
    'ephemeral-storage': `${machine.rootDiskGb}Gi`,
  };
  const labels: JsonObject = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    ...intent?.labels,
  };
  if (isControl(machine))
    Object.assign(labels, {
      'node-role.kubernetes.io/control-plane': '',
      'node.kubernetes.io/exclude-from-external-load-balancers': '',
    });
  const controlTaints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
  const taints = [
    ...(intent?.taints ?? (isControl(machine) ? controlTaints : [])),
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  ];
  return {
    metadata: {
      name,
      labels,
      annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' },
    },
    spec: {
      podCIDR: '192.168.0.0/24',
      taints,
      ...(intent?.providerId == null ? {} : { providerID: intent.providerId }),
    },
    status: {
      capacity,
      allocatable: capacity,
      addresses: [
        { type: 'InternalIP', address: machine.ip },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: nodeInfo(machine, version),
      images: imagesOn(version).map((image) => ({ names: [image], sizeBytes: 50_000_000 })),
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'KubeletNotReady',
          message: 'container runtime network not ready: cni plugin not initialized',
          lastTransitionTime: runtime.world.clock.iso(),
          lastHeartbeatTime: runtime.world.clock.iso(),
        },
      ],
    },
  };
}

/** Static pods: shown by the API, started by the kubelet; an eviction never touches them. */
function mirrorPod(machine: Machine, component: string, version: string): JsonObject {
  const node = nodeNameOf(machine);
  const image = component === 'etcd' ? 'registry.k8s.io/etcd:3.5.15-0' : `registry.k8s.io/${component}:v${version}`;
  const hash = createHash('md5').update(`${component}/${version}`).digest('hex');
  return {
    metadata: {
      name: `${component}-${node}`,
      namespace: 'kube-system',
      labels: { component, tier: 'control-plane' },
      annotations: { 'kubernetes.io/config.mirror': hash, 'kubernetes.io/config.source': 'file' },
    },
    spec: {
      nodeName: node,
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: component, image }],
    },
    status: { phase: 'Pending' },
  };
}

/** (Re)makes the static pods of a control node for a version. */
export function placeMirrorPods(runtime: ClusterRuntime, machine: Machine, version: string): void {
  const components = [
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    ...(runtime.cluster.etcdEndpoints.length === 0 ? ['etcd'] : []),
  ];
  for (const component of components) {
    const pod = mirrorPod(machine, component, version);
    const before = runtime.store.find(pods, 'kube-system', `${component}-${nodeNameOf(machine)}`);
    if (before !== undefined) runtime.store.remove(pods, before);
    runtime.store.create(pods, pod);
  }
}

/** Makes the Node object unless it is there. A node that came back keeps its cordon, labels and annotations. */
export function registerNodeObject(runtime: ClusterRuntime, machine: Machine): void {
  const version = machine.inside.kubernetesVersion ?? runtime.cluster.version;
  const before = runtime.store.find(nodes, '', nodeNameOf(machine));
  if (before === undefined) {
    runtime.store.create(nodes, newNode(runtime, machine, version));
    runtime.world.effect('node object created', noOrigin, { cluster: runtime.cluster.id, name: nodeNameOf(machine) });
  } else {
    runtime.store.setStatus(nodes, before, { nodeInfo: nodeInfo(machine, version) });
  }
  if (isControl(machine)) placeMirrorPods(runtime, machine, version);
  runtime.wake();
}
