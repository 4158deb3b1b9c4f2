/**
 * A lane: one database, one memory cloud, any number of servers on them. Tests that run many cases keep a few lanes and one cluster
 * in each, because building a cluster costs more than most cases.
 */
import { randomUUID } from 'node:crypto';
import { listVersions } from '@/db/catalogue';
import { type DatabaseHandle, openDatabase } from '@/db/client';
import { clusterFacts } from '@/db/clusters';
import { scannerActor } from '@/domain/actor';
import type { OperationKind } from '@/domain/operations';
import type { Refusal } from '@/domain/refusals';
import type { CreateInput } from '@/domain/requests';
import type { Result } from '@/domain/result';
import type { ClusterState } from '@/domain/states';
import { defaultCatalogue, memoryIds } from '@/infrastructure/memory/catalogue';
import { createMemoryCloud } from '@/infrastructure/memory/create-memory-cloud';
import type { Catalogue } from '@/infrastructure/memory/world';
import { runPass } from '@/scanner/run-pass';
import { type Accepted, acceptOperation, type OperationRequest } from '@/worker/accept';
import { acceptCreate } from '@/worker/accept-create';
import { refreshCatalogue } from '@/worker/catalogue';
import type { WorkerContext } from '@/worker/context';
import { type TestDatabase, testDatabase } from './database';
import { type FaultyCloud, faultyCloud } from './faulty-cloud';
import { ana, uniqueName } from './fixtures';
import { violations } from './invariants';
import { JumpClock } from './jump-clock';
import { type TestServer, testServer, untilIdle } from './server';

const rungs = 30;
export const firstVersion = versionAt(0);

/** Versions, each one minor above the one before, so that a cluster can be upgraded many times. */
export function versionAt(rung: number): string {
  return `1.${31 + rung}.4`;
}

/** Offerings, each larger than the one before, so that a running cluster can be resized many times. */
export function offeringAt(rung: number): string {
  return `0ffe0000-0000-4000-8000-${String(rung).padStart(12, '0')}`;
}

function ladders(): Catalogue {
  const each = Array.from({ length: rungs }, (_, rung) => rung);
  return {
    ...defaultCatalogue(),
    offerings: each.map((rung) => ({
      id: offeringAt(rung),
      name: `rung-${rung}`,
      cpuCount: 2 + rung,
      cpuSpeedMhz: 2000,
      memoryMb: 4096 + 512 * rung,
      custom: false,
    })),
    isos: each.map((rung) => ({
      id: `150f0000-0000-4000-8000-${String(rung).padStart(12, '0')}`,
      name: `v${versionAt(rung)}-Kubernetes-Binaries-ISO`,
      ready: true,
      zoneId: null,
      version: versionAt(rung),
    })),
  };
}

export interface JobSeen {
  readonly id: string;
  readonly kind: OperationKind;
  readonly status: string;
  readonly reason: string | null;
  readonly message: string | null;
  readonly token: string | null;
  readonly currentStep: string | null;
  readonly lateResultAt: Date | null;
}

export class Lane {
  readonly database: TestDatabase;
  readonly handle: DatabaseHandle;
  readonly cloud: FaultyCloud;
  readonly clock = new JumpClock();
  readonly servers: TestServer[] = [];

  private constructor(database: TestDatabase) {
    this.database = database;
    this.handle = openDatabase(database.url, { max: 4, name: 'lane' });
    this.cloud = faultyCloud(createMemoryCloud({ catalogue: ladders() }));
  }

  static async open(): Promise<Lane> {
    return Lane.on(await testDatabase());
  }

  static async on(database: TestDatabase): Promise<Lane> {
    const lane = new Lane(database);
    const server = await lane.server();
    await refreshCatalogue(server.worker, AbortSignal.timeout(20_000));
    return lane;
  }

  get sql() {
    return this.handle.sql;
  }

  get control() {
    return this.cloud.memory.control;
  }

  /** Another server, under a name of its own. */
  async server(options: { atMoment?: NonNullable<WorkerContext['atMoment']> } = {}): Promise<TestServer> {
    const name = `server-${this.servers.length + 1}`;
    const server = await testServer(this.database.url, this.cloud.memory, {
      name,
      clock: this.clock,
      handle: this.handle,
      ...options,
    });
    this.servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    await this.handle.close();
    await this.database.close();
  }

