/*
 * The contract with the cloud. What belongs here: what Holdfast asks of CloudStack, in its own words, and what every
 * driver promises. Drivers (`cloudstack/`, `memory/`) implement it; `conformance/cloud-contract.ts` holds them to it.
 *
 * Promises every driver keeps:
 *  1. Each `ensure…`, `create…`, `start…`, `stop…`, `destroy…`, `delete…` looks first for what an earlier attempt made, so it may
 *     be called twice; a lost answer is settled by looking again. Names are the identity, tags only find leaks.
 *  2. "Not found" while deleting is success.
 *  3. `call.authorize()` is awaited before each request that changes something, and over a network before each request at all: a
 *     server that slept calls for nothing more. It throws when the caller lost its cluster.
 *  4. `call.signal` ends every wait, at once; no wait is unbounded even without it.
 *  5. Failures are `CloudError`s; decisions rest on `kind`, never on texts.
 */

import type { Iso, Network, NetworkOffering, Offering, Template, Zone } from '@/domain/cloud-catalogue';

/** How a driver is called from inside a step (or from a check, where `authorize` does nothing). */
export interface CallContext {
  readonly signal: AbortSignal;
  /** `<job id>/<token>/<step>`; sent along so that the cloud's records can tell who asked. */
  readonly operation: string;
  /** Resolves while the caller still holds its cluster; otherwise throws and nothing is sent. */
  readonly authorize: () => Promise<void>;
}

/**
 * `transient`: try again later (network, 429, 503, 530, 533 capacity, 534, time-out). `refused`: will not get better by itself (431, 531,
 * 537). `quota`: an account limit (532, 535). `capacity`: no host or address has room (533). `denied`: key or role (401).
 * `not-found`: names a thing that is not there. `unknown-outcome`: a change was sent and its result could not be established.
 */
export type CloudErrorKind =
  | 'transient'
  | 'refused'
  | 'quota'
  | 'capacity'
  | 'denied'
  | 'not-found'
  | 'unknown-outcome';

export class CloudError extends Error {
  readonly kind: CloudErrorKind;
  /** The cloud's own code (HTTP status or job result code), where there was one. */
  readonly code: number | null;
  readonly command: string;

  constructor(
    kind: CloudErrorKind,
    message: string,
    details: { command: string; code?: number | null; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.name = 'CloudError';
    this.kind = kind;
    this.code = details.code ?? null;
    this.command = details.command;
  }
}

export interface Address {
  readonly id: string;
  readonly ip: string;
  readonly isSourceNat: boolean;
}

export interface LoadBalancerRule {
  readonly id: string;
  readonly publicPort: number;
  readonly privatePort: number;
}

/** `other` is any state the contract does not name: neither running nor stopped. `gone` is never listed. */
export type MachineState = 'running' | 'stopped' | 'starting' | 'stopping' | 'error' | 'other';

export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly state: MachineState;
  readonly zoneId: string;
  readonly networkId: string | null;
  readonly ip: string | null;
  readonly offeringId: string;
  readonly templateId: string | null;
  /** Known only where the driver was asked for it (`getMachine`); null when the drive is empty. */
  readonly isoId: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly deleteProtected: boolean;
}

export interface MachineSpec {
  /** `[a-z0-9-]`, at most 63, begins with a letter. Derived from (cluster, role, ordinal, generation): the identity. */
  readonly name: string;
  readonly zoneId: string;
  readonly networkId: string;
  readonly offeringId: string;
  readonly templateId: string;
  readonly rootDiskGb: number;
  readonly sshKeyPair: string | null;
  /** Plain text; the driver encodes it and refuses what exceeds the cloud's limit, naming both numbers. */
  readonly userData: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** What an account may still take; null is "no limit". Memory in MB. */
export interface Headroom {
  readonly machines: number | null;
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly addresses: number | null;
  readonly networks: number | null;
}

export interface Cloud {
  // Catalogue: reads only.
  listZones(call: CallContext): Promise<readonly Zone[]>;
  listOfferings(call: CallContext): Promise<readonly Offering[]>;
  listTemplates(call: CallContext): Promise<readonly Template[]>;
  listIsos(call: CallContext): Promise<readonly Iso[]>;
  listNetworkOfferings(call: CallContext): Promise<readonly NetworkOffering[]>;
  listNetworks(call: CallContext, filter: { zoneId?: string; name?: string; id?: string }): Promise<readonly Network[]>;
  listSshKeyPairs(call: CallContext): Promise<readonly string[]>;
  headroom(call: CallContext): Promise<Headroom>;

