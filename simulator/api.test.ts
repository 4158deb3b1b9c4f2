import { afterAll, beforeAll, expect, test } from 'vitest';
import { signatureOf, textToSign } from './cloudstack/signature';
import type { JsonObject } from './core/json';
import { eventually, startTestCloud, type TestCloud } from './test-client';

let cloud: TestCloud;
let networkId: string;

beforeAll(async () => {
  cloud = await startTestCloud('127.32');
  networkId = await cloud.network('api-tests');
});

afterAll(async () => cloud.simulator.stop());

test('the signature of the reference vectors is reproduced', () => {
  const first = new Map(
    Object.entries({
      command: 'listVirtualMachines',
      response: 'json',
      apiKey: 'holdfast-demo-key',
      name: 'demo-node-1',
    }),
  );
  expect(textToSign(first)).toBe('apikey=holdfast-demo-key&command=listvirtualmachines&name=demo-node-1&response=json');
  expect(signatureOf(first, 'holdfast-demo-secret')).toBe('L4BaHg7XSfRfvkhRhXVjijzzGEk=');
  const second = new Map(
    Object.entries({
      command: 'createTags',
      response: 'json',
      apiKey: 'holdfast-demo-key',
      resourcetype: 'UserVm',
      resourceids: '6f1c2f0e-0000-4000-8000-000000000001',
      'tags[0].key': 'holdfast cluster',
      'tags[0].value': "a+b*c~d é(1)!'",
      signatureversion: '3',
      expires: '2026-12-01T15:00:00+0000',
    }),
  );
  expect(signatureOf(second, 'holdfast-demo-secret')).toBe('wG0otNWvnHeZ4dKPjPh3h2EjVAQ=');
});

test('a wrong secret, an expired signature and an unknown command are all 401', async () => {
  const wrong = await cloud.raw('listZones', {}, { secret: 'nonsense' });
  expect(wrong).toMatchObject({ status: 401, key: 'listzonesresponse', body: { errorcode: 401, uuidList: [] } });
  expect(wrong.body['cserrorcode']).toBeUndefined();
  expect((await cloud.raw('listZones', { signatureversion: '3', expires: '2020-01-01T00:00:00+0000' })).status).toBe(
    401,
  );
  expect((await cloud.raw('listZones', { signatureversion: '3' })).status).toBe(401);
  expect(await cloud.raw('listNothing')).toMatchObject({ status: 401, key: 'errorresponse' });
  const future = `${new Date(Date.now() + 600_000).toISOString().slice(0, 19)}+0000`;
  expect((await cloud.raw('listZones', { signatureVersion: '3', expires: future })).status).toBe(200);
});

test('a reader may look and not change', async () => {
  const reader = { key: 'reader-demo-key', secret: 'reader-demo-secret' };
  expect((await cloud.raw('listVirtualMachines', {}, reader)).status).toBe(200);
  expect((await cloud.raw('createNetwork', { name: 'x' }, reader)).status).toBe(401);
});

test('errors carry the code as status, the envelope and the header', async () => {
  const missing = await cloud.raw('startVirtualMachine');
  expect(missing).toMatchObject({
    status: 431,
    key: 'startvirtualmachineresponse',
    body: { errorcode: 431, cserrorcode: 9999 },
  });
  expect(missing.description).toBe(missing.body['errortext']);
  const unknown = await cloud.raw('listVirtualMachines', { id: '00000000-0000-4000-8000-000000000000' });
  expect(unknown.body['errortext']).toContain(
    'Invalid parameter id value=00000000-0000-4000-8000-000000000000 due to incorrect long value format, or entity does not exist',
  );
  expect(
    (await cloud.raw('createTags', { 'tags[x].key': 'a', resourcetype: 'UserVm', resourceids: networkId })).status,
  ).toBe(430);
  expect((await cloud.raw('listVirtualMachines', { name: 'a\tb' })).status).toBe(431);
  expect((await cloud.raw('restoreVirtualMachine', {})).key).toBe('restorevmresponse');
});

test('a name is unique in its network until the machine is expunged', async () => {
  const id = await cloud.machine('twin', networkId);
  const { zoneid, serviceofferingid, templateid } = await cloud.catalogue();
  const again = () =>
    cloud.raw(
      'deployVirtualMachine',
      { zoneid, serviceofferingid, templateid, networkids: networkId, name: 'twin', startvm: 'false' },
      { post: true },
    );
  expect(await again()).toMatchObject({ status: 431, body: { cserrorcode: 4350 } });
  await cloud.call('destroyVirtualMachine', { id });
  expect((await again()).status).toBe(431);
  await cloud.call('expungeVirtualMachine', { id });
  expect((await cloud.raw('listVirtualMachines', { id, listall: 'true' })).body).toEqual({});
  expect((await again()).status).toBe(200);
});

