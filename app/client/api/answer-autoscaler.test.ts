import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepSecret } from '@/db/facts';
import type { ClusterState } from '@/domain/states';
import { createMemoryCloud } from '@/infrastructure/memory/create-memory-cloud';
import { expiryTime, type Parameters, sign, signedForm } from '@/infrastructure/signature';
import { endWith, failed, succeeded } from '@/test/support/acts';
import { insertCluster, insertHeldCluster, insertServer } from '@/test/support/fixtures';
import { scratchDatabase } from '@/test/support/scratch';
import { type TestServer, testServer } from '@/test/support/server';
import { acceptOperation } from '@/worker/accept';
import { answerAutoscaler } from './answer-autoscaler';

const scratch = scratchDatabase();
const secretKey = 'a-secret-of-thirty-two-characters-or-more';
let server: TestServer;

beforeAll(async () => {
  server = await testServer(scratch.url, createMemoryCloud());
});
afterAll(() => server.close());

let clusterId: string;
beforeEach(async () => {
  clusterId = await autoscaled('Running');
});

async function autoscaled(state: ClusterState): Promise<string> {
  const { id } = await insertCluster(scratch.sql, { state });
  return equip(id);
}

/** Makes it a cluster of one control node and two workers, autoscaled from 1 to 4, with its key pair. */
async function equip(id: string): Promise<string> {
  await scratch.sql`update clusters set autoscale_enabled = true, min_size = 1, max_size = 4 where id = ${id}`;
  for (const [role, ordinal] of [
    ['control', 1],
    ['worker', 1],
    ['worker', 2],
  ] as const) {
    await scratch.sql`insert into nodes (cluster_id, role, ordinal, name, machine_id, stage, offering_id, version)
      values (${id}, ${role}, ${ordinal}, ${`n-${role}-${ordinal}-${id.slice(0, 8)}`}, ${`vm-${role}-${ordinal}-${id}`}, 'ready', 'medium', '1.31.4')`;
  }
  const sealed = server.worker.sealer.seal(JSON.stringify({ apiKey: `hfa-${id}`, secretKey }));
  await server.worker.db.transaction((tx) => keepSecret(tx, id, 'autoscaler-key', sealed));
  return id;
}

const url = 'http://holdfast/client/api';
const keyed = (more: Parameters): Parameters => ({ response: 'json', apiKey: `hfa-${clusterId}`, ...more });

async function get(parameters: Parameters, secret = secretKey) {
  return read(await answerAutoscaler(server.worker, new Request(`${url}?${signedForm(keyed(parameters), secret)}`)));
}
async function post(parameters: Parameters, query = '') {
  const body = signedForm(keyed(parameters), secretKey);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return read(await answerAutoscaler(server.worker, new Request(`${url}${query}`, { method: 'POST', headers, body })));
}
async function read(response: Response) {
  return { status: response.status, body: (await response.json()) as Record<string, Record<string, unknown>> };
}
const scale = (more: Parameters) => get({ command: 'scaleKubernetesCluster', id: clusterId, ...more });
const jobCount = async () => (await scratch.sql`select 1 from jobs where cluster_id = ${clusterId}`).length;

describe('who asks', () => {
  const list = { command: 'listKubernetesClusters' };

  test('a plain signature, and one of version 3 that is good for a while, are taken by GET and by POST', async () => {
    const soon = expiryTime(new Date(Date.now() + 60_000));
    for (const parameters of [list, { ...list, signatureVersion: '3', expires: soon }]) {
      expect((await get(parameters)).status).toBe(200);
      expect((await post(parameters)).status).toBe(200);
    }
  });

  test('whatever is wrong is one and the same 401 in the envelope of the command', async () => {
    const past = expiryTime(new Date(Date.now() - 1_000));
    const unsigned = new Request(`${url}?${new URLSearchParams(keyed(list))}`);
    const answers = [
      await get(list, 'another-secret-of-thirty-two-characters'),
      await get({ ...list, apiKey: `hfa-${randomUUID()}` }),
      await get({ ...list, apiKey: `hfa-${clusterId.toUpperCase()}` }),
      await get({ ...list, apiKey: 'hfa-' }),
      await get({ ...list, apiKey: 'holdfast-demo-key' }),
      await get({ ...list, signatureversion: '3' }),
      await get({ ...list, signatureversion: '3', expires: past }),
      await get({ ...list, signatureversion: '3', expires: 'never' }),
      await read(await answerAutoscaler(server.worker, unsigned)),
    ];
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 401,
        body: {
          listkubernetesclustersresponse: {
            uuidList: [],
            errorcode: 401,
            errortext: 'unable to verify user credentials and/or request signature',
          },
        },
      });
    }
  });

  test('a command that is not served is 401 too, and named by nobody', async () => {
    for (const command of ['deleteKubernetesCluster', 'constructor', 'listkubernetesclusters', '']) {
      const { status, body } = await get({ command });
      expect(status).toBe(401);
      expect(Object.keys(body)).toEqual(['errorresponse']);
    }
  });

  test('a change of any value breaks the signature', async () => {
    const parameters = keyed({ command: 'scaleKubernetesCluster', id: clusterId, size: '3' });
    const signature = sign(parameters, secretKey);
    const query = new URLSearchParams({ ...parameters, size: '4', signature });
    const { status } = await read(await answerAutoscaler(server.worker, new Request(`${url}?${query}`)));
    expect(status).toBe(401);
    expect(await jobCount()).toBe(0);
  });

  test('a name in the query counts before the same name in the body', async () => {
    expect((await post(list, '?command=listApis')).status).toBe(401);
    expect((await post(list, '?command=listKubernetesClusters')).status).toBe(200);
  });

  test('the key of a deleted cluster opens nothing', async () => {
    await scratch.sql`update clusters set state = 'Destroyed', removed_at = now(), operation_seq = operation_seq + 1 where id = ${clusterId}`;
    expect((await get(list)).status).toBe(401);
  });
});