  // Network. Of two networks of one name the older is taken.
  ensureNetwork(
    call: CallContext,
    spec: { name: string; zoneId: string; offeringId: string; tags: Readonly<Record<string, string>> },
  ): Promise<Network>;
  /** The network's own address: `knownId` if it still exists, else its source NAT address, else a new one. */
  ensureAddress(
    call: CallContext,
    spec: { networkId: string; knownId: string | null; tags: Readonly<Record<string, string>> },
  ): Promise<Address>;
  ensureFirewallRule(
    call: CallContext,
    spec: { addressId: string; port: number; cidrs: readonly string[] },
  ): Promise<void>;
  /** Opens everything outwards; does nothing where the network allows it already. */
  ensureEgress(call: CallContext, spec: { networkId: string }): Promise<void>;
  ensureLoadBalancerRule(
    call: CallContext,
    spec: { name: string; addressId: string; networkId: string; publicPort: number; privatePort: number },
  ): Promise<LoadBalancerRule>;
  ensureAssigned(call: CallContext, spec: { ruleId: string; machineId: string }): Promise<void>;
  ensureUnassigned(call: CallContext, spec: { ruleId: string; machineId: string }): Promise<void>;
  /** Removes the firewall and load balancer rules for `port` of this address; for networks Holdfast did not make. */
  deleteRules(call: CallContext, spec: { addressId: string; port: number }): Promise<void>;
  /** Success when it is gone. `refused` while machines that were not expunged are in it. */
  deleteNetwork(call: CallContext, networkId: string): Promise<void>;
  /** Releases an address that is not the source NAT address (that one goes with its network). */
  releaseAddress(call: CallContext, addressId: string): Promise<void>;

  // Template permission of our own account on a template that is not public.
  ensureTemplatePermission(call: CallContext, templateId: string): Promise<void>;

  // Machines.
  /** Every machine that carries the tag, or is in the network; paged inside, oldest first. */
  listMachines(
    call: CallContext,
    filter: { tag: { key: string; value: string } } | { networkId: string } | { namePrefix: string },
  ): Promise<readonly Machine[]>;
  /** The machine with its ISO, or null when it is gone (destroyed counts as gone) or never was. */
  getMachine(call: CallContext, id: string): Promise<Machine | null>;
  findMachine(call: CallContext, by: { name: string; networkId: string }): Promise<Machine | null>;
  /** Creates it stopped, or returns the one of that name in that network; then sees to its tags. Never starts it. */
  ensureMachine(call: CallContext, spec: MachineSpec): Promise<Machine>;
  ensureIso(call: CallContext, spec: { machineId: string; isoId: string }): Promise<void>;
  /** Empties the drive; fine when it is empty or the machine is gone. */
  ensureNoIso(call: CallContext, machineId: string): Promise<void>;
  startMachine(call: CallContext, id: string): Promise<void>;
  stopMachine(call: CallContext, id: string): Promise<void>;
  /** Destroys and expunges, so that the name is free again. */
  destroyMachine(call: CallContext, id: string): Promise<void>;
  /** Running machines are resized live where the cloud allows it, else `refused`. */
  changeOffering(call: CallContext, spec: { machineId: string; offeringId: string }): Promise<void>;
  setUserData(call: CallContext, spec: { machineId: string; userData: string }): Promise<void>;
  /** A fresh root disk of the same template; same id, name and address. The old disk is lost. */
  restoreMachine(call: CallContext, id: string): Promise<void>;
}
