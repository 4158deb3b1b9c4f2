import type { KubernetesObject } from '@/infrastructure/kubernetes';
import type { Call, Effect } from './acts';
import { type MemoryCluster, toKubernetesNode } from './cluster';
import { removeMachine } from './cloud-power';
import type { Fault, Match } from './faults';
import type { Gate, GatePlace } from './gates';
import { keyOf } from './objects';
import { withTags } from './tags';
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
  addMachine(machine: { name: string; networkId: string; offeringId: string; templateId: string; zoneId: string }): string;
  /** What exists, by name: nothing of it may be left after a delete. */
  inventory(): { machines: string[]; networks: string[]; addresses: string[]; rules: string[]; firewallRules: number; nodes: string[] };
}

export function createControl(world: World, settle: () => void): MemoryControl {
  const { acts } = world;
  const find = (nameOrId: string) => [...world.machines.values()].find((each) => each.id === nameOrId || each.name === nameOrId);
  const cluster = (endpoint: string) => world.clusters.find((each) => each.endpoint === endpoint);
  const onMachine = (act: string, nameOrId: string, change: (machine: MemoryMachine) => void) => {
    settle();
    const machine = find(nameOrId);
    if (machine === undefined) throw new Error(`There is no machine ${nameOrId}.`);
    change(machine);
    acts.record(act, machine.name, 'outside');
  };
  const onCluster = (endpoint: string, change: (found: MemoryCluster) => void) => {
    settle();
    const found = cluster(endpoint);
    if (found === undefined) throw new Error(`There is no cluster at ${endpoint}.`);
    change(found);
  };
  return {
    world,
    fault: (fault) => acts.faults.add(fault),
    clearFaults: () => acts.faults.clear(),
    gate: (method, where = {}) => acts.gates.add({ at: 'work', ...where, method }),
    releaseGates: () => acts.gates.releaseAll(),
    effects: (method) => acts.effects.filter((each) => method === undefined || each.method === method),
    calls: (method) => acts.calls.filter((each) => method === undefined || each.method === method),
    machine: find,
    stopMachine: (name) => onMachine('stopMachine', name, (machine) => void (machine.state = 'stopped')),
    startMachine: (name) => onMachine('startMachine', name, (machine) => void (machine.state = 'running')),
    destroyMachine: (name) => onMachine('destroyMachine', name, (machine) => void removeMachine(world, machine.id)),
    renameMachine: (name, to) => onMachine('renameMachine', name, (machine) => void (machine.name = to)),
    breakMachine: (name) => onMachine('breakMachine', name, (machine) => void (machine.state = 'error')),
    ejectIso: (name) => onMachine('ejectIso', name, (machine) => void (machine.isoId = null)),
    backdate: (name, ms) =>
      onMachine('backdate', name, (machine) => void (machine.createdAt = new Date(machine.createdAt.getTime() - ms))),
    neverJoins: (name, never = true) => onMachine('neverJoins', name, (machine) => void (machine.neverJoins = never)),
    kubeletDown: (name, down = true) => onMachine('kubeletDown', name, (machine) => void (machine.kubeletDown = down)),
    api: (endpoint, fault) => onCluster(endpoint, (found) => void (found.apiFault = fault)),
    blockEvictions: (endpoint, blocked) => onCluster(endpoint, (found) => void (found.evictionsBlocked = blocked)),
    setNodeVersion: (endpoint, nodeName, version) =>
      onCluster(endpoint, (found) => {
        const node = found.nodes.get(nodeName);
        if (node !== undefined) node.version = version;
      }),
    putObject: (endpoint, object) =>
      onCluster(endpoint, (found) => {
        const metadata = { uid: world.nextId(), generation: 1, ...object.metadata };
        found.objects.set(keyOf(object), { ...object, metadata });
      }),
    cluster,
    addMachine: (spec) => {
      const id = world.nextId();
      const machine: MemoryMachine = {
        ...spec,
        id,
        state: 'running',
        ip: `10.1.250.${(world.machines.size % 250) + 1}`,
        isoId: null,
        userData: '',
        disk: { bootedWith: '', done: false },
        tags: new Map(),
        createdAt: new Date(),
        deleteProtected: false,
        neverJoins: false,
        kubeletDown: false,
      };
      world.machines.set(id, withTags(machine, {}));
      return id;
    },
    inventory: () => ({
      machines: [...world.machines.values()].map((each) => each.name),
      networks: [...world.networks.values()].map((each) => each.name),
      addresses: [...world.addresses.values()].map((each) => each.ip),
      rules: [...world.rules.values()].map((each) => each.name),
      firewallRules: world.firewallRules.size,
      nodes: world.clusters.flatMap((each) => [...each.nodes.values()].map((node) => toKubernetesNode(world, node).name)),
    }),
  };
}
