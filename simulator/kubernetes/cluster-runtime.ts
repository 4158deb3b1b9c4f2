/** A cluster while it lives: its objects, its timers, its controllers' turn, and who may speak to it. */
import type { Cancel } from '@/simulator/core/clock';
import { isObject, objectsAt, textAt } from '@/simulator/core/json';
import type { Cluster, Machine } from '@/simulator/core/machine-model';
import type { World } from '@/simulator/world';
import { runControllers } from './controllers/run';
import { builtInResources, customDefinitions, type Resource, secrets } from './resources';
import { ObjectStore } from './store';

const joinGroups = ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'];

export class ClusterRuntime {
  readonly world: World;
  readonly cluster: Cluster;
  readonly store: ObjectStore;
  /** The API server can't be reached until then: it restarts. Simulated time. */
  restarting = false;
  /** Its autoscaler is in the middle of a loop. */
  autoscalerBusy = false;
  /** Budgets that a test holds at zero: how many evictions they still refuse, null for ever. */
  readonly heldBudgets = new Map<string, number | null>();
  /** Job pods whose work was set off in this life of the process, by uid. */
  readonly jobPods = new Set<string>();
  readonly #timers = new Map<string, Cancel>();
  #sweepPlanned = false;
  #closed = false;
  #machines: Machine[] | null = null;

  constructor(world: World, cluster: Cluster) {
    this.world = world;
    this.cluster = cluster;
    this.store = new ObjectStore(world.records, cluster.id, () => world.clock.iso());
    this.store.subscribe(() => this.wake());
  }

  /** Lets the controllers look again, soon. Many changes make one look. */
  wake(): void {
    if (this.#sweepPlanned || this.#closed) return;
    this.#sweepPlanned = true;
    setImmediate(() => {
      this.#sweepPlanned = false;
      if (this.#closed || !this.isServing()) return;
      try {
        // Controllers ask for the machines once a pod; within one turn they stay the same.
        this.#machines = this.machines();
        runControllers(this);
      } catch (error) {
        this.world.unexpected(error);
      } finally {
        this.#machines = null;
      }
    });
  }

  /** Runs something after simulated time; while it waits, the same key is not set again. */
  after(key: string, ms: number, action: () => void): void {
    if (this.#timers.has(key) || this.#closed) return;
    this.#timers.set(
      key,
      this.world.clock.after(ms, () => {
        this.#timers.delete(key);
        if (!this.#closed) action();
      }),
    );
  }

  cancel(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  /** Its machines that were not expunged. */
  machines(): Machine[] {
    if (this.#machines !== null) return this.#machines;
    return this.world.records.all('machine').filter((machine) => machine.inside.clusterId === this.cluster.id);
  }

  /** Whether this machine's API server answers: it runs, and etcd has its majority. */
  isServedBy(machine: Machine): boolean {
    return (
      machine.inside.clusterId === this.cluster.id &&
      machine.hostRunning &&
      machine.inside.serving &&
      machine.inside.role !== 'etcd' &&
      this.isServing()
    );
  }

  /** Whether any API server of the cluster lives. */
  isServing(): boolean {
    if (this.cluster.api === 'down' || this.restarting) return false;
    return this.world.clusters.hasQuorum(this.cluster);
  }

  /** Built-in kinds and those of the definitions that exist. */
  resources(): Resource[] {
    const custom = this.store.list(customDefinitions).flatMap((definition) => {
      const names = definition['spec'];
      if (!isObject(names)) return [];
      return objectsAt(names, 'versions')
        .filter((version) => version['served'] !== false)
        .map((version) => ({
          group: textAt(names, 'group') ?? '',
          version: textAt(version, 'name') ?? '',
          plural: textAt(names, 'names', 'plural') ?? '',
          singular: textAt(names, 'names', 'singular') ?? '',
          kind: textAt(names, 'names', 'kind') ?? '',
          namespaced: textAt(names, 'scope') === 'Namespaced',
          shortNames: [],
          subresources: ['status'],
          custom: true,
        }));
    });
    return [...builtInResources, ...custom];
  }

  /** The groups of a bootstrap token, from init or from a Secret; null when it is unknown or has expired. */
  tokenGroups(token: string): readonly string[] | null {
    const own = this.cluster.tokens[token];
    const now = this.world.clock.now();
    if (own !== undefined && (own.expiresAt === null || own.expiresAt > now)) return own.groups;
    const [id = '', secret = ''] = token.split('.');
    const stored = this.store.find(secrets, 'kube-system', `bootstrap-token-${id}`);
    if (stored === undefined || stored['type'] !== 'bootstrap.kubernetes.io/token') return null;
    const field = (name: string) => Buffer.from(textAt(stored, 'data', name) ?? '', 'base64').toString('utf8');
    const expiration = field('expiration');
    if (field('token-secret') !== secret || field('usage-bootstrap-authentication') !== 'true') return null;
    if (expiration !== '' && Date.parse(expiration) <= now) return null;
    const extra = field('auth-extra-groups');
    return extra === '' ? joinGroups.slice(0, 1) : [...joinGroups.slice(0, 1), ...extra.split(',')];
  }
}
