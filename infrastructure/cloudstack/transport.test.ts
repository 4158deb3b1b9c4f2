import { afterEach, describe, expect, it } from 'vitest';
import type { CallContext, Cloud, CloudError } from '@/infrastructure/cloud';
import { sign } from '@/infrastructure/signature';
import { createCloudStack } from './create-cloudstack';
import {
  answers,
  fails,
  jobEnded,
  jobFailed,
  jobStarted,
  type Script,
  startTestServer,
  type TestServer,
} from './test-server';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const machine = { id: 'm-1', name: 'demo', state: 'Stopped', zoneid: 'z-1', created: '2026-12-01T14:00:00+0000' };
const list = (state: string) => answers('listVirtualMachines', { count: 1, virtualmachine: [{ ...machine, state }] });
const never = new AbortController().signal;

async function open(script: Script, timeouts = {}): Promise<Cloud> {
  server = await startTestServer(script);
  return createCloudStack({
    apiUrl: server.apiUrl,
    apiKey: 'key',
    secretKey: 'secret',
    userAgent: 'holdfast/test',
    pollMs: 5,
    timeouts,
  });
}

function call(changes: Partial<CallContext> = {}): CallContext {
  return { signal: never, operation: 'job-1/7/start-node', authorize: async () => undefined, ...changes };
}

async function failure(promise: Promise<unknown>): Promise<CloudError> {
  const outcome = await promise.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({ name: 'CloudError' });
  return outcome as CloudError;
}