describe('what it sees', () => {
  test('listApis names the four commands', async () => {
    const { body } = await get({ command: 'listApis' });
    expect(body['listapisresponse']).toMatchObject({
      count: 4,
      api: ['listApis', 'listKubernetesClusters', 'scaleKubernetesCluster', 'queryAsyncJobResult'].map((name) => ({
        name,
      })),
    });
  });

  test('its own cluster, control nodes included; size counts workers', async () => {
    for (const more of [{}, { id: clusterId }]) {
      const { body } = await get({ command: 'listKubernetesClusters', ...more });
      const machine = (role: string, ordinal: number) => ({
        id: `vm-${role}-${ordinal}-${clusterId}`,
        name: `n-${role}-${ordinal}-${clusterId.slice(0, 8)}`,
        state: 'Running',
      });
      expect(body['listkubernetesclustersresponse']).toMatchObject({
        count: 1,
        kubernetescluster: [
          {
            id: clusterId,
            name: expect.any(String),
            size: 2,
            minsize: 1,
            maxsize: 4,
            masternodes: 1,
            virtualmachines: [machine('control', 1), machine('worker', 1), machine('worker', 2)],
          },
        ],
      });
    }
  });

  test('another cluster is not there: neither to list, nor to scale, nor its jobs', async () => {
    const other = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: await insertServer(scratch.sql) });
    for (const parameters of [
      { command: 'listKubernetesClusters', id: other.id },
      { command: 'scaleKubernetesCluster', id: other.id, size: '3' },
      { command: 'queryAsyncJobResult', jobid: other.hold.jobId },
      { command: 'queryAsyncJobResult', jobid: randomUUID() },
      { command: 'queryAsyncJobResult', jobid: "' or 1=1" },
    ]) {
      const { status, body } = await get(parameters);
      expect(status).toBe(431);
      expect(JSON.stringify(body)).toContain('due to incorrect long value format, or entity does not exist');
    }
  });

  test.each([
    ['under way', null, 0],
    ['succeeded', succeeded('scale'), 1],
    ['failed', failed('scale'), 2],
    ['cancelled', { ...failed('scale'), status: 'cancelled' as const }, 2],
  ])('a job that is %s is told so', async (_what, ending, jobstatus) => {
    const { id, hold } = await insertHeldCluster(scratch.sql, { state: 'Scaling', serverId: server.id });
    await equip(id);
    clusterId = id;
    if (ending !== null) await endWith(scratch.db, hold, ending);
    const { body } = await get({ command: 'queryAsyncJobResult', jobid: hold.jobId });
    const inner = body['queryasyncjobresultresponse'];
    expect(inner).toMatchObject({ jobid: hold.jobId, jobstatus, jobprocstatus: 0, jobinstanceid: id });
    if (jobstatus === 1) expect(inner).toMatchObject({ jobresult: { kubernetescluster: { id, size: 2 } } });
    if (jobstatus === 2) expect(inner).toMatchObject({ jobresult: { errorcode: 530, errortext: 'A step failed.' } });
  });
});

