/** For tests of the cloud half: clusters with recorded nodes, machines that can be stopped or lost, and an API that can be silent. */
import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import type { ClusterState } from '@/domain/states';
import { clusterTags } from '@/infrastructure/bootstrap/names';
import { type Cloud, CloudError, type Machine, type MachineState } from '@/infrastructure/cloud';
import type { ConnectKubernetes, KubernetesApi, KubernetesNode } from '@/infrastructure/kubernetes';
import { type FixtureCluster, insertCluster } from '@/test/support/fixtures';
import { silentCloud, testInstallationId, testSealer } from './scanner-for-tests';

type Sql = postgres.Sql;
export type ApiMood = 'ready' | 'not-ready' | 'hangs';

export interface FleetCluster extends FixtureCluster {
  /** By place: `worker-1`. */
  readonly machines: Readonly<Record<string, string>>;
}

export class Fleet {
  readonly machines = new Map<string, Machine>();
  readonly unlisted = new Set<string>();
  readonly calls: string[] = [];
  readonly moods = new Map<string, ApiMood>();
  readonly nodesOf = new Map<string, KubernetesNode[]>();
  away = false;
  destroyFails = false;
  readonly #sql: Sql;
  #addresses = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  readonly cloud: Cloud = {
    ...silentCloudMethods(),
    listMachines: async (_call, filter) => {
      this.#call('listMachines');
      const wanted = 'tag' in filter ? filter.tag : null;
      return [...this.machines.values()].filter(
        (machine) => !this.unlisted.has(machine.id) && wanted !== null && machine.tags[wanted.key] === wanted.value,
      );
    },
    getMachine: async (_call, id) => {
      this.#call('getMachine');
      return this.machines.get(id) ?? null;
    },
    destroyMachine: async (call, id) => {
      await call.authorize();
      this.#call('destroyMachine');
      if (this.destroyFails)
        throw new CloudError('transient', 'the host is away', { command: 'destroyVirtualMachine' });
      this.machines.delete(id);
    },
  };

  readonly connectKubernetes: ConnectKubernetes = ({ endpoint }) => {
    const mood = this.moods.get(endpoint) ?? 'ready';
    const api: Partial<KubernetesApi> = {
      isReady: () => (mood === 'hangs' ? new Promise<boolean>(() => undefined) : Promise.resolve(mood === 'ready')),
      listNodes: () => Promise.resolve(this.nodesOf.get(endpoint) ?? []),
      close: () => undefined,
    };
    // A pass asks no more than these three.
    return api as KubernetesApi;
  };

  /** One control node and two workers, as their rows and machines; all of one state and, by their own API, Ready. */
  async cluster(
    state: ClusterState,
    more: { machines?: MachineState; componentsInstalled?: boolean; nodes?: number } = {},
  ): Promise<FleetCluster> {
    const cluster = await insertCluster(this.#sql, { state });
    this.#addresses += 1;
    const ip = `10.0.0.${this.#addresses}`;
    await this
      .#sql`update clusters set public_ip = ${ip}, public_port = 6443, address_id = 'address', load_balancer_rule_id = 'rule' where id = ${cluster.id}`;
    const installed = more.componentsInstalled === false ? null : new Date().toISOString();
    for (const component of ['dashboard', 'cloud-provider']) {
      await this
        .#sql`insert into cluster_components (cluster_id, component, wanted, installed_at) values (${cluster.id}, ${component}, true, ${installed})`;
    }
    const access = testSealer.seal(JSON.stringify({ caPem: 'ca', certificatePem: 'certificate', keyPem: 'key' }));
    await this
      .#sql`insert into cluster_secrets (cluster_id, kind, value) values (${cluster.id}, 'admin-access', ${access})`;
    const machines: Record<string, string> = {};
    const places = ['control-1', 'worker-1', 'worker-2'].slice(0, more.nodes ?? 3);
    for (const place of places) machines[place] = await this.#node(cluster.id, place, more.machines ?? 'running');
    this.nodesOf.set(
      endpointOf(ip),
      places.map((place) => nodeAt(place, cluster.id, machines[place] ?? '')),
    );
    return { ...cluster, machines };
  }

  async #node(clusterId: string, place: string, state: MachineState): Promise<string> {
    const id = randomUUID();
    const [role = '', ordinal = ''] = place.split('-');
    await this.#sql`insert into nodes (cluster_id, role, ordinal, name, machine_id, stage, offering_id, version)
      values (${clusterId}, ${role}, ${Number(ordinal)}, ${nodeName(place, clusterId)}, ${id}, 'ready', 'medium', '1.31.4')`;
    this.machine(id, nodeName(place, clusterId), clusterId, state);
    return id;
  }

  /** A machine with our tags, named by no node row unless one is made. */
  machine(id: string, name: string, clusterId: string, state: MachineState = 'running'): void {
    const tags = clusterTags(testInstallationId, clusterId);
    const rest = { zoneId: 'zone-1', networkId: null, ip: null, offeringId: 'medium', templateId: null, isoId: null };
    this.machines.set(id, { ...rest, id, name, state, tags, createdAt: new Date(0), deleteProtected: false });
  }

  power(id: string | undefined, state: MachineState): void {
    const machine = this.machines.get(id ?? '');
    if (machine === undefined) throw new Error('there is no such machine');
    this.machines.set(machine.id, { ...machine, state });
  }

  async mood(cluster: FleetCluster, mood: ApiMood): Promise<void> {
    const [row] = await this.#sql<{ public_ip: string }[]>`select public_ip from clusters where id = ${cluster.id}`;
    this.moods.set(endpointOf(row?.public_ip ?? ''), mood);
  }

  #call(command: string): void {
    this.calls.push(command);
    if (this.away) throw new CloudError('transient', 'the management server is away', { command });
  }
}

const endpointOf = (ip: string) => `https://${ip}:6443`;
const nodeName = (place: string, clusterId: string) => `${place}-${clusterId.slice(-8)}`;

function nodeAt(place: string, clusterId: string, machineId: string): KubernetesNode {
  const name = nodeName(place, clusterId);
  return {
    name,
    ready: true,
    unschedulable: false,
    controlPlane: place.startsWith('control'),
    kubeletVersion: '1.31.4',
    systemUuid: machineId,
    providerId: null,
  };
}

/** What the fleet does not answer is refused, like everything of a silent cloud. */
function silentCloudMethods(): Cloud {
  const commands = [
    'ensureNoIso',
    'stopMachine',
    'startMachine',
    'deleteNetwork',
    'releaseAddress',
    'deleteRules',
  ] as const;
  return Object.fromEntries(commands.map((command) => [command, silentCloud[command]])) as unknown as Cloud;
}
