import { describe, expect, it } from 'vitest';
import { type ContractSubject, call, freshName } from './subject';

export function networkContract(subject: () => ContractSubject): void {
  describe('networks', () => {
    const named = (name: string) => ({
      name,
      zoneId: subject().offered.zoneId,
      offeringId: subject().offered.networkOfferingId,
      tags: { holdfast: 'contract' },
    });

    it('are made once, with one address and one rule for a port, and go with everything in them', async () => {
      const { cloud } = subject();
      const spec = named(freshName('network'));
      const network = await cloud.ensureNetwork(call(), spec);
      expect((await cloud.ensureNetwork(call(), spec)).id).toBe(network.id);
      expect(await cloud.listNetworks(call(), { name: spec.name })).toHaveLength(1);
      expect(await cloud.listNetworks(call(), { id: network.id })).toMatchObject([
        { id: network.id, zoneId: spec.zoneId },
      ]);

      const wanted = { networkId: network.id, knownId: null, tags: { holdfast: 'contract' } };
      const address = await cloud.ensureAddress(call(), wanted);
      expect((await cloud.ensureAddress(call(), wanted)).id).toBe(address.id);
      expect((await cloud.ensureAddress(call(), { ...wanted, knownId: address.id })).id).toBe(address.id);
      expect(address).toMatchObject({ isSourceNat: true, ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/) });

      const port = { addressId: address.id, port: 6443 };
      for (const cidrs of [['0.0.0.0/0'], ['0.0.0.0/0'], ['10.0.0.0/8']])
        await cloud.ensureFirewallRule(call(), { ...port, cidrs });
      await cloud.ensureEgress(call(), { networkId: network.id });
      await cloud.ensureEgress(call(), { networkId: network.id });

      const rule = {
        name: `${spec.name}-api`,
        addressId: address.id,
        networkId: network.id,
        publicPort: 6443,
        privatePort: 6443,
      };
      const made = await cloud.ensureLoadBalancerRule(call(), rule);
      expect(await cloud.ensureLoadBalancerRule(call(), rule)).toEqual(made);
      expect(made).toMatchObject({ publicPort: 6443, privatePort: 6443 });

      await cloud.deleteRules(call(), port);
      await cloud.deleteRules(call(), port);
      await cloud.releaseAddress(call(), address.id);
      await cloud.deleteNetwork(call(), network.id);
      await cloud.deleteNetwork(call(), network.id);
      expect(await cloud.listNetworks(call(), { id: network.id })).toEqual([]);
      await cloud.deleteRules(call(), port);
      await cloud.releaseAddress(call(), address.id);
    });

    it('put machines behind a rule and take them away, twice without harm', async () => {
      const { cloud, offered } = subject();
      const network = await cloud.ensureNetwork(call(), named(freshName('network')));
      const address = await cloud.ensureAddress(call(), { networkId: network.id, knownId: null, tags: {} });
      const rule = await cloud.ensureLoadBalancerRule(call(), {
        name: freshName('rule'),
        addressId: address.id,
        networkId: network.id,
        publicPort: 6443,
        privatePort: 6443,
      });
      const machine = await cloud.ensureMachine(call(), {
        ...offered,
        name: freshName('machine'),
        networkId: network.id,
        rootDiskGb: 10,
        sshKeyPair: null,
        userData: '#cloud-config\nruncmd: []\n',
        tags: {},
      });
      const pair = { ruleId: rule.id, machineId: machine.id };
      await cloud.ensureAssigned(call(), pair);
      await cloud.ensureAssigned(call(), pair);
      await cloud.ensureUnassigned(call(), pair);
      await cloud.ensureUnassigned(call(), pair);
      await cloud.destroyMachine(call(), machine.id);
      await cloud.ensureUnassigned(call(), pair);
      await cloud.deleteNetwork(call(), network.id);
    });

    it('that never were are none to delete', async () => {
      const { cloud } = subject();
      const nobody = '00000000-dead-4000-8000-000000000000';
      await cloud.deleteNetwork(call(), nobody);
      await cloud.releaseAddress(call(), nobody);
      await cloud.ensureUnassigned(call(), { ruleId: nobody, machineId: nobody });
      await expect(cloud.ensureEgress(call(), { networkId: nobody })).rejects.toMatchObject({ kind: 'not-found' });
    });
  });
}