describe('a request', () => {
  it('reads by GET, is signed, expires, and says who asks', async () => {
    const cloud = await open(() => answers('listZones', {}));
    expect(await cloud.listZones(call())).toEqual([]);
    const [request] = server?.received ?? [];
    const { signature, ...parameters } = request?.parameters ?? {};
    expect(request?.method).toBe('GET');
    expect(signature).toBe(sign(parameters, 'secret'));
    expect(parameters).toMatchObject({ signatureversion: '3', response: 'json', apiKey: 'key' });
    expect(parameters['expires']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    expect(request?.headers).toMatchObject({
      'x-holdfast-operation': 'job-1/7/start-node',
      'user-agent': 'holdfast/test',
    });
  });

  it('changes by POST, with a job id of its own', async () => {
    const cloud = await open((request, count) => {
      if (request.command === 'listVirtualMachines') return list(count === 1 ? 'Stopped' : 'Running');
      return request.command === 'startVirtualMachine' ? jobStarted(request.command, 'j-1') : jobEnded({});
    });
    await cloud.startMachine(call(), 'm-1');
    const start = server?.received.find((each) => each.command === 'startVirtualMachine');
    expect(start?.method).toBe('POST');
    expect(start?.parameters['customjobid']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes the single key of an answer, whatever it is called', async () => {
    const cloud = await open((request) => {
      if (request.command === 'restoreVirtualMachine') return answers('restorevm', { jobid: 'j-1' });
      return jobEnded({ virtualmachine: machine });
    });
    await cloud.restoreMachine(call(), 'm-1');
    expect(server?.received.map((each) => each.command)).toEqual(['restoreVirtualMachine', 'queryAsyncJobResult']);
  });
});

describe('an error answer', () => {
  it.each([
    [401, 'denied'],
    [429, 'transient'],
    [431, 'refused'],
    [503, 'transient'],
    [530, 'transient'],
    [531, 'refused'],
    [532, 'quota'],
    [533, 'capacity'],
    [534, 'transient'],
    [535, 'quota'],
    [536, 'refused'],
    [537, 'refused'],
    [599, 'transient'],
  ])('with code %i is %s', async (code, kind) => {
    const cloud = await open((request) => fails(request.command, code));
    expect(await failure(cloud.listZones(call()))).toMatchObject({ kind, code, command: 'listZones' });
  });

  it('about an id that never existed is not-found, and null where a machine is asked for', async () => {
    const cloud = await open((request) =>
      fails(request.command, 431, {
        cserrorcode: 9999,
        errortext: 'Invalid parameter id value=x due to incorrect long value format, or entity does not exist',
      }),
    );
    expect(await cloud.getMachine(call(), 'x')).toBeNull();
    expect(await failure(cloud.startMachine(call(), 'x'))).toMatchObject({ kind: 'not-found' });
    await cloud.destroyMachine(call(), 'x');
  });

  it('of a proxy is transient for reads and leaves changes open', async () => {
    const cloud = await open(() => ({ raw: '<html>bad gateway</html>', status: 502 }));
    expect(await failure(cloud.listZones(call()))).toMatchObject({ kind: 'transient', code: 502 });
    expect(await failure(cloud.setUserData(call(), { machineId: 'm-1', userData: 'x' }))).toMatchObject({
      kind: 'unknown-outcome',
    });
  });

  it('of nobody is transient, also for changes: nothing was sent', async () => {
    const cloud = await open(() => 'close');
    await server?.stop();
    expect(await failure(cloud.setUserData(call(), { machineId: 'm-1', userData: 'x' }))).toMatchObject({
      kind: 'transient',
    });
  });

  it('in a job is mapped by the same codes', async () => {
    const cloud = await open((request) => {
      if (request.command === 'listVirtualMachines') return list('Stopped');
      return request.command === 'startVirtualMachine' ? jobStarted(request.command, 'j-1') : jobFailed(533);
    });
    expect(await failure(cloud.startMachine(call(), 'm-1'))).toMatchObject({
      kind: 'capacity',
      code: 533,
      command: 'startVirtualMachine',
    });
  });
});

describe('a lost answer', () => {
  it('is settled by the job that was sent along', async () => {
    const cloud = await open((request, count) => {
      if (request.command === 'listVirtualMachines') return list(count === 1 ? 'Stopped' : 'Running');
      return request.command === 'startVirtualMachine' ? 'close' : jobEnded({});
    });
    await cloud.startMachine(call(), 'm-1');
    expect(server?.received.filter((each) => each.command === 'startVirtualMachine')).toHaveLength(1);
  });

  it('is settled by looking again where no job can be asked for', async () => {
    const network = { id: 'n-1', name: 'net', zoneid: 'z-1', egressdefaultpolicy: true };
    const cloud = await open((request, count) => {
      if (request.command === 'createNetwork') return 'close';
      return answers(request.command, count === 1 ? {} : { count: 1, network: [network] });
    });
    const made = await cloud.ensureNetwork(call(), { name: 'net', zoneId: 'z-1', offeringId: 'o-1', tags: {} });
    expect(made).toMatchObject({ id: 'n-1', egressAllowed: true });
  });

  it('stays open when nothing is to be seen', async () => {
    const cloud = await open((request) => {
      if (request.command === 'listVirtualMachines') return list('Stopped');
      return request.command === 'startVirtualMachine' ? 'close' : fails(request.command, 431);
    });
    expect(await failure(cloud.startMachine(call(), 'm-1'))).toMatchObject({ kind: 'unknown-outcome' });
  });
});

describe('waits', () => {
  it('end at once when the caller says so', async () => {
    const cloud = await open(() => 'hang');
    const stop = new AbortController();
    const waiting = failure(cloud.listZones(call({ signal: stop.signal })));
    const began = performance.now();
    stop.abort(new Error('enough'));
    expect((await waiting).cause).toMatchObject({ message: 'enough' });
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('on a request end by themselves', async () => {
    const cloud = await open(() => 'hang', { requestMs: 30 });
    expect(await failure(cloud.listZones(call()))).toMatchObject({ kind: 'transient' });
  });

  it('on a job that never ends have a bound', async () => {
    const cloud = await open(
      (request) => {
        if (request.command === 'listVirtualMachines') return list('Stopped');
        const pending = answers('queryAsyncJobResult', { jobstatus: 0, jobprocstatus: 0, jobresultcode: 0 });
        return request.command === 'startVirtualMachine' ? jobStarted(request.command, 'j-1') : pending;
      },
      { longJobMs: 40 },
    );
    expect(await failure(cloud.startMachine(call(), 'm-1'))).toMatchObject({ kind: 'unknown-outcome' });
  });

  it('on a machine that is changing hold back the next change', async () => {
    const cloud = await open((request, count) => {
      if (request.command === 'listVirtualMachines') return list(count < 3 ? 'Starting' : 'Running');
      return fails(request.command, 530);
    });
    await cloud.startMachine(call(), 'm-1');
    expect(server?.received.map((each) => each.command)).not.toContain('startVirtualMachine');
  });
});

describe('authority', () => {
  it('that is refused sends nothing and comes out as it was', async () => {
    const lost = new Error('the cluster is held by another operation');
    const cloud = await open(() => list('Stopped'));
    const refusing = call({ authorize: () => Promise.reject(lost) });
    await expect(cloud.startMachine(refusing, 'm-1')).rejects.toBe(lost);
    expect(server?.received).toEqual([]);
  });
});

describe('user data', () => {
  it('over the limit is refused with both numbers before anything is sent', async () => {
    const cloud = await open(() => answers('x', {}));
    const refused = await failure(cloud.setUserData(call(), { machineId: 'm-1', userData: 'x'.repeat(30_000) }));
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(/40000.*32768/) });
    expect(server?.received).toEqual([]);
  });
});
