import type { Cloud, Headroom } from '@/infrastructure/cloud';
import type { ConnectKubernetes } from '@/infrastructure/kubernetes';
import { Acts } from './acts';
import { settle } from './bootstrap';
import { defaultCatalogue } from './catalogue';
import { type Clock, createInstantClock } from './clock';
import { catalogueMethods } from './cloud-catalogue';
import { hardwareMethods } from './cloud-hardware';
import { machineMethods } from './cloud-machines';
import { networkMethods } from './cloud-networks';
import { powerMethods } from './cloud-power';
import { assignmentMethods, ruleMethods } from './cloud-rules';
import { createControl, type MemoryControl } from './control';
import { memoryConnect } from './kube';
import { type Catalogue, idCounter, type World } from './world';

export interface MemoryCloudOptions {
  /** Default: sleeping takes no time. */
  readonly clock?: Clock;
  /** Of every call. */
  readonly latencyMs?: number;
  /** Between a start or stop and its end, spent in the transitional state. */
  readonly startMs?: number;
  readonly catalogue?: Catalogue;
  /** Limits of the account; absent means none. */
  readonly limits?: Partial<Headroom>;
}

export interface MemoryCloud {
  readonly cloud: Cloud;
  readonly connectKubernetes: ConnectKubernetes;
  readonly control: MemoryControl;
}

const noLimits: Headroom = { machines: null, cpus: null, memoryMb: null, addresses: null, networks: null };

/** A cloud of its own, empty but for its catalogue. */
export function createMemoryCloud(options: MemoryCloudOptions = {}): MemoryCloud {
  const clock = options.clock ?? createInstantClock();
  const settleWorld = () => settle(world);
  const world: World = {
    clock,
    acts: new Acts({ clock, latencyMs: options.latencyMs ?? 0, settle: settleWorld }),
    catalogue: options.catalogue ?? defaultCatalogue(),
    limits: { ...noLimits, ...options.limits },
    startMs: options.startMs ?? 0,
    networks: new Map(),
    addresses: new Map(),
    rules: new Map(),
    firewallRules: new Map(),
    machines: new Map(),
    clusters: [],
    permittedTemplates: new Set(),
    nextId: idCounter(),
  };
  const cloud: Cloud = {
    ...catalogueMethods(world),
    ...networkMethods(world),
    ...ruleMethods(world),
    ...machineMethods(world),
    ...powerMethods(world),
    ...hardwareMethods(world),
    ...assignmentMethods(world),
  };
  return { cloud, connectKubernetes: memoryConnect(world), control: createControl(world, settleWorld) };
}
