/** All clusters that machines have made, found by id, tag, name or endpoint. */

import { latencyMs } from '@/simulator/core/latency';
import type { Cluster, Machine } from '@/simulator/core/machine-model';
import type { Iso } from '@/simulator/core/model';
import { hasEtcdQuorum } from '@/simulator/machine/initialise';
import type { Script } from '@/simulator/machine/script';
import type { World } from '@/simulator/world';
import { ClusterRuntime } from './cluster-runtime';
import { registerNodeObject } from './node-object';
import { conditionOf } from './objects';
import { nodes } from './resources';
import { fillCluster } from './seed-objects';

export class Clusters {
  readonly #world: World;
  readonly #runtimes = new Map<string, ClusterRuntime>();
  readonly #seen = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Brings back what a restart found on disk. */
  load(): void {
    for (const cluster of this.#world.records.all('cluster')) this.#open(cluster);
  }

  add(cluster: Cluster): void {
    this.#world.records.save('cluster', cluster);
    this.#open(cluster);
  }

  all(): ClusterRuntime[] {
    return [...this.#runtimes.values()];
  }

  get(id: string): ClusterRuntime | undefined {
    return this.#runtimes.get(id);
  }

  /** By the simulator's id, the value of the tag `holdfast-cluster`, the kubeadm name, or `host:port`. The newest wins. */
  find(reference: string): ClusterRuntime | undefined {
    const own = this.#runtimes.get(reference);
    if (own !== undefined) return own;
    return this.all()
      .reverse()
      .find(
        ({ cluster }) =>
          cluster.tag === reference ||
          this.#tagOf(cluster) === reference ||
          cluster.name === reference ||
          `${cluster.endpointHost}:${cluster.endpointPort}` === reference,
      );
  }

  fill(cluster: Cluster, machine: Machine, iso: Iso): void {
    const runtime = this.#runtimes.get(cluster.id);
    if (runtime !== undefined) fillCluster(runtime, machine, iso);
  }

  registerNode(cluster: Cluster, machine: Machine): void {
    const runtime = this.#runtimes.get(cluster.id);
    if (runtime !== undefined) registerNodeObject(runtime, machine);
  }

  /** Stacked etcd: more than half of its members run. Separate etcd: the same of its machines. And one control node at least. */
  hasQuorum(cluster: Cluster): boolean {
    const { records } = this.#world;
    const serves = (id: string) => {
      const machine = records.get('machine', id);
      return machine?.hostRunning && machine.inside.serving && machine.inside.clusterId === cluster.id;
    };
    if (cluster.etcdEndpoints.length > 0) {
      const controls = records
        .all('machine')
        .filter((machine) => machine.inside.clusterId === cluster.id && machine.inside.role !== 'worker');
      return hasEtcdQuorum(this.#world, cluster.etcdEndpoints) && controls.some((machine) => serves(machine.id));
    }
    return cluster.memberIds.filter(serves).length > cluster.memberIds.length / 2;
  }

  isTokenValid(cluster: Cluster, token: string): boolean {
    return (this.#runtimes.get(cluster.id)?.tokenGroups(token) ?? null) !== null;
  }

  /** kubeadm refuses to join under the name of a node that is Ready. */
  isNodeTaken(cluster: Cluster, machine: Machine): boolean {
    const name = machine.inside.intent?.nodeName ?? machine.name;
    const node = this.#runtimes.get(cluster.id)?.store.find(nodes, '', name);
    return node !== undefined && conditionOf(node, 'Ready')?.['status'] === 'True';
  }

  /** A node that was set up before runs again: its kubelet registers where its Node object was deleted. */
  machineCameBack(machine: Machine): void {
    const runtime = this.#runtimes.get(machine.inside.clusterId ?? '');
    if (runtime === undefined || machine.inside.role === 'etcd') return;
    const register = () => {
      if (!machine.inside.kubeletUp) return;
      if (!runtime.isServing()) return runtime.after(`register/${machine.id}`, latencyMs.retry, register);
      registerNodeObject(runtime, machine);
    };
    register();
  }

  /** Waits as long as a fault says; for ever for a node that shall never join. */
  async passJoinFaults(script: Script): Promise<void> {
    const vm = script.machine().name;
    const cluster = this.#world.tagsOf(script.machine().id).find((tag) => tag.key === 'holdfast-cluster')?.value;
    const fault = this.#world.faults.take({ event: 'join', vm, cluster }, ['never', 'late']);
    if (fault === undefined) return;
    script.log('setup hangs');
    if (fault.kind === 'late') return script.sleep(fault.ms);
    await new Promise<never>(() => {});
  }

  /** Called when machines changed: clusters without control machines go, those whose machines changed look again. */
  recheck(): void {
    const machines = new Map<string, Machine[]>();
    for (const machine of this.#world.records.all('machine')) {
      const id = machine.inside.clusterId;
      if (id !== null) machines.set(id, [...(machines.get(id) ?? []), machine]);
    }
    for (const runtime of this.all()) {
      const own = machines.get(runtime.cluster.id) ?? [];
      if (!own.some(({ inside }) => inside.role !== 'worker' && inside.role !== 'etcd')) {
        this.forget(runtime);
        continue;
      }
      // Separate etcd machines name no cluster, so clusters that use them always look.
      const seen = own
        .map(
          ({ id, state, hostRunning, inside }) =>
            `${id}${state}${hostRunning}${inside.phase}${inside.serving}${inside.kubeletUp}`,
        )
        .join();
      if (this.#seen.get(runtime.cluster.id) === seen && runtime.cluster.etcdEndpoints.length === 0) continue;
      this.#seen.set(runtime.cluster.id, seen);
      runtime.wake();
    }
  }

  forget(runtime: ClusterRuntime): void {
    runtime.close();
    this.#runtimes.delete(runtime.cluster.id);
    this.#seen.delete(runtime.cluster.id);
    const prefix = `${runtime.cluster.id}|`;
    for (const stored of this.#world.records.all('object')) {
      if (stored.id.startsWith(prefix)) this.#world.records.remove('object', stored.id);
    }
    this.#world.records.remove('cluster', runtime.cluster.id);
  }

  clear(): void {
    for (const runtime of this.all()) this.forget(runtime);
  }

  close(): void {
    for (const runtime of this.all()) runtime.close();
  }

  #open(cluster: Cluster): void {
    const runtime = new ClusterRuntime(this.#world, cluster);
    this.#runtimes.set(cluster.id, runtime);
    runtime.wake();
  }

  #tagOf(cluster: Cluster): string | undefined {
    return this.#world.tagsOf(cluster.firstControlId).find((tag) => tag.key === 'holdfast-cluster')?.value;
  }
}
