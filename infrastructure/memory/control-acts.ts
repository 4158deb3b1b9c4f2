import { removeMachine } from './cloud-power';
import type { MemoryCluster } from './cluster';
import type { MemoryControl } from './control';
import { keyOf } from './objects';
import type { MemoryMachine, World } from './world';

type MachineActs = Pick<
  MemoryControl,
  | 'stopMachine'
  | 'startMachine'
  | 'destroyMachine'
  | 'renameMachine'
  | 'breakMachine'
  | 'ejectIso'
  | 'backdate'
  | 'neverJoins'
  | 'kubeletDown'
>;
type ClusterActs = Pick<MemoryControl, 'api' | 'blockEvictions' | 'setNodeVersion' | 'putObject' | 'cluster'>;

/** Acts on machines behind Holdfast's back. Each is an effect whose operation is `outside`. */
export function machineActs(world: World, settle: () => void): MachineActs {
  const act = (name: string, nameOrId: string, change: (machine: MemoryMachine) => Partial<MemoryMachine>) => {
    settle();
    const machine = findMachine(world, nameOrId);
    if (machine === undefined) throw new Error(`There is no machine ${nameOrId}.`);
    Object.assign(machine, change(machine));
    world.acts.record(name, machine.name, 'outside');
  };
  return {
    stopMachine: (machine) => act('stopMachine', machine, () => ({ state: 'stopped' })),
    startMachine: (machine) => act('startMachine', machine, () => ({ state: 'running' })),
    destroyMachine: (machine) =>
      act('destroyMachine', machine, ({ id }) => {
        removeMachine(world, id);
        return {};
      }),
    renameMachine: (machine, name) => act('renameMachine', machine, () => ({ name })),
    breakMachine: (machine) => act('breakMachine', machine, () => ({ state: 'error' })),
    ejectIso: (machine) => act('ejectIso', machine, () => ({ isoId: null })),
    backdate: (machine, ms) =>
      act('backdate', machine, ({ createdAt }) => ({ createdAt: new Date(createdAt.getTime() - ms) })),
    neverJoins: (machine, neverJoins = true) => act('neverJoins', machine, () => ({ neverJoins })),
    kubeletDown: (machine, kubeletDown = true) => act('kubeletDown', machine, () => ({ kubeletDown })),
  };
}

export function clusterActs(world: World, settle: () => void): ClusterActs {
  const cluster = (endpoint: string) => world.clusters.find((each) => each.endpoint === endpoint);
  const found = (endpoint: string): MemoryCluster => {
    settle();
    const one = cluster(endpoint);
    if (one === undefined) throw new Error(`There is no cluster at ${endpoint}.`);
    return one;
  };
  return {
    cluster,
    api: (endpoint, fault) => {
      found(endpoint).apiFault = fault;
    },
    blockEvictions: (endpoint, blocked) => {
      found(endpoint).evictionsBlocked = blocked;
    },
    setNodeVersion: (endpoint, nodeName, version) => {
      const node = found(endpoint).nodes.get(nodeName);
      if (node === undefined) throw new Error(`There is no node ${nodeName}.`);
      node.version = version;
    },
    putObject: (endpoint, object) => {
      const metadata = { uid: world.nextId(), generation: 1, ...object.metadata };
      found(endpoint).objects.set(keyOf(object), { ...object, metadata });
    },
  };
}

export function findMachine(world: World, nameOrId: string): MemoryMachine | undefined {
  return [...world.machines.values()].find((each) => each.id === nameOrId || each.name === nameOrId);
}
