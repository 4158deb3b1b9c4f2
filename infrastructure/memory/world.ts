import type { Iso, NetworkOffering, Offering, Template, Zone } from '@/domain/cloud-catalogue';
import type { Headroom, MachineState } from '@/infrastructure/cloud';
import type { Acts } from './acts';
import type { Clock } from './clock';
import type { MemoryCluster } from './cluster';

export interface MemoryNetwork {
  readonly id: string;
  name: string;
  readonly zoneId: string;
  readonly offeringId: string;
  readonly cidr: string;
  readonly egressAllowed: boolean;
  egressOpened: boolean;
  readonly tags: Map<string, string>;
}

export interface MemoryAddress {
  readonly id: string;
  readonly ip: string;
  readonly networkId: string;
  readonly isSourceNat: boolean;
  readonly tags: Map<string, string>;
}

export interface MemoryRule {
  readonly id: string;
  readonly name: string;
  readonly addressId: string;
  readonly networkId: string;
  readonly publicPort: number;
  readonly privatePort: number;
  readonly machineIds: Set<string>;
}

export interface MemoryFirewallRule {
  readonly id: string;
  readonly addressId: string;
  readonly port: number;
  readonly cidrs: readonly string[];
}

/** A root disk. What it booted with is decided once, at its first boot, as cloud-init does. */
export interface Disk {
  bootedWith: string | null;
  /** The node's set-up has ended well. */
  done: boolean;
}

export interface MemoryMachine {
  readonly id: string;
  name: string;
  state: MachineState;
  readonly zoneId: string;
  readonly networkId: string;
  readonly ip: string;
  offeringId: string;
  readonly templateId: string;
  isoId: string | null;
  userData: string;
  disk: Disk;
  readonly tags: Map<string, string>;
  createdAt: Date;
  deleteProtected: boolean;
  /** Faults of the guest: its set-up never ends, or its kubelet reports nothing. */
  neverJoins: boolean;
  kubeletDown: boolean;
}

export interface MemoryIso extends Iso {
  readonly version: string;
  ready: boolean;
}

export interface Catalogue {
  readonly zones: Zone[];
  readonly offerings: Offering[];
  readonly templates: Template[];
  readonly isos: MemoryIso[];
  readonly networkOfferings: NetworkOffering[];
  readonly sshKeyPairs: string[];
}

/** Everything there is. Tests reach it through `control`. */
export interface World {
  readonly clock: Clock;
  readonly acts: Acts;
  readonly catalogue: Catalogue;
  readonly limits: Headroom;
  readonly startMs: number;
  readonly networks: Map<string, MemoryNetwork>;
  readonly addresses: Map<string, MemoryAddress>;
  readonly rules: Map<string, MemoryRule>;
  readonly firewallRules: Map<string, MemoryFirewallRule>;
  readonly machines: Map<string, MemoryMachine>;
  readonly clusters: MemoryCluster[];
  readonly permittedTemplates: Set<string>;
  nextId(): string;
}

/** Ids look like CloudStack's and count up, so that a failing test reads the same every time. */
export function idCounter(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `5eed0000-0000-4000-8000-${String(last).padStart(12, '0')}`;
  };
}