test('a machine goes through the states that its jobs tell', async () => {
  const id = await cloud.machine('walker', networkId);
  const [stopped] = await cloud.list('listVirtualMachines', 'virtualmachine', { id });
  expect(stopped).toMatchObject({ state: 'Stopped', name: 'walker' });
  expect(stopped?.['nic']).toMatchObject([{ ipaddress: expect.stringMatching(/^10\.1\.1\./) }]);
  const start = await cloud.raw('startVirtualMachine', { id }, { post: true });
  expect(start.key).toBe('startvirtualmachineresponse');
  const running = await cloud.raw('queryAsyncJobResult', { jobid: String(start.body['jobid']) });
  expect(running.body).toMatchObject({ jobprocstatus: 0, jobresultcode: 0 });
  expect((await cloud.job(String(start.body['jobid'])))['jobresult']).toMatchObject({
    virtualmachine: { id, state: 'Running' },
  });
  const again = await cloud.raw('startVirtualMachine', { id }, { post: true });
  expect(await cloud.job(String(again.body['jobid']))).toMatchObject({
    jobstatus: 2,
    jobresultcode: 431,
    jobresult: { errorcode: 431 },
  });
  await cloud.call('stopVirtualMachine', { id });
  await cloud.call('stopVirtualMachine', { id });
  await cloud.call('destroyVirtualMachine', { id, expunge: 'true' });
  expect((await cloud.raw('destroyVirtualMachine', { id }, { post: true })).status).toBe(431);
});

test('a custom job id never runs twice', async () => {
  const id = await cloud.machine('fenced', networkId);
  const customjobid = '11111111-2222-4333-8444-555555555555';
  const first = await cloud.raw('startVirtualMachine', { id, customjobid }, { post: true });
  expect(first.body['jobid']).toBe(customjobid);
  expect((await cloud.raw('startVirtualMachine', { id, customjobid }, { post: true })).status).toBe(431);
  await cloud.job(customjobid);
  expect((await cloud.raw('startVirtualMachine', { id, customjobid }, { post: true })).status).toBe(530);
  await cloud.call('destroyVirtualMachine', { id, expunge: 'true' });
});

test('a list has its total on every page, and nothing found is an empty object', async () => {
  const pages = await cloud.network('pages');
  for (const name of ['page-1', 'page-2', 'page-3']) await cloud.machine(name, pages);
  const page = (number: string) =>
    cloud.raw('listVirtualMachines', { networkid: pages, listall: 'true', page: number, pagesize: '2' });
  expect((await page('1')).body).toMatchObject({ count: 3, virtualmachine: [{ name: 'page-1' }, { name: 'page-2' }] });
  expect((await page('2')).body).toMatchObject({ count: 3, virtualmachine: [{ name: 'page-3' }] });
  expect((await page('3')).body).toEqual({ count: 3 });
  expect((await cloud.raw('listVirtualMachines', { page: '1' })).status).toBe(431);
  expect((await cloud.raw('listVirtualMachines', { page: '1', pagesize: '501' })).status).toBe(431);
  expect((await cloud.raw('listVirtualMachines', { name: 'nobody' })).body).toEqual({});
  await expect(cloud.call('deleteNetwork', { id: pages })).rejects.toThrow('530');
});

test('tags are found one at a time and can not be set twice', async () => {
  const id = await cloud.machine('tagged', networkId);
  const tag = { 'tags[0].key': 'holdfast', 'tags[0].value': 'here', resourcetype: 'uservm', resourceids: id };
  await cloud.call('createTags', tag);
  await expect(cloud.call('createTags', tag)).rejects.toThrow('530');
  const found = await cloud.list('listVirtualMachines', 'virtualmachine', {
    'tags[0].key': 'holdfast',
    'tags[0].value': 'here',
    details: 'min',
  });
  expect(found).toMatchObject([{ id, tags: [{ key: 'holdfast', value: 'here', resourcetype: 'UserVm' }] }]);
});

