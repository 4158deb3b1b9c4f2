/** Machines, what happens inside them, and the clusters they make. */
import type { JsonObject } from './json';

export type MachineState =
  | 'Starting'
  | 'Running'
  | 'Stopping'
  | 'Stopped'
  | 'Destroyed'
  | 'Expunging'
  | 'Error'
  | 'Restoring';

export interface Machine {
  id: string;
  name: string;
  displayName: string;
  account: string;
  user: string;
  state: MachineState;
  /** What "the host" has reached; a restart of the management server goes by this. */
  hostRunning: boolean;
  zoneId: string;
  templateId: string;
  offeringId: string;
  networkId: string;
  nicId: string;
  ip: string;
  mac: string;
  isoId: string | null;
  userData: string;
  keyPair: string | null;
  rootDiskGb: number;
  diskId: string;
  hostId: string | null;
  affinityGroupIds: string[];
  deleteProtection: boolean;
  details: Record<string, string>;
  created: number;
  sequence: number;
  /** Set while a job of it is pending. */
  jobId: string | null;
  inside: Inside;
}

export type Role = 'unknown' | 'plain' | 'first-control' | 'control' | 'worker' | 'etcd';
export type Phase = 'off' | 'booting' | 'waiting-for-iso' | 'bootstrapping' | 'done' | 'failed';

/** What happens on the machine's own disk. */
export interface Inside {
  /** The disk on which cloud-init has run; another disk makes it run again. */
  bootedDiskId: string | null;
  role: Role;
  phase: Phase;
  clusterId: string | null;
  /** The setup script's done-marker. */
  bootstrapped: boolean;
  /** The API server of this control node listens. */
  serving: boolean;
  kubeletUp: boolean;
  kubernetesVersion: string | null;
  /** apiVersion of its kubeadm documents. */
  apiVersion: string | null;
  intent: Intent | null;
  console: string[];
  /** Counts power-ons, so that a script of an earlier one ends. */
  run: number;
}

/** What the user data asks the machine to become. */
export interface Intent {
  nodeName: string;
  version: string | null;
  clusterName: string;
  endpoint: string | null;
  certSans: string[];
  token: string | null;
  tokenTtlMs: number | null;
  caCertHashes: string[];
  providerId: string | null;
  etcdEndpoints: string[];
  podSubnet: string | null;
  taints: JsonObject[] | null;
  labels: Record<string, string>;
  files: Record<string, string>;
}

export interface Cluster {
  id: string;
  name: string;
  /** The value of the tag `holdfast-cluster` of its first machine, if it had one. */
  tag: string | null;
  endpointHost: string;
  endpointPort: number;
  version: string;
  caPem: string;
  caKeyPem: string;
  serverCertPem: string;
  serverKeyPem: string;
  /** Control nodes whose etcd member was never removed. */
  memberIds: string[];
  etcdEndpoints: string[];
  tokens: Record<string, { expiresAt: number | null; groups: string[] }>;
  api: 'up' | 'down' | 'unready' | 'readonly' | 'slow' | 'expired';
  /** Pods that the load of a test wants; null when none was set. */
  loadPods: number | null;
  firstControlId: string;
  created: number;
}
