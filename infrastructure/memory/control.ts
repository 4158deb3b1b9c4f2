import type { KubernetesObject } from '@/infrastructure/kubernetes';
import type { Call, Effect } from './acts';
import { newMachine } from './cloud-machines';
import type { MemoryCluster } from './cluster';
import { clusterActs, findMachine, machineActs } from './control-acts';
import type { Fault, Match } from './faults';
import type { Gate, GatePlace } from './gates';
import type { MemoryMachine, World } from './world';

/** What a test may do to the cloud, and ask of it. Machines are named by name or id, clusters by `host:port`. */
export interface MemoryControl {
  /** Everything at hand, to look at or to change. */
  readonly world: World;
  /** Answers a function that takes the fault away again. */
  fault(fault: Fault): () => void;
  clearFaults(): void;
  /** Stops every matching call at that place (default: authorised, not carried out yet) until it is released. */
  gate(method: string, where?: Omit<Match, 'method'> & { at?: GatePlace }): Gate;
  releaseGates(): void;
  /** Changes in order; without a name all of them. */
  effects(method?: string): readonly Effect[];
  calls(method?: string): readonly Call[];
  machine(nameOrId: string): MemoryMachine | undefined;
  stopMachine(nameOrId: string): void;
  startMachine(nameOrId: string): void;
  destroyMachine(nameOrId: string): void;
  renameMachine(nameOrId: string, name: string): void;
  breakMachine(nameOrId: string): void;
  ejectIso(nameOrId: string): void;
  /** Makes it look older, for rules about age. */
  backdate(nameOrId: string, ms: number): void;
  /** Its set-up never ends; `false` lets it go on. */
  neverJoins(nameOrId: string, never?: boolean): void;
  /** The node of the machine reports nothing any more; `false` heals it. */
  kubeletDown(nameOrId: string, down?: boolean): void;
  api(endpoint: string, fault: MemoryCluster['apiFault']): void;
  blockEvictions(endpoint: string, blocked: boolean): void;
  setNodeVersion(endpoint: string, nodeName: string, version: string): void;
  putObject(endpoint: string, object: KubernetesObject): void;
  cluster(endpoint: string): MemoryCluster | undefined;
  /** A machine that Holdfast did not make, running. */
  addMachine(machine: {
    name: string;
    networkId: string;
    offeringId: string;
    templateId: string;
    zoneId: string;
  }): string;
  /** What exists, by name: nothing of it may be left after a delete. */
  inventory(): {
    machines: string[];
    networks: string[];
    addresses: string[];
    rules: string[];
    firewallRules: number;
    nodes: string[];
  };
}

export function createControl(world: World, settle: () => void): MemoryControl {
  const { acts } = world;
  return {
    world,
    ...machineActs(world, settle),
    ...clusterActs(world, settle),
    fault: (fault) => acts.faults.add(fault),
    clearFaults: () => acts.faults.clear(),
    gate: (method, where = {}) => acts.gates.add({ at: 'work', ...where, method }),
    releaseGates: () => acts.gates.releaseAll(),
    effects: (method) => acts.effects.filter((each) => method === undefined || each.method === method),
    calls: (method) => acts.calls.filter((each) => method === undefined || each.method === method),
    machine: (nameOrId) => findMachine(world, nameOrId),
    addMachine: (spec) => {
      const machine = newMachine(world, { ...spec, userData: '', state: 'running' });
      machine.disk.bootedWith = '';
      return machine.id;
    },
    inventory: () => ({
      machines: [...world.machines.values()].map((each) => each.name),
      networks: [...world.networks.values()].map((each) => each.name),
      addresses: [...world.addresses.values()].map((each) => each.ip),
      rules: [...world.rules.values()].map((each) => each.name),
      firewallRules: world.firewallRules.size,
      nodes: world.clusters.flatMap((each) => [...each.nodes.keys()]),
    }),
  };
}