test('rules conflict with 537, and the first address of a network is its source NAT address', async () => {
  const own = await cloud.network('rules');
  const { ipaddress } = await cloud.call('associateIpAddress', { networkid: own });
  expect(ipaddress).toMatchObject({ issourcenat: true, state: 'Allocated' });
  const ipaddressid = String((ipaddress as JsonObject)['id']);
  const rule = { ipaddressid, protocol: 'tcp', startport: '6443', endport: '6443' };
  await cloud.call('createFirewallRule', rule);
  expect((await cloud.raw('createFirewallRule', rule, { post: true })).status).toBe(537);
  const balancer = {
    name: 'api',
    algorithm: 'roundrobin',
    publicport: '6443',
    privateport: '6443',
    publicipid: ipaddressid,
  };
  const { loadbalancer } = await cloud.call('createLoadBalancerRule', balancer);
  expect(loadbalancer).toMatchObject({ publicport: '6443', state: 'Add' });
  expect((await cloud.raw('createLoadBalancerRule', balancer, { post: true })).status).toBe(537);
  await cloud.call('deleteNetwork', { id: own });
  expect((await cloud.raw('deleteFirewallRule', { id: ipaddressid }, { post: true })).status).toBe(431);
});

test('user data that is no base64 or too long is refused, and so is a long one by GET', async () => {
  const { zoneid, serviceofferingid, templateid } = await cloud.catalogue();
  const deploy = (userdata: string, post: boolean) =>
    cloud.raw(
      'deployVirtualMachine',
      { zoneid, serviceofferingid, templateid, networkids: networkId, name: 'long', startvm: 'false', userdata },
      { post },
    );
  expect((await deploy('%%%', true)).status).toBe(431);
  expect((await deploy('A'.repeat(33_000), true)).status).toBe(431);
  expect((await deploy('A'.repeat(5_000), false)).status).toBe(431);
});

test('quota is 535 and no room is 533 in the job', async () => {
  await cloud.control('POST', '/limits', { '0': 0 });
  const { zoneid, serviceofferingid, templateid } = await cloud.catalogue();
  const deploy = (name: string) =>
    cloud.raw(
      'deployVirtualMachine',
      { zoneid, serviceofferingid, templateid, networkids: networkId, name, startvm: 'false' },
      { post: true },
    );
  const refused = await deploy('too-many');
  expect(refused).toMatchObject({ status: 535, body: { cserrorcode: 4370 } });
  expect(refused.body['errortext']).toMatch(/^Maximum amount of resources of Type/);
  await cloud.control('POST', '/limits', { '0': -1 });
  for (let host = 1; host <= 8; host += 1) await cloud.control('POST', `/host/zone-1-host-${host}`, { up: false });
  const id = await cloud.machine('homeless', networkId);
  const start = await cloud.raw('startVirtualMachine', { id }, { post: true });
  expect(await cloud.job(String(start.body['jobid']))).toMatchObject({ jobstatus: 2, jobresultcode: 533 });
  expect(await cloud.list('listVirtualMachines', 'virtualmachine', { id })).toMatchObject([{ state: 'Stopped' }]);
  for (let host = 1; host <= 8; host += 1) await cloud.control('POST', `/host/zone-1-host-${host}`, { up: true });
});

test('listApis describes what there is', async () => {
  const apis = await cloud.list('listApis', 'api');
  expect(apis.find((api) => api['name'] === 'deployVirtualMachine')).toMatchObject({ isasync: true });
  expect(apis.length).toBeGreaterThan(60);
});

test('a template permission is given to an account, once or twice', async () => {
  const [template] = await cloud.list('listTemplates', 'template', {
    templatefilter: 'all',
    name: 'ubuntu-24.04-kubernetes-private',
  });
  const id = String(template?.['id']);
  const add = () => cloud.call('updateTemplatePermissions', { id, op: 'add', accounts: 'holdfast' });
  expect(await add()).toEqual({ success: true });
  expect(await add()).toEqual({ success: true });
  expect(await cloud.call('listTemplatePermissions', { id })).toMatchObject({
    templatepermission: { account: ['holdfast'] },
  });
  expect(
    (await cloud.raw('updateTemplatePermissions', { id, op: 'add', accounts: 'nobody' }, { post: true })).status,
  ).toBe(431);
});

test('a reset leaves an empty cloud', async () => {
  await cloud.control('POST', '/reset');
  await eventually(async () => (await cloud.control<{ machines: unknown[] }>('GET', '/state')).machines.length === 0);
});
