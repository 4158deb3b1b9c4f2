import { describe, expect, it } from 'vitest';
import type { CallContext, MachineSpec } from '@/infrastructure/cloud';
import { memoryIds } from './catalogue';
import { createInstantClock } from './clock';
import { createMemoryCloud, type MemoryCloudOptions } from './create-memory-cloud';

const never = new AbortController().signal;
const call = (changes: Partial<CallContext> = {}): CallContext => ({
  signal: never,
  operation: 'job-1/7/build-node',
  authorize: async () => undefined,
  ...changes,
});

async function withNetwork(options: MemoryCloudOptions = {}) {
  const memory = createMemoryCloud(options);
  const { zone: zoneId, isolatedOffering: offeringId } = memoryIds;
  const network = await memory.cloud.ensureNetwork(call(), { name: 'net', zoneId, offeringId, tags: {} });
  const spec = (name: string): MachineSpec => ({
    name,
    zoneId,
    networkId: network.id,
    offeringId: memoryIds.smallOffering,
    templateId: memoryIds.template,
    rootDiskGb: 10,
    sshKeyPair: null,
    userData: '#cloud-config\n',
    tags: {},
  });
  return { ...memory, network, spec };
}

describe('gates', () => {
  it('stop a call that is authorised and not carried out, so that an old owner’s late change can be made to happen', async () => {
    const { cloud, control, spec } = await withNetwork();
    const order: string[] = [];
    const gate = control.gate('ensureMachine', { subject: 'node-1' });
    const late = cloud.ensureMachine(call({ authorize: async () => void order.push('authorised') }), spec('node-1'));
    await gate.reached;
    expect(order).toEqual(['authorised']);
    expect(control.inventory().machines).toEqual([]);
    await cloud.ensureMachine(call(), spec('node-2'));
    gate.release();
    await late;
    expect(control.effects('ensureMachine').map((effect) => effect.subject)).toEqual(['node-2', 'node-1']);
  });

  it('stop a call whose work is done before its caller hears of it', async () => {
    const { cloud, control, spec } = await withNetwork();
    const gate = control.gate('ensureMachine', { at: 'answer' });
    const stop = new AbortController();
    const deaf = cloud.ensureMachine(call({ signal: stop.signal }), spec('node-1')).catch((error: unknown) => error);
    await gate.reached;
    expect(control.inventory().machines).toEqual(['node-1']);
    stop.abort(new Error('killed'));
    expect(await deaf).toMatchObject({ kind: 'unknown-outcome', cause: { message: 'killed' } });
    gate.release();
  });
});

describe('faults', () => {
  it('hit the n-th call of a method in a step, as often as told', async () => {
    const { cloud, control } = await withNetwork();
    control.fault({ method: 'listZones', step: 'check', nth: 2, times: 2, action: { refuse: 'transient', code: 503 } });
    const outcomes: string[] = [];
    for (const step of ['check', 'other', 'check', 'check', 'check']) {
      const asked = cloud.listZones(call({ operation: `job-1/7/${step}` }));
      outcomes.push(
        await asked.then(
          () => 'ok',
          (error: { code: number }) => String(error.code),
        ),
      );
    }
    expect(outcomes).toEqual(['ok', 'ok', '503', '503', 'ok']);
  });

  it('can be taken away again', async () => {
    const { cloud, control } = await withNetwork();
    const remove = control.fault({ method: 'listZones', times: 9, action: { refuse: 'denied' } });
    await expect(cloud.listZones(call())).rejects.toMatchObject({ kind: 'denied' });
    remove();
    expect(await cloud.listZones(call())).toHaveLength(1);
  });
});

describe('the ledger', () => {
  it('names who changed what, and tells acts from outside', async () => {
    const { cloud, control, spec } = await withNetwork();
    const { id } = await cloud.ensureMachine(call(), spec('node-1'));
    await cloud.ensureMachine(call(), spec('node-1'));
    await cloud.startMachine(call({ operation: 'job-2/8/start-node' }), id);
    control.stopMachine('node-1');
    expect(control.effects().map(({ method, subject, operation }) => [method, subject, operation])).toEqual([
      ['ensureNetwork', 'net', 'job-1/7/build-node'],
      ['ensureMachine', 'node-1', 'job-1/7/build-node'],
      ['startMachine', 'node-1', 'job-2/8/start-node'],
      ['stopMachine', 'node-1', 'outside'],
    ]);
    expect(control.calls('ensureMachine')).toHaveLength(2);
    expect(await cloud.getMachine(call(), id)).toMatchObject({ state: 'stopped' });
  });
});

describe('time', () => {
  it('passes only by being slept through: latency and starts cost none of ours', async () => {
    const clock = createInstantClock();
    const { cloud, spec } = await withNetwork({ clock, latencyMs: 1_000, startMs: 60_000 });
    const before = clock.now();
    const { id } = await cloud.ensureMachine(call(), spec('node-1'));
    await cloud.startMachine(call(), id);
    expect(clock.now() - before).toBe(62_000);
  });
});

describe('limits', () => {
  it('of the account are told beforehand, and refuse as quota', async () => {
    const { cloud, spec } = await withNetwork({ limits: { machines: 1, cpus: 2 } });
    expect(await cloud.headroom(call())).toMatchObject({ machines: 1, cpus: 2, memoryMb: null });
    await cloud.ensureMachine(call(), spec('node-1'));
    expect(await cloud.headroom(call())).toMatchObject({ machines: 0, cpus: 0 });
    await expect(cloud.ensureMachine(call(), spec('node-2'))).rejects.toMatchObject({ kind: 'quota', code: 535 });
  });

  it('of templates hold until the account is permitted', async () => {
    const { cloud, spec } = await withNetwork();
    const wanted = { ...spec('node-1'), templateId: memoryIds.privateTemplate };
    await expect(cloud.ensureMachine(call(), wanted)).rejects.toMatchObject({ kind: 'refused', code: 531 });
    await cloud.ensureTemplatePermission(call(), memoryIds.privateTemplate);
    await cloud.ensureMachine(call(), wanted);
  });
});

describe('two networks of one name', () => {
  it('can be made by two callers at once, and both take the older', async () => {
    const { cloud, control } = await withNetwork();
    const spec = { name: 'twin', zoneId: memoryIds.zone, offeringId: memoryIds.isolatedOffering, tags: {} };
    const gate = control.gate('ensureNetwork', { subject: 'twin' });
    const both = [cloud.ensureNetwork(call(), spec), cloud.ensureNetwork(call(), spec)];
    await gate.reached;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    gate.release();
    const [one, other] = await Promise.all(both);
    expect(one?.id).toBe(other?.id);
    expect(control.inventory().networks).toEqual(['net', 'twin', 'twin']);
  });
});
