import { createHash } from 'node:crypto';
import type { KubernetesObject } from '@/infrastructure/kubernetes';
import { plainVersion } from './kubeadm-documents';
import { upgradeScript } from './upgrade-script';

export interface UpgradeJobRequest {
  readonly nodeName: string;
  readonly targetVersion: string;
  readonly first: boolean;
  /** The API server's version now; decides which fields of a Job it knows. */
  readonly serverVersion: string;
  /** An image that is surely on the node, such as that of DaemonSet `kube-proxy`. Nothing in it is run. */
  readonly image: string;
}

const namespace = 'kube-system';
const deadlineSeconds = 600;
const keptSeconds = 900;
const tries = 2;
/** From here on a Job can wait for a failed pod's end before it starts another. */
const podReplacementMinor = 29;

/** One name for (node, version): a repeat finds the earlier attempt's Job. */
export function upgradeJobName(request: { nodeName: string; targetVersion: string }): string {
  const version = plainVersion(request.targetVersion);
  const digest = createHash('sha256').update(`${request.nodeName} ${version}`).digest('hex').slice(0, 10);
  return `holdfast-upgrade-${version.toLowerCase().replaceAll('.', '-')}-${digest}`;
}

/**
 * The ConfigMap with the script and the Job that runs it on the host; apply the ConfigMap first. The Job's result is a hint
 * only: a restarting kubelet may lose its pod. The truth is the Node's `kubeletVersion` (D.6).
 */
export function upgradeJob(request: UpgradeJobRequest): { configMap: KubernetesObject; job: KubernetesObject } {
  const name = upgradeJobName(request);
  const labels = { 'app.kubernetes.io/managed-by': 'holdfast', 'app.kubernetes.io/component': 'node-upgrade' };
  const configMap: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels },
    data: {
      'upgrade.sh': upgradeScript(request),
      target: `v${plainVersion(request.targetVersion)}`,
      node: request.nodeName,
    },
  };
  const job: KubernetesObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels },
    spec: {
      completions: 1,
      parallelism: 1,
      backoffLimit: tries,
      activeDeadlineSeconds: deadlineSeconds,
      ttlSecondsAfterFinished: keptSeconds,
      ...(minorOf(request.serverVersion) >= podReplacementMinor ? { podReplacementPolicy: 'Failed' } : {}),
      template: { metadata: { labels }, spec: podSpec(name, request) },
    },
  };
  return { configMap, job };
}

/** The host's own programs and libraries stand over the image's, so any image will do, even one without a shell. */
const hostDirectories = ['usr', 'bin', 'lib', 'lib64'] as const;

function podSpec(configMapName: string, request: UpgradeJobRequest) {
  return {
    // Named, not scheduled: the node is cordoned, and the scheduler may be what is being replaced.
    nodeName: request.nodeName,
    restartPolicy: 'Never',
    hostPID: true,
    hostNetwork: true,
    hostIPC: true,
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: 'upgrade',
        image: request.image,
        imagePullPolicy: 'IfNotPresent',
        command: [
          '/bin/bash',
          '-c',
          'exec /usr/bin/nsenter --target 1 --mount --uts --ipc --net --pid -- /bin/bash -s < /holdfast/upgrade.sh',
        ],
        securityContext: { privileged: true },
        volumeMounts: [
          { name: 'script', mountPath: '/holdfast', readOnly: true },
          { name: 'host', mountPath: '/host' },
          ...hostDirectories.map((directory) => ({
            name: `host-${directory}`,
            mountPath: `/${directory}`,
            readOnly: true,
          })),
        ],
      },
    ],
    volumes: [
      { name: 'script', configMap: { name: configMapName } },
      { name: 'host', hostPath: { path: '/' } },
      // Some architectures have no /lib64; an empty one does no harm.
      ...hostDirectories.map((directory) => ({
        name: `host-${directory}`,
        hostPath: { path: `/${directory}`, type: 'DirectoryOrCreate' },
      })),
    ],
  };
}

function minorOf(version: string): number {
  return Number(plainVersion(version).split('.')[1]);
}
