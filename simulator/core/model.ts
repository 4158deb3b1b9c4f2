/** The records of the simulated cloud. Each has an id, is a plain value, and is saved as a whole. */
import type { JsonObject } from '@/simulator/core/json';

export interface Zone {
  id: string;
  name: string;
  enabled: boolean;
}

export interface Offering {
  id: string;
  name: string;
  cpuCount: number;
  cpuSpeedMhz: number;
  memoryMb: number;
  custom: boolean;
}

export interface Template {
  id: string;
  name: string;
  account: string;
  ready: boolean;
  isPublic: boolean;
  featured: boolean;
  forKubernetes: boolean;
  system: boolean;
  dynamicallyScalable: boolean;
  zoneId: string;
  permittedAccounts: string[];
}

export interface Iso {
  id: string;
  name: string;
  ready: boolean;
  zoneId: string;
  /** Null for an ISO that holds no Kubernetes binaries. */
  kubernetesVersion: string | null;
  hasCsi: boolean;
  hasEtcd: boolean;
}

export interface NetworkOffering {
  id: string;
  name: string;
  guestType: 'Isolated' | 'Shared';
  egressAllowed: boolean;
  forVpc: boolean;
  services: string[];
}

export interface Network {
  id: string;
  name: string;
  displayText: string;
  zoneId: string;
  offeringId: string;
  account: string;
  state: 'Allocated' | 'Implementing' | 'Implemented' | 'Shutdown' | 'Destroy' | 'Setup';
  cidr: string;
  created: number;
}

export interface Address {
  id: string;
  ip: string;
  zoneId: string;
  state: 'Free' | 'Allocated';
  networkId: string | null;
  account: string | null;
  sourceNat: boolean;
  allocatedAt: number | null;
}

export interface FirewallRule {
  id: string;
  direction: 'ingress' | 'egress';
  addressId: string | null;
  networkId: string;
  protocol: string;
  startPort: number | null;
  endPort: number | null;
  cidrs: string;
  account: string;
}

export interface BalancerRule {
  id: string;
  name: string;
  algorithm: string;
  addressId: string;
  networkId: string;
  publicPort: number;
  privatePort: number;
  protocol: string;
  cidrs: string;
  account: string;
  machineIds: string[];
}

export interface ForwardingRule {
  id: string;
  addressId: string;
  networkId: string;
  protocol: string;
  publicPort: number;
  privatePort: number;
  machineId: string;
  account: string;
}

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

export interface Job {
  id: string;
  command: string;
  account: string;
  user: string;
  status: 0 | 1 | 2;
  code: number;
  result: JsonObject | null;
  instanceType: string;
  instanceId: string;
  created: number;
  completed: number | null;
  vanished: boolean;
}

export interface Tag {
  id: string;
  key: string;
  value: string;
  resourceType: string;
  resourceId: string;
  account: string;
}

export interface KeyPair {
  id: string;
  name: string;
  fingerprint: string;
  publicKey: string;
  account: string;
}

export interface AffinityGroup {
  id: string;
  name: string;
  type: string;
  account: string;
}

export interface Volume {
  id: string;
  name: string;
  clusterId: string;
  sizeGb: number;
}

export interface Host {
  id: string;
  name: string;
  zoneId: string;
  up: boolean;
  cpuMhz: number;
  memoryMb: number;
}

/** Ids that once named something: they still resolve in the parameter layer. */
export interface Removed {
  id: string;
  kind: string;
}

export interface Setting {
  id: string;
  value: JsonObject;
}

/** One Kubernetes object; `id` is `<cluster>|<group>/<resource>|<namespace>|<name>`. */
export interface StoredObject {
  id: string;
  object: JsonObject;
}

export interface Tables {
  zone: Zone;
  offering: Offering;
  template: Template;
  iso: Iso;
  networkOffering: NetworkOffering;
  host: Host;
  network: Network;
  address: Address;
  firewall: FirewallRule;
  balancer: BalancerRule;
  forwarding: ForwardingRule;
  machine: Machine;
  cluster: Cluster;
  job: Job;
  tag: Tag;
  keyPair: KeyPair;
  affinityGroup: AffinityGroup;
  volume: Volume;
  removed: Removed;
  setting: Setting;
  object: StoredObject;
  fault: FaultRecord;
}

export interface FaultRecord {
  id: string;
  match: Match;
  action: FaultAction;
  /** How often it still fires; null is for ever. */
  times: number | null;
  /** Simulated time at which it ends, in ms since 1970; null is never. */
  until: number | null;
  seen: number;
  fired: number;
}

/** All given fields must fit. Texts are exact; `*` stands for any run of characters. */
export interface Match {
  command?: string;
  vm?: string;
  step?: string;
  cluster?: string;
  verb?: string;
  path?: string;
  /** A point inside: `join`, `ready`, `component`, `volume`, `upgrade`. */
  event?: string;
  /** Fires from the nth call that fits the rest. */
  nth?: number;
}

export type FaultAction =
  | { kind: 'refuse'; code: number; text?: string }
  | { kind: 'fail-job'; code: number; text?: string }
  | { kind: 'hang' }
  | { kind: 'close' }
  | { kind: 'slow'; ms: number }
  | { kind: 'lose-answer'; code?: number }
  | { kind: 'finish-as'; code: number; text?: string }
  | { kind: 'job-hangs' }
  | { kind: 'job-vanishes' }
  | { kind: 'never' }
  | { kind: 'not-ready' }
  | { kind: 'late'; ms: number }
  | { kind: 'lose-pod' };
