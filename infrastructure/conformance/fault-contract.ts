import { afterEach, describe, expect, it } from 'vitest';
import { CloudError, type MachineSpec } from '@/infrastructure/cloud';
import { type ContractFaults, type ContractSubject, call, freshName } from './subject';

/** The cases that need a cloud which fails on demand. */
export function faultContract(
  subject: () => ContractSubject,
  spec: (changes?: Partial<MachineSpec>) => MachineSpec,
): void {
  describe('faults', () => {
    const withFaults = (title: string, body: (faults: ContractFaults) => Promise<void>) =>
      it(title, async (context) => {
        const { faults } = subject();
        if (faults === null) context.skip('this cloud cannot be made to fail');
        else await body(faults);
      });
    afterEach(() => subject().faults?.clear());

    withFaults('a lost answer of a create leads to one machine, not two', async (faults) => {
      const { cloud } = subject();
      const wanted = spec();
      await faults.loseAnswer('ensureMachine');
      const first = await cloud.ensureMachine(call(), wanted).catch((error: unknown) => error);
      if (first instanceof Error) expect(first).toMatchObject({ name: 'CloudError', kind: 'unknown-outcome' });
      const made = await cloud.ensureMachine(call(), wanted);
      const named = (await cloud.listMachines(call(), { networkId: wanted.networkId })).filter(
        (each) => each.name === wanted.name,
      );
      expect(named.map((each) => each.id)).toEqual([made.id]);
      expect(made.tags).toMatchObject(wanted.tags);
    });

    withFaults('a lost answer of a network create leads to one network', async (faults) => {
      const { cloud, offered } = subject();
      const wanted = {
        name: freshName('network'),
        zoneId: offered.zoneId,
        offeringId: offered.networkOfferingId,
        tags: {},
      };
      await faults.loseAnswer('ensureNetwork');
      await cloud
        .ensureNetwork(call(), wanted)
        .catch((error: unknown) => expect(error).toMatchObject({ kind: 'unknown-outcome' }));
      const made = await cloud.ensureNetwork(call(), wanted);
      expect((await cloud.listNetworks(call(), { name: wanted.name })).map((each) => each.id)).toEqual([made.id]);
      await cloud.deleteNetwork(call(), made.id);
    });

    withFaults('a lost answer of a start is settled, or told as open', async (faults) => {
      const { cloud } = subject();
      const { id } = await cloud.ensureMachine(call(), spec());
      await faults.loseAnswer('startMachine');
      await cloud
        .startMachine(call(), id)
        .catch((error: unknown) => expect(error).toMatchObject({ kind: 'unknown-outcome' }));
      await cloud.startMachine(call(), id);
      expect(await cloud.getMachine(call(), id)).toMatchObject({ state: 'running' });
    });

    const codes = [
      [401, 'denied'],
      [429, 'transient'],
      [503, 'transient'],
      [530, 'transient'],
      [534, 'transient'],
      [535, 'quota'],
      [537, 'refused'],
    ] as const;
    for (const [code, kind] of codes) {
      withFaults(`code ${code} is ${kind}`, async (faults) => {
        await faults.refuse('ensureMachine', code);
        const wanted = spec();
        const error = await subject()
          .cloud.ensureMachine(call(), wanted)
          .catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(CloudError);
        expect(error).toMatchObject({ kind, code });
        expect(await subject().cloud.findMachine(call(), wanted)).toBeNull();
      });
    }

    withFaults(
      'no room, told by the job of a start, is capacity, and the machine can be started later',
      async (faults) => {
        const { cloud } = subject();
        const { id } = await cloud.ensureMachine(call(), spec());
        await faults.failJob('startMachine', 533);
        await expect(cloud.startMachine(call(), id)).rejects.toMatchObject({ kind: 'capacity', code: 533 });
        expect(await cloud.getMachine(call(), id)).toMatchObject({ state: 'stopped' });
        await cloud.startMachine(call(), id);
        expect(await cloud.getMachine(call(), id)).toMatchObject({ state: 'running' });
      },
    );

    for (const method of ['listZones', 'ensureMachine'] as const) {
      withFaults(`a ${method} that hangs ends when the caller says so`, async (faults) => {
        const { cloud } = subject();
        await faults.hang(method);
        const stop = new AbortController();
        const hanging = call({ signal: stop.signal });
        const waiting = (
          method === 'listZones' ? cloud.listZones(hanging) : cloud.ensureMachine(hanging, spec())
        ).catch((error: unknown) => error);
        setTimeout(() => stop.abort(new Error('enough')), 50);
        const began = performance.now();
        expect(await waiting).toMatchObject({ name: 'CloudError', cause: { message: 'enough' } });
        expect(performance.now() - began).toBeLessThan(1_000);
      });
    }
  });
}
