/** Public addresses. */

import type { JsonObject } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { Address } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import type { Call, Command } from './command';
import { releaseAddress } from './commands-networks';
import { ApiError, invalid } from './errors';
import { checkQuota } from './limits';
import { hasAskedTags, isAsked, isVisible, listAnswer, mayUse } from './paging';
import { type Args, flag, idOf, listParameters, text } from './parameters';
import { dateText, ownershipView, tagView } from './views';

const fields = [
  'id',
  'ipaddress',
  'allocated',
  'zoneid',
  'issourcenat',
  'isstaticnat',
  'issystem',
  'associatednetworkid',
  'associatednetworkname',
  'networkid',
  'state',
  'tags',
];

function addressView(world: World, address: Address): JsonObject {
  const network = address.networkId === null ? undefined : world.records.get('network', address.networkId);
  return {
    id: address.id,
    ipaddress: address.ip,
    ...(address.allocatedAt === null ? {} : { allocated: dateText(address.allocatedAt) }),
    zoneid: address.zoneId,
    zonename: world.records.get('zone', address.zoneId)?.name ?? '',
    issourcenat: address.sourceNat,
    isstaticnat: false,
    issystem: false,
    isportable: false,
    forvirtualnetwork: true,
    ...(network === undefined ? {} : { associatednetworkid: network.id, associatednetworkname: network.name }),
    networkid: `${address.zoneId}`,
    state: address.state,
    ...(address.account === null ? {} : ownershipView(address.account)),
    tags: world.tagsOf(address.id).map(tagView),
  };
}

function isListed(call: Call, args: Args, address: Address): boolean {
  const sourceNat = args.flag('issourcenat');
  const state = args.text('state');
  if (address.state === 'Free') {
    if ((args.flag('allocatedonly') ?? true) && state?.toLowerCase() !== 'free') return false;
  } else if (!isVisible(call, args, address.account ?? '')) return false;
  return (
    (state === undefined || state.toLowerCase() === address.state.toLowerCase()) &&
    (sourceNat === undefined || sourceNat === address.sourceNat) &&
    isAsked(args, 'id', address.id) &&
    isAsked(args, 'ipaddress', address.ip) &&
    isAsked(args, 'associatednetworkid', address.networkId) &&
    isAsked(args, 'zoneid', address.zoneId) &&
    hasAskedTags(call, args, address.id)
  );
}

const listPublicIpAddresses: Command = {
  name: 'listPublicIpAddresses',
  description: 'Lists all public ip addresses',
  kind: 'sync',
  parameters: {
    ...listParameters,
    id: idOf('address'),
    ipaddress: text(),
    associatednetworkid: idOf('network'),
    networkid: idOf(),
    allocatedonly: flag(),
    state: text(),
    issourcenat: flag(),
    isstaticnat: flag(),
    forvirtualnetwork: flag(),
    zoneid: idOf('zone'),
    vpcid: idOf(),
  },
  fields,
  run: (call, args) => {
    const found = call.world.records.all('address').filter((address) => isListed(call, args, address));
    return listAnswer(args, 'publicipaddress', found, (address) => addressView(call.world, address));
  },
};

/** Where the address shall go; a network decides the zone. */
function targetOf(call: Call, args: Args) {
  const { records } = call.world;
  const networkId = args.text('networkid');
  const network = networkId === undefined ? undefined : records.get('network', networkId);
  if (networkId !== undefined && network === undefined) throw invalid(`Unable to find network by id ${networkId}`);
  if (network !== undefined && !mayUse(call, network.account)) throw new ApiError(531, 4365, 'Permission denied');
  if (network?.state === 'Setup') throw invalid('Addresses of a shared network can not be acquired this way');
  const zoneId = network?.zoneId ?? args.text('zoneid');
  if (zoneId === undefined) throw invalid('Unable to figure out zone to assign ip to');
  return { network, zoneId };
}

const associateIpAddress: Command = {
  name: 'associateIpAddress',
  description: 'Acquires and associates a public IP to an account.',
  kind: 'create',
  parameters: {
    networkid: idOf('network'),
    vpcid: idOf(),
    zoneid: idOf('zone'),
    ipaddress: text(),
    account: text(),
    domainid: idOf(),
    projectid: idOf(),
    isportable: flag(),
  },
  fields,
  run: (call, args) => {
    const { world, caller } = call;
    const { network, zoneId } = targetOf(call, args);
    checkQuota(world, caller.account, { '1': 1 });
    const wanted = args.text('ipaddress');
    const free = world.records.find(
      'address',
      (address) =>
        address.zoneId === zoneId && address.state === 'Free' && (wanted === undefined || address.ip === wanted),
    );
    if (free === undefined) throw new ApiError(533, 4325, 'Insufficient address capacity');
    const sourceNat =
      network !== undefined &&
      world.records.find('address', (address) => address.networkId === network.id && address.sourceNat) === undefined;
    Object.assign(free, {
      state: 'Allocated',
      networkId: network?.id ?? null,
      account: caller.account,
      sourceNat,
      allocatedAt: world.clock.now(),
    });
    world.records.save('address', free);
    world.effect('address allocated', call.origin, {
      id: free.id,
      ip: free.ip,
      network: network?.id ?? null,
      sourceNat,
    });
    return {
      kind: 'job',
      id: free.id,
      instanceType: 'IpAddress',
      instanceId: free.id,
      work: async (run) => {
        await run.sleep(world.random.jitter(latencyMs.rule));
        return { ipaddress: addressView(world, free) };
      },
    };
  },
};

const disassociateIpAddress: Command = {
  name: 'disassociateIpAddress',
  description: 'Disassociates an IP address from the account.',
  kind: 'async',
  parameters: { id: idOf('address'), ipaddress: text() },
  fields: ['success', 'displaytext'],
  run: (call, args) => {
    const { world } = call;
    const address = world.records.find(
      'address',
      (candidate) =>
        candidate.id === args.text('id') || (args.text('id') === undefined && candidate.ip === args.text('ipaddress')),
    );
    if (address === undefined) throw invalid('Unable to find ip address by id');
    if (address.account !== null && !mayUse(call, address.account)) throw new ApiError(531, 4365, 'Permission denied');
    const network = address.networkId === null ? undefined : world.records.get('network', address.networkId);
    if (address.sourceNat && network?.state === 'Implemented')
      throw invalid('ip address is used for source nat purposes and can not be disassociated.');
    return {
      kind: 'job',
      instanceType: 'IpAddress',
      instanceId: address.id,
      work: async (run) => {
        await run.sleep(world.random.jitter(latencyMs.rule));
        const released = address.state === 'Allocated';
        releaseAddress(world, address.id);
        if (released) world.effect('address released', run.origin, { id: address.id, ip: address.ip });
        return { success: true };
      },
    };
  },
};

export const addressCommands: readonly Command[] = [listPublicIpAddresses, associateIpAddress, disassociateIpAddress];
