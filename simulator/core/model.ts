/** The records of the simulated cloud. Each has an id, is a plain value, and is saved as a whole. */
import type { JsonObject } from './json';

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
