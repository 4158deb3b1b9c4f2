import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '@/domain/cloud-catalogue';
import type { Machine, MachineSpec } from '@/infrastructure/cloud';
import { faultContract } from './fault-contract';
import { networkContract } from './network-contract';
import { type ContractSubject, call, freshName, type OpenSubject } from './subject';

/** Holds a driver of `Cloud` to its contract. */
export function cloudContract(name: string, open: OpenSubject): void {
  describe(`the cloud contract: ${name}`, () => {
    let subject: ContractSubject;
    let network: Network;
    const get = () => subject;
    const spec = (changes: Partial<MachineSpec> = {}): MachineSpec => ({
      name: freshName('machine'),
      zoneId: subject.offered.zoneId,
      networkId: network.id,
      offeringId: subject.offered.offeringId,
      templateId: subject.offered.templateId,
      rootDiskGb: 10,
      sshKeyPair: null,
      userData: '#cloud-config\nruncmd: []\n',
      tags: { holdfast: 'contract', 'holdfast-node': 'worker-1' },
      ...changes,
    });

    beforeAll(async () => {
      subject = await open();
      const { zoneId, networkOfferingId: offeringId } = subject.offered;
      network = await subject.cloud.ensureNetwork(call(), { name: freshName('network'), zoneId, offeringId, tags: {} });
    });

    afterAll(async () => {
      if (subject === undefined) return;
      for (const machine of await subject.cloud.listMachines(call(), { networkId: network.id })) {
        await subject.cloud.destroyMachine(call(), machine.id);
      }
      await subject.cloud.deleteNetwork(call(), network.id);
      await subject.stop();
    });

    it('lists what clusters are made of', async () => {
      const { cloud, offered } = subject;
      const [zones, offerings, templates, isos, networkOfferings] = await Promise.all([
        cloud.listZones(call()),
        cloud.listOfferings(call()),
        cloud.listTemplates(call()),
        cloud.listIsos(call()),
        cloud.listNetworkOfferings(call()),
      ]);
      expect(zones.find((each) => each.id === offered.zoneId)?.enabled).toBe(true);
      expect(offerings.find((each) => each.id === offered.offeringId)?.cpuCount).toBeGreaterThan(1);
      expect(templates.find((each) => each.id === offered.templateId)).toMatchObject({ ready: true });
      expect(isos.find((each) => each.id === offered.isoId)).toMatchObject({ ready: true });
      expect(networkOfferings.find((each) => each.id === offered.networkOfferingId)).toMatchObject({
        guestType: 'Isolated',
      });
      expect(await cloud.listSshKeyPairs(call())).toEqual(expect.any(Array));
      expect(await cloud.headroom(call())).toHaveProperty('machines');
    });

    it('makes one machine of a name, stopped and tagged, however often it is asked', async () => {
      const { cloud } = subject;
      const wanted = spec();
      const made = await cloud.ensureMachine(call(), wanted);
      const again = await cloud.ensureMachine(call(), wanted);
      expect(again.id).toBe(made.id);
      expect(again).toMatchObject({ name: wanted.name, state: 'stopped', networkId: network.id, tags: wanted.tags });
      expect(again.ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      const named = (await cloud.listMachines(call(), { namePrefix: wanted.name })).filter(
        (each) => each.name === wanted.name,
      );
      expect(named).toHaveLength(1);
    });

    it('makes one machine of two requests at the same time', async () => {
      const { cloud } = subject;
      const wanted = spec();
      const [one, other] = await Promise.all([
        cloud.ensureMachine(call(), wanted),
        cloud.ensureMachine(call(), wanted),
      ]);
      expect(one.id).toBe(other.id);
    });

    it('finds machines by id, name, tag, network and prefix', async () => {
      const { cloud } = subject;
      const tag = { key: 'holdfast-cluster', value: freshName('cluster') };
      const made = await cloud.ensureMachine(call(), spec({ tags: { [tag.key]: tag.value } }));
      expect(await cloud.getMachine(call(), made.id)).toMatchObject({ id: made.id, isoId: null });
      expect(
        await cloud.findMachine(call(), made.networkId === null ? spec() : { name: made.name, networkId: network.id }),
      ).toMatchObject({ id: made.id });
      const ids = (machines: readonly Machine[]) => machines.map((machine) => machine.id);
      expect(ids(await cloud.listMachines(call(), { tag }))).toEqual([made.id]);
      expect(ids(await cloud.listMachines(call(), { networkId: network.id }))).toContain(made.id);
      expect(ids(await cloud.listMachines(call(), { namePrefix: made.name.slice(0, -1) }))).toContain(made.id);
      expect(await cloud.findMachine(call(), { name: freshName('nobody'), networkId: network.id })).toBeNull();
      expect(await cloud.listMachines(call(), { tag: { key: 'holdfast-cluster', value: 'nobody' } })).toEqual([]);
    });

    it('answers null for an id that never was, and refuses to change it', async () => {
      const { cloud } = subject;
      const nobody = '00000000-dead-4000-8000-000000000000';
      expect(await cloud.getMachine(call(), nobody)).toBeNull();
      await expect(cloud.startMachine(call(), nobody)).rejects.toMatchObject({ name: 'CloudError', kind: 'not-found' });
      await cloud.destroyMachine(call(), nobody);
    });

    it('starts, stops, loads and empties the drive twice without harm', async () => {
      const { cloud, offered } = subject;
      const { id: machineId } = await cloud.ensureMachine(call(), spec());
      const twice = async (act: () => Promise<void>) => {
        await act();
        await act();
        return cloud.getMachine(call(), machineId);
      };
      expect(await twice(() => cloud.ensureIso(call(), { machineId, isoId: offered.isoId }))).toMatchObject({
        isoId: offered.isoId,
      });
      expect(await twice(() => cloud.startMachine(call(), machineId))).toMatchObject({ state: 'running' });
      expect(await twice(() => cloud.ensureNoIso(call(), machineId))).toMatchObject({ isoId: null });
      expect(await twice(() => cloud.stopMachine(call(), machineId))).toMatchObject({ state: 'stopped' });
      const offeringId = offered.largerOfferingId;
      expect(await twice(() => cloud.changeOffering(call(), { machineId, offeringId }))).toMatchObject({ offeringId });
      expect(
        await twice(() => cloud.setUserData(call(), { machineId, userData: '#cloud-config\nruncmd: [[sync]]\n' })),
      ).not.toBeNull();
      await cloud.restoreMachine(call(), machineId);
      expect(await cloud.getMachine(call(), machineId)).toMatchObject({ id: machineId });
    });

    it('destroys twice without harm, and the name is free again', async () => {
      const { cloud } = subject;
      const wanted = spec();
      const { id } = await cloud.ensureMachine(call(), wanted);
      await cloud.destroyMachine(call(), id);
      await cloud.destroyMachine(call(), id);
      expect(await cloud.getMachine(call(), id)).toBeNull();
      await cloud.ensureNoIso(call(), id);
      expect((await cloud.ensureMachine(call(), wanted)).id).not.toBe(id);
    });

    it('refuses user data over the limit, with both numbers, and makes nothing', async () => {
      const { cloud } = subject;
      const wanted = spec({ userData: `#cloud-config\n# ${'x'.repeat(30_000)}\n` });
      await expect(cloud.ensureMachine(call(), wanted)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/\d{5}.*\d{5}/),
      });
      expect(await cloud.findMachine(call(), wanted)).toBeNull();
    });

    it('sends nothing once authority is refused, and says so in the words of the refusal', async () => {
      const { cloud } = subject;
      const lost = new Error('the cluster is held by another operation');
      const wanted = spec();
      const refusing = call({ authorize: () => Promise.reject(lost) });
      await expect(cloud.ensureMachine(refusing, wanted)).rejects.toBe(lost);
      expect(await cloud.findMachine(call(), wanted)).toBeNull();
    });

    it('asks for authority before each change', async () => {
      const { cloud } = subject;
      let asked = 0;
      const authorize = async () => {
        asked += 1;
      };
      const counting = call({ authorize });
      const { id } = await cloud.ensureMachine(counting, spec());
      const afterCreate = asked;
      await cloud.startMachine(counting, id);
      expect(afterCreate).toBeGreaterThan(0);
      expect(asked).toBeGreaterThan(afterCreate);
    });

    it('refuses to delete a network while a machine is in it', async () => {
      const { cloud } = subject;
      await cloud.ensureMachine(call(), spec());
      await expect(cloud.deleteNetwork(call(), network.id)).rejects.toMatchObject({ kind: 'refused' });
    });

    networkContract(get);
    faultContract(get, spec);
  });
}