describe('what it may ask for', () => {
  async function expectRefused(answer: Awaited<ReturnType<typeof scale>>, text: RegExp) {
    expect(answer.status).toBe(431);
    expect(answer.body['scalekubernetesclusterresponse']).toMatchObject({
      errorcode: 431,
      errortext: expect.stringMatching(text),
    });
    expect(await jobCount()).toBe(0);
  }

  test.each([
    ['an empty nodeids', { nodeids: '' }, /nodeids is empty/],
    ['nodeids of commas', { nodeids: ' , ,' }, /nodeids is empty/],
    ['an empty nodeids beside a size', { nodeids: '', size: '3' }, /not both/],
    ['neither', {}, /Give size or nodeids/],
    ['a size that is no number', { size: '3x' }, /whole number/],
    ['a negative size', { size: '-1' }, /whole number/],
    ['a size of none', { size: '0' }, /at least 1/],
    ['a size past every limit', { size: '999999999' }, /at most 10/],
    ['more than the maximum', { size: '5' }, /more than the maximum of 4/],
    ['the present size', { size: '2' }, /Nothing would change/],
    ['an offering', { size: '3', serviceofferingid: 'large' }, /only change the number of workers/],
    ['an end of autoscaling', { size: '3', AutoscalingEnabled: 'false' }, /only change the number of workers/],
    ['a machine of nobody', { nodeids: 'vm-of-nobody' }, /not in the cluster/],
  ])('%s is refused, and no job is made', async (_what, parameters: Parameters, text) => {
    await expectRefused(await scale(parameters), text);
  });

  test('machines of another cluster, control nodes and more than the minimum allows are refused', async () => {
    const other = await autoscaled('Running');
    await expectRefused(await scale({ nodeids: `vm-worker-1-${other}` }), /not in the cluster/);
    await expectRefused(await scale({ nodeids: `vm-control-1-${clusterId}` }), /Only workers/);
    const both = `vm-worker-1-${clusterId},vm-worker-2-${clusterId}`;
    await expectRefused(await scale({ nodeids: both }), /fewer than the minimum of 1/);
    await scratch.sql`update clusters set min_size = 2 where id = ${clusterId}`;
    await expectRefused(await scale({ nodeids: `vm-worker-1-${clusterId}` }), /fewer than the minimum of 2/);
    await expectRefused(await scale({ size: '1' }), /fewer than the minimum of 2/);
  });

  test('with autoscaling off nothing is granted', async () => {
    await scratch.sql`update clusters set autoscale_enabled = false, min_size = null, max_size = null where id = ${clusterId}`;
    await expectRefused(await scale({ size: '3' }), /Autoscaling is off/);
  });

  test.each(['Alert', 'Stopped', 'Created', 'Error', 'Destroying'] as const)(
    'in %s nothing is granted',
    async (state) => {
      clusterId = await autoscaled(state);
      const reason = state === 'Alert' ? /Autoscaling is paused/ : /./;
      await expectRefused(await scale({ size: '3' }), reason);
      await expectRefused(await scale({ nodeids: `vm-worker-2-${clusterId}` }), reason);
    },
  );

  test('while another operation holds the cluster, it is told which', async () => {
    const held = await insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: server.id });
    clusterId = await equip(held.id);
    const { status, body } = await scale({ size: '3' });
    expect(status).toBe(431);
    expect(JSON.stringify(body)).toContain('Held: Upgrade by Ana');
    expect(await jobCount()).toBe(1);
  });

  test('the same refusal again and again leaves one event, another one a second', async () => {
    for (let times = 0; times < 5; times += 1) await scale({ size: '5' });
    const refusals = () =>
      scratch.sql`select summary from events where cluster_id = ${clusterId} and type = 'operation.refused' and actor_kind = 'autoscaler'`;
    expect(await refusals()).toHaveLength(1);
    await scale({ size: '6' });
    expect(await refusals()).toHaveLength(2);
  });

  test('SCL-1 what is in bounds becomes an ordinary job of the actor autoscaler; a person may not set the size meanwhile', async () => {
    const person = { kind: 'user', id: 'u', name: 'Ana', role: 'operator' } as const;
    const byHand = { kind: 'scale', clusterId, input: { workerCount: 3 }, note: null } as const;
    expect(await acceptOperation(server.worker, person, byHand)).toMatchObject({
      ok: false,
      refusal: { code: 'invalid' },
    });
    const { status, body } = await scale({ size: '3' });
    expect(status).toBe(200);
    const jobId = body['scalekubernetesclusterresponse']?.['jobid'];
    const [job] = await scratch.sql`select kind, actor, input from jobs where id = ${String(jobId)}`;
    expect(job).toMatchObject({ kind: 'scale', actor: { kind: 'autoscaler' }, input: { workerCount: 3 } });
    while (server.worker.running.ids().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
