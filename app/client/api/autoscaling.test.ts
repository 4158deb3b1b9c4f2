/** The whole way round: the simulated cloud's autoscaler, its keys from the secret in the cluster, real HTTP, an ordinary scale. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listVersions } from '@/db/catalogue';
import { clusterFacts } from '@/db/clusters';
import { openCloudStack } from '@/infrastructure/conformance/cloudstack-subject';
import { type SimulatorProcess, startSimulatorProcess } from '@/infrastructure/conformance/simulator-process';
import type { ContractSubject } from '@/infrastructure/conformance/subject';
import { ana } from '@/test/support/fixtures';
import { scratchDatabase } from '@/test/support/scratch';
import { type TestServer, testServer, untilIdle } from '@/test/support/server';
import { acceptOperation } from '@/worker/accept';
import { acceptCreate } from '@/worker/accept-create';
import { clusterAccess } from '@/worker/access';
import { looseCall, refreshCatalogue } from '@/worker/catalogue';

const scratch = scratchDatabase();
const slots = globalThis as unknown as Record<symbol, unknown>;
/** Five seconds by itself; the whole suite beside it makes it several times that. */
const slowMachineMs = 90_000;
/** The simulated autoscaler looks ten times a second at this speed. */
const severalLoopsMs = 500;
let simulator: SimulatorProcess;
let subject: ContractSubject;
let http: Server;
let server: TestServer;

beforeAll(async () => {
  simulator = await startSimulatorProcess('127.61');
  const { apiUrl, apiKey, secretKey, faults, stop } = simulator;
  const options = { apiUrl, apiKey, secretKey, userAgent: 'holdfast/autoscaling', pollMs: 20 };
  subject = await openCloudStack({ options, faults, pollMs: 20, bootstrapMs: 20_000, stop });
  http = createServer((request, response) => {
    void serve(`http://holdfast${request.url ?? ''}`).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  server = await testServer(scratch.url, subject, {
    settings: {
      pollMs: 20,
      cloudAccess: { apiUrl, apiKey, secretKey },
      autoscalerApiUrl: `http://127.0.0.1:${port}/client/api`,
    },
  });
  // The route of a server finds its runtime on `globalThis`; so does this test.
  slots[Symbol.for('holdfast.runtime')] = { worker: server.worker };
  await refreshCatalogue(server.worker, AbortSignal.timeout(5_000));
});
afterAll(async () => {
  await untilIdle(server);
  await new Promise((resolve) => http.close(resolve));
  await server.close();
  await subject.stop();
  delete slots[Symbol.for('holdfast.runtime')];
});

async function serve(url: string): Promise<Response> {
  const { GET } = await import('./route');
  return GET(new Request(url));
}

async function create(): Promise<string> {
  const { offered } = subject;
  const version = (await listVersions(scratch.db)).find((each) => each.version === offered.version);
  const answer = await acceptCreate(server.worker, ana, {
    input: {
      name: 'growing',
      description: '',
      zoneId: offered.zoneId,
      kubernetesVersionId: version?.id ?? '',
      controlCount: 1,
      workerCount: 1,
      etcdCount: 0,
      controlOfferingId: offered.offeringId,
      workerOfferingId: offered.offeringId,
      templateId: offered.templateId,
      networkOfferingId: offered.networkOfferingId,
      rootDiskGb: 8,
      csiEnabled: false,
      protected: false,
      startNow: true,
    },
    idempotencyKey: randomUUID(),
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  await untilIdle(server);
  return answer.value.clusterId;
}

async function autoscale(clusterId: string, input: Record<string, unknown>): Promise<void> {
  for (;;) {
    const answer = await acceptOperation(server.worker, ana, { kind: 'autoscale', clusterId, input, note: null });
    if (answer.ok) break;
    // The autoscaler is another who asks; it may hold the cluster just now.
    if (answer.refusal.code !== 'refused' && answer.refusal.code !== 'conflict')
      throw new Error(answer.refusal.message);
    await untilIdle(server);
  }
  await untilIdle(server);
}

const load = (clusterId: string, pods: number) => simulator.control('POST', `/cluster/${clusterId}/load`, { pods });

/** Running, unowned, with this many workers recorded and Ready. */
async function untilWorkers(clusterId: string, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const facts = await clusterFacts(scratch.db, clusterId);
        const ready = facts?.nodes.filter((node) => node.role === 'worker' && node.stage === 'ready').length;
        const { state, operationId, workerCount } = facts?.cluster ?? {};
        return { state, operationId, workerCount, ready };
      },
      { timeout: 20_000, interval: 50 },
    )
    .toEqual({ state: 'Running', operationId: null, workerCount: count, ready: count });
}

async function jobsOf(clusterId: string) {
  return scratch.sql<{ kind: string; status: string; actor: { kind: string }; input: Record<string, unknown> }[]>`
    select kind, status, actor, input from jobs where cluster_id = ${clusterId} order by accepted_at`;
}

test(
  'load makes the cluster grow to its maximum and shrink to its minimum; bounds, Alert and off count at once',
  async () => {
    const id = await create();
    await autoscale(id, { enabled: true, minSize: 1, maxSize: 3 });
    await load(id, 45);
    await untilWorkers(id, 3);
    await autoscale(id, { enabled: true, minSize: 1, maxSize: 4 });
    await untilWorkers(id, 4);
    await load(id, 5);
    await untilWorkers(id, 1);
    const jobs = await jobsOf(id);
    expect(jobs.map(({ kind, status, actor }) => `${kind} by ${actor.kind}: ${status}`)).toEqual([
      'create by user: succeeded',
      'autoscale by user: succeeded',
      'scale by autoscaler: succeeded',
      'autoscale by user: succeeded',
      'scale by autoscaler: succeeded',
      'scale by autoscaler: succeeded',
    ]);
    // Down by name, never by number: the autoscaler has emptied just these machines.
    expect(jobs.at(-1)?.input).toEqual({ nodeIds: [expect.any(String), expect.any(String), expect.any(String)] });

    // In Alert it is paused: it asks and asks, nothing is granted, and one line says so. It goes on by itself.
    await scratch.sql`update clusters set state = 'Alert' where id = ${id}`;
    await load(id, 15);
    const refusals = () => scratch.sql<{ summary: string }[]>`
    select summary from events where cluster_id = ${id} and actor_kind = 'autoscaler' and summary like '%paused%'`;
    await expect.poll(refusals, { timeout: 20_000, interval: 50 }).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, severalLoopsMs));
    expect(await refusals()).toHaveLength(1);
    expect(await jobsOf(id)).toHaveLength(jobs.length);
    await scratch.sql`update clusters set state = 'Running' where id = ${id}`;
    await untilWorkers(id, 2);

    await autoscale(id, { enabled: false });
    const api = subject.connectKubernetes(await clusterAccess(server.worker, id));
    const place = { namespace: 'kube-system' } as const;
    const signal = looseCall(AbortSignal.timeout(5_000), 'test');
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cluster-autoscaler', ...place };
    const secret = { apiVersion: 'v1', kind: 'Secret', name: 'holdfast-autoscaler', ...place };
    expect(await api.get(signal, deployment)).toBeNull();
    expect(await api.get(signal, secret)).toBeNull();
    api.close();
    expect((await clusterFacts(scratch.db, id))?.cluster).toMatchObject({ autoscaleEnabled: false, minSize: null });
  },
  slowMachineMs,
);
