import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from './test-client';

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud('127.37', { tenantRole: 'user', enforcePost: true });
});

afterAll(async () => cloud.simulator.stop());

const future = (): string => `${new Date(Date.now() + 600_000).toISOString().slice(0, 19)}+0000`;
const admin = { key: 'admin-demo-key', secret: 'admin-demo-secret' };
const signed = (): Record<string, string> => ({ signatureversion: '3', expires: future() });

test('where time stamps are enforced, plain signatures are 401 and writes by GET 400', async () => {
  expect((await cloud.raw('listZones')).status).toBe(401);
  expect((await cloud.raw('listZones', signed())).status).toBe(200);
  expect((await cloud.raw('createNetwork', { ...signed(), name: 'x' })).status).toBe(400);
});

test('a plain user sets no custom id, sees no hosts, and uses a private template only with permission', async () => {
  const list = async (command: string, key: string, more: Record<string, string> = {}, as: object = {}) => {
    const { body } = await cloud.raw(command, { ...signed(), listall: 'true', ...more }, as);
    return String((body[key] as { id: string }[])[0]?.id);
  };
  const zoneid = await list('listZones', 'zone');
  const networkofferingid = await list('listNetworkOfferings', 'networkoffering');
  const created = await cloud.raw(
    'createNetwork',
    { ...signed(), name: 'own', zoneid, networkofferingid },
    { post: true },
  );
  const networkids = (created.body['network'] as { id: string }).id;
  const serviceofferingid = await list('listServiceOfferings', 'serviceoffering', { name: '1x1' });
  const template = { templatefilter: 'all', name: 'ubuntu-24.04-kubernetes-private' };
  expect((await cloud.raw('listTemplates', { ...signed(), ...template })).status).toBe(431);
  const templateid = await list('listTemplates', 'template', template, admin);
  const deploy = (more: Record<string, string> = {}) =>
    cloud.raw(
      'deployVirtualMachine',
      { ...signed(), zoneid, serviceofferingid, templateid, networkids, name: 'mine', startvm: 'false', ...more },
      { post: true },
    );
  expect(await deploy()).toMatchObject({ status: 531, body: { cserrorcode: 4365 } });
  await cloud.raw(
    'updateTemplatePermissions',
    { ...signed(), id: templateid, op: 'add', accounts: 'holdfast' },
    { ...admin, post: true },
  );
  expect((await deploy({ customid: '12345678-0000-4000-8000-000000000000' })).status).toBe(531);
  expect((await deploy()).status).toBe(200);
  const { body } = await cloud.raw('listVirtualMachines', { ...signed(), listall: 'true' });
  const [machine] = body['virtualmachine'] as Record<string, unknown>[];
  expect(machine).toMatchObject({ name: 'mine', account: 'holdfast' });
  expect(machine?.['instancename']).toBeUndefined();
});
