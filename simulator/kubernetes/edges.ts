/**
 * The public side: which `address:port` leads to which cluster, and the listeners there. A listener exists only while the
 * address is allocated, a firewall rule covers the port, a load balancer rule exists, and an assigned machine serves.
 */
import type { Server } from 'node:https';
import { createServer as createPlainServer, type Server as PlainServer } from 'node:net';

import type { Cluster } from '@/simulator/core/machine-model';
import type { BalancerRule } from '@/simulator/core/model';
import { splitEndpoint } from '@/simulator/machine/user-data';
import type { World } from '@/simulator/world';
import { createClusterServer } from './api-server';
import type { ClusterRuntime } from './cluster-runtime';

interface Edge {
  /** The cluster and the certificate it shows; another one means another listener. */
  shows: string;
  runtime: ClusterRuntime | null;
  server: Server | PlainServer;
}

export class Edges {
  readonly #world: World;
  readonly #edges = new Map<string, Edge>();
  readonly #closing = new Map<string, Promise<void>>();
  #closed = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** The cluster that answers at `host:port` now. */
  clusterBehind(endpoint: string): Cluster | undefined {
    const { host, port } = splitEndpoint(endpoint);
    return this.#edges.get(`${host}:${port}`)?.runtime?.cluster;
  }

  isReachable(endpoint: string): boolean {
    return this.clusterBehind(endpoint) !== undefined;
  }

  list(): { endpoint: string; cluster: string | null }[] {
    return [...this.#edges].map(([endpoint, edge]) => ({ endpoint, cluster: edge.runtime?.cluster.id ?? null }));
  }

  /** Opens and closes listeners until they fit what machines and rules say. */
  reconcile(): void {
    if (this.#closed) return;
    const wanted = new Map<string, ClusterRuntime | null>();
    for (const rule of this.#world.records.all('balancer')) {
      const ip = this.#openAddress(rule);
      if (ip === null) continue;
      const runtime = this.#backendOf(rule);
      if (runtime !== undefined) wanted.set(`${ip}:${rule.publicPort}`, runtime);
      else if (this.#world.settings.deadBackend === 'reset' && rule.machineIds.length > 0)
        wanted.set(`${ip}:${rule.publicPort}`, null);
    }
    for (const [endpoint, edge] of this.#edges) {
      const now = wanted.get(endpoint);
      if (now === undefined || shownBy(now) !== edge.shows) this.#close(endpoint, edge);
    }
    for (const [endpoint, runtime] of wanted) if (!this.#edges.has(endpoint)) this.#open(endpoint, runtime);
  }

  async closeAll(): Promise<void> {
    this.#closed = true;
    for (const [endpoint, edge] of this.#edges) this.#close(endpoint, edge);
    await Promise.all(this.#closing.values());
  }

  #openAddress(rule: BalancerRule): string | null {
    const address = this.#world.records.get('address', rule.addressId);
    if (address === undefined || address.state !== 'Allocated') return null;
    const covered = this.#world.records
      .all('firewall')
      .some(
        (firewall) =>
          firewall.addressId === rule.addressId &&
          (firewall.protocol === 'tcp' || firewall.protocol === 'all') &&
          (firewall.startPort ?? 1) <= rule.publicPort &&
          (firewall.endPort ?? 65_535) >= rule.publicPort,
      );
    return covered ? address.ip : null;
  }

  #backendOf(rule: BalancerRule): ClusterRuntime | undefined {
    for (const id of rule.machineIds) {
      const machine = this.#world.records.get('machine', id);
      const runtime = this.#world.clusters.get(machine?.inside.clusterId ?? '');
      if (machine?.state === 'Running' && runtime?.isServedBy(machine) === true && rule.privatePort === 6443)
        return runtime;
    }
    return undefined;
  }

  #open(endpoint: string, runtime: ClusterRuntime | null): void {
    const { host, port } = splitEndpoint(endpoint);
    // The last listener on this address may still be on its way out.
    const before = this.#closing.get(endpoint);
    if (before !== undefined) {
      void before.then(() => this.reconcile());
      return;
    }
    const server = runtime === null ? createPlainServer((socket) => socket.destroy()) : createClusterServer(runtime);
    server.on('error', (error) => {
      this.#edges.delete(endpoint);
      this.#world.unexpected(error);
      this.#world.clock.after(1_000, () => this.reconcile());
    });
    server.listen(port, host);
    this.#edges.set(endpoint, { shows: shownBy(runtime), runtime, server });
  }

  #close(endpoint: string, edge: Edge): void {
    this.#edges.delete(endpoint);
    const closed = new Promise<void>((resolve) => edge.server.close(() => resolve()));
    if ('closeAllConnections' in edge.server) edge.server.closeAllConnections();
    this.#closing.set(endpoint, closed);
    void closed.then(() => this.#closing.delete(endpoint));
  }
}

function shownBy(runtime: ClusterRuntime | null): string {
  return runtime === null ? 'reset' : `${runtime.cluster.id}/${runtime.cluster.api === 'expired'}`;
}