  async createInput(): Promise<CreateInput> {
    const version = (await listVersions(this.handle.db)).find((each) => each.version === firstVersion);
    return {
      name: uniqueName('cluster'),
      description: '',
      zoneId: memoryIds.zone,
      kubernetesVersionId: version?.id ?? '',
      controlCount: 1,
      workerCount: 1,
      etcdCount: 0,
      controlOfferingId: offeringAt(0),
      workerOfferingId: offeringAt(0),
      templateId: memoryIds.privateTemplate,
      networkOfferingId: memoryIds.isolatedOffering,
      rootDiskGb: 8,
      csiEnabled: true,
      protected: false,
      startNow: true,
    };
  }

  /** Accepted, not awaited. */
  async beginCreate(server: TestServer, more: Partial<CreateInput> = {}): Promise<Accepted> {
    const input = { ...(await this.createInput()), ...more };
    return granted(await acceptCreate(server.worker, ana, { input, idempotencyKey: randomUUID() }));
  }

  async create(server: TestServer, more: Partial<CreateInput> = {}): Promise<string> {
    const { clusterId, jobId } = await this.beginCreate(server, more);
    await untilIdle(server);
    await this.expectSuccess(jobId);
    return clusterId;
  }

  ask(
    server: TestServer,
    kind: OperationRequest['kind'],
    clusterId: string,
    input: Record<string, unknown> = {},
    more: Partial<OperationRequest> = {},
  ): Promise<Result<Accepted, Refusal>> {
    return acceptOperation(server.worker, ana, { kind, clusterId, input, note: null, ...more });
  }

  /** Asks, waits until it has ended, and insists that it went well. */
  async run(
    server: TestServer,
    kind: OperationRequest['kind'],
    clusterId: string,
    input: Record<string, unknown> = {},
  ): Promise<JobSeen> {
    const { jobId } = granted(await this.ask(server, kind, clusterId, input));
    await untilIdle(server);
    return this.expectSuccess(jobId);
  }

  private async expectSuccess(jobId: string): Promise<JobSeen> {
    const job = await this.job(jobId);
    if (job.status !== 'succeeded')
      throw new Error(`${job.kind} was to succeed: ${job.status}, ${job.reason}, ${job.message}`);
    return job;
  }

  /** A whole pass, and the end of every job that it began. */
  async pass(server: TestServer): Promise<void> {
    const outcome = await runPass(server.scanner, { mode: 'apply', trigger: 'test', actor: scannerActor });
    if (outcome.kind !== 'done') throw new Error(`the pass did not run: ${JSON.stringify(outcome)}`);
    await untilIdle(server);
  }

  async facts(clusterId: string) {
    const facts = await clusterFacts(this.handle.db, clusterId);
    if (facts === undefined) throw new Error(`cluster ${clusterId} is gone`);
    return facts;
  }

  async state(clusterId: string): Promise<ClusterState> {
    return (await this.facts(clusterId)).cluster.state;
  }

  async job(jobId: string): Promise<JobSeen> {
    const [job] = await this.sql<
      JobSeen[]
    >`select id, kind, status, reason, message, token, current_step as "currentStep",
      late_result_at as "lateResultAt" from jobs where id = ${jobId}`;
    if (job === undefined) throw new Error(`job ${jobId} is gone`);
    return job;
  }

  async jobs(clusterId: string): Promise<readonly JobSeen[]> {
    return this.sql<JobSeen[]>`select id, kind, status, reason, message, token, current_step as "currentStep",
      late_result_at as "lateResultAt" from jobs where cluster_id = ${clusterId} order by accepted_at`;
  }

  async transitions(clusterId: string) {
    return this.sql<
      { cause: string; fromState: ClusterState; toState: ClusterState; jobId: string | null; reason: string | null }[]
    >`
      select cause, from_state as "fromState", to_state as "toState", job_id as "jobId", reason from transitions
      where cluster_id = ${clusterId} order by seq`;
  }

  /** Looks again until it is so; what never comes fails by the test's own time-out. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  violations(): Promise<string[]> {
    return violations(this.sql);
  }

  /** The machine of a node as the cloud has it. */
  machineOf(machineId: string | null) {
    return machineId === null ? undefined : this.control.machine(machineId);
  }

  /** The cluster behind its recorded address, as its own API would show it. */
  async api(clusterId: string) {
    const { cluster } = await this.facts(clusterId);
    return this.control.cluster(`${cluster.publicIp}:${cluster.publicPort}`);
  }
}

export function granted<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.refusal)}`);
  return result.value;
}
