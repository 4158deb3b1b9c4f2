/** Networks. */
import { randomUUID } from 'node:crypto';
import { latencyMs } from '@/simulator/core/latency';
import type { Network } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import { answer, type Command } from './command';
import { ApiError, errorOfCode, invalid } from './errors';
import { checkQuota } from './limits';
import { hasAskedTags, hasKeyword, isAsked, isVisible, listAnswer, mayUse } from './paging';
import { flag, idOf, listParameters, required, text } from './parameters';
import { networkView } from './views';

const fields = [
  'id',
  'name',
  'displaytext',
  'state',
  'type',
  'gateway',
  'netmask',
  'cidr',
  'zoneid',
  'networkofferingid',
  'networkofferingname',
  'traffictype',
  'canusefordeploy',
  'account',
  'egressdefaultpolicy',
  'service',
  'tags',
];

const listNetworks: Command = {
  name: 'listNetworks',
  description: 'Lists all available networks.',
  kind: 'sync',
  parameters: {
    ...listParameters,
    id: idOf('network'),
    name: text(),
    zoneid: idOf('zone'),
    type: text(),
    canusefordeploy: flag(),
    vpcid: idOf(),
    networkfilter: text(),
    networkofferingid: idOf('networkOffering'),
  },
  fields,
  run: (call, args) => {
    const found = call.world.records.all('network').filter((network) => {
      const offering = call.world.records.get('networkOffering', network.offeringId);
      const type = args.text('type')?.toLowerCase();
      return (
        (isVisible(call, args, network.account) || network.state === 'Setup') &&
        isAsked(args, 'id', network.id) &&
        isAsked(args, 'name', network.name) &&
        isAsked(args, 'zoneid', network.zoneId) &&
        isAsked(args, 'networkofferingid', network.offeringId) &&
        isAsked(args, 'vpcid', null) &&
        (type === undefined || type === offering?.guestType.toLowerCase()) &&
        hasKeyword(args, network.name) &&
        hasAskedTags(call, args, network.id)
      );
    });
    found.sort((a, b) => a.created - b.created);
    return listAnswer(args, 'network', found, (network) => networkView(call.world, network));
  },
};

const createNetwork: Command = {
  name: 'createNetwork',
  description: 'Creates a network',
  kind: 'sync',
  parameters: {
    name: required(text()),
    networkofferingid: required(idOf('networkOffering')),
    zoneid: required(idOf('zone')),
    displaytext: text(),
    gateway: text(),
    netmask: text(),
    vpcid: idOf(),
    aclid: idOf(),
    account: text(),
    domainid: idOf(),
    projectid: idOf(),
  },
  fields,
  run: (call, args) => {
    const { world, caller } = call;
    const offering = world.records.get('networkOffering', args.must('networkofferingid'));
    const zone = world.records.get('zone', args.must('zoneid'));
    if (offering === undefined || zone === undefined) throw invalid('Unable to find network offering or zone');
    if (!zone.enabled)
      throw new ApiError(531, 4365, `Cannot perform this operation, Zone is currently disabled: ${zone.name}`);
    if (offering.forVpc) throw invalid('This network offering can be used for VPC tiers only');
    if (offering.guestType === 'Shared' && !caller.isRoot)
      throw new ApiError(531, 4365, 'Only root admins may create shared networks');
    checkQuota(world, caller.account, { '6': 1 });
    const gateway = args.text('gateway') ?? '10.1.1.1';
    if (!/^\d+\.\d+\.\d+\.\d+$/.test(gateway)) throw invalid('Invalid gateway');
    const network: Network = {
      id: randomUUID(),
      name: args.must('name'),
      displayText: args.text('displaytext') ?? args.must('name'),
      zoneId: zone.id,
      offeringId: offering.id,
      account: caller.account,
      state: offering.guestType === 'Shared' ? 'Setup' : 'Allocated',
      cidr: gateway.replace(/\.\d+$/, '.0/24'),
      created: world.clock.now(),
    };
    world.records.save('network', network);
    world.effect('network created', call.origin, { id: network.id, name: network.name });
    return answer({ network: networkView(world, network) });
  },
};

/** Frees an address; its rules and tags go with it. */
export function releaseAddress(world: World, id: string): void {
  const address = world.records.get('address', id);
  if (address === undefined) return;
  for (const rule of world.records.all('firewall')) if (rule.addressId === id) removeRecord(world, 'firewall', rule.id);
  for (const rule of world.records.all('balancer')) if (rule.addressId === id) removeRecord(world, 'balancer', rule.id);
  for (const rule of world.records.all('forwarding'))
    if (rule.addressId === id) removeRecord(world, 'forwarding', rule.id);
  for (const tag of world.tagsOf(id)) world.records.remove('tag', tag.id);
  Object.assign(address, { state: 'Free', networkId: null, account: null, sourceNat: false, allocatedAt: null });
  world.records.save('address', address);
  world.changed();
}

/** Takes a record away for good; its id still resolves afterwards. */
export function removeRecord(
  world: World,
  kind: 'firewall' | 'balancer' | 'forwarding' | 'network' | 'affinityGroup',
  id: string,
): void {
  for (const tag of world.tagsOf(id)) world.records.remove('tag', tag.id);
  world.records.remove(kind, id);
  world.records.save('removed', { id, kind });
  world.changed();
}

const deleteNetwork: Command = {
  name: 'deleteNetwork',
  description: 'Deletes a network',
  kind: 'async',
  parameters: { id: required(idOf('network')), forced: flag() },
  fields: ['success', 'displaytext'],
  run: (call, args) => {
    const { world } = call;
    const network = world.records.get('network', args.must('id'));
    if (network === undefined) throw invalid(`Unable to find network by id ${args.must('id')}`);
    if (!mayUse(call, network.account)) throw new ApiError(531, 4365, 'Permission denied');
    return {
      kind: 'job',
      instanceType: 'Network',
      instanceId: network.id,
      work: async (run) => {
        if (world.records.find('machine', (machine) => machine.networkId === network.id) !== undefined) {
          throw errorOfCode(530, 'Failed to delete network: there are virtual machines in it that were not expunged');
        }
        await run.sleep(world.random.jitter(latencyMs.rule));
        for (const address of world.records.all('address'))
          if (address.networkId === network.id) releaseAddress(world, address.id);
        for (const rule of world.records.all('firewall'))
          if (rule.networkId === network.id) removeRecord(world, 'firewall', rule.id);
        removeRecord(world, 'network', network.id);
        world.effect('network deleted', run.origin, { id: network.id, name: network.name });
        return { success: true };
      },
    };
  },
};

export const networkCommands: readonly Command[] = [listNetworks, createNetwork, deleteNetwork];
