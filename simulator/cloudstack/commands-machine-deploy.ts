/** deployVirtualMachine: everything is checked and the row is made in the request; the job only starts the machine. */

import { randomUUID } from 'node:crypto';
import type { Network } from '@/simulator/core/model';
import { setState, startMachine } from '@/simulator/machine/power';
import type { World } from '@/simulator/world';
import type { Call, Command, Outcome } from './command';
import { ApiError, invalid } from './errors';
import { checkMachineQuota } from './limits';
import { checkUserData, findOffering } from './machine-checks';
import { newMachine } from './new-machine';
import { mayUse } from './paging';
import { type Args, flag, idOf, integer, listOf, map, required, text } from './parameters';
import { machineView } from './views';

const hostName = /^[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

function checkName(world: World, name: string, network: Network): void {
  if (!hostName.test(name)) {
    throw invalid(
      `Invalid name. Vm name can only contain ASCII letters 'a' through 'z', digits and hyphens, must be 63 characters or less and not begin with a digit or hyphen: ${name}`,
    );
  }
  const taken = world.records.find(
    'machine',
    (other) => other.networkId === network.id && other.name.toLowerCase() === name.toLowerCase(),
  );
  if (taken !== undefined)
    throw invalid(`The vm with hostName ${name} already exists in the network domain: ${network.name}`);
}

function findNetwork(call: Call, args: Args, zoneId: string): { network: Network; ip: string | null } {
  const mapped = args.maps('iptonetworklist')[0];
  const id = mapped?.['networkid'] ?? args.list('networkids')?.[0];
  if (id === undefined) throw invalid('Unable to deploy: no network was given and the account has no default one');
  const network = call.world.records.get('network', id);
  if (network === undefined) throw invalid(`Unable to find network by id ${id}`);
  if (network.zoneId !== zoneId) throw invalid(`Network id=${id} doesn't belong to zone ${zoneId}`);
  if (network.state !== 'Setup' && !mayUse(call, network.account))
    throw new ApiError(531, 4365, `Unable to use network with id=${id}, permission denied`);
  return { network, ip: mapped?.['ip'] ?? null };
}

function checkTemplate(call: Call, args: Args, zoneId: string): string {
  const id = args.text('templateid');
  const template = id === undefined ? undefined : call.world.records.get('template', id);
  if (template === undefined) throw invalid(`Unable to use template ${id ?? ''}`);
  if (template.zoneId !== zoneId) throw invalid(`Template ${template.name} is not available in the zone`);
  if (!template.ready) throw invalid(`Template ${template.id} has not been completely downloaded to zone`);
  const account = call.caller.account;
  const allowed = template.isPublic || template.account === account || template.permittedAccounts.includes(account);
  if (!allowed)
    throw new ApiError(531, 4365, `Account ${account} does not have permission to launch template ${template.name}`);
  return template.id;
}

function checkCustomId(call: Call, args: Args): string {
  const customId = args.text('customid');
  if (customId === undefined) return randomUUID();
  if (!call.caller.isRoot) throw new ApiError(531, 4365, 'Only root admins may set a custom id');
  if (call.world.records.get('machine', customId) !== undefined)
    throw invalid(`A virtual machine with uuid ${customId} already exists`);
  // The row of an expunged machine keeps its id for ever.
  if (call.world.records.get('removed', customId) !== undefined)
    throw new ApiError(530, 4250, 'Unable to persist on DB, due to: Duplicate entry for key uuid');
  return customId;
}

function deploy(call: Call, args: Args): Outcome {
  const { world } = call;
  const zone = world.records.get('zone', args.must('zoneid'));
  if (zone === undefined) throw invalid('Unable to find the zone');
  if (!zone.enabled && !call.caller.isRoot)
    throw new ApiError(531, 4365, `Cannot perform this operation, Zone is currently disabled: ${zone.name}`);
  if (!zone.enabled) throw invalid(`Cannot perform this operation, Zone is currently disabled: ${zone.name}`);
  const offering = findOffering(call, args);
  const templateId = checkTemplate(call, args, zone.id);
  const { network, ip } = findNetwork(call, args, zone.id);
  const name = args.text('name');
  if (name !== undefined) checkName(world, name, network);
  const keyPair = args.text('keypair');
  if (keyPair !== undefined && world.records.find('keyPair', (pair) => pair.name === keyPair) === undefined) {
    throw invalid(`A key pair with name '${keyPair}' was not found.`);
  }
  checkUserData(world, args.text('userdata'));
  const id = checkCustomId(call, args);
  checkMachineQuota(call, offering);
  const machine = newMachine(call, args, { id, templateId, offeringId: offering.id, network, ip });
  const starts = args.flag('startvm') ?? true;
  if (starts) machine.state = 'Starting';
  world.records.save('machine', machine);
  world.effect('machine created', call.origin, {
    id,
    name: machine.name,
    network: network.id,
    offering: offering.name,
  });
  return {
    kind: 'job',
    id,
    instanceType: 'VirtualMachine',
    instanceId: id,
    failed: () => setState(world, machine, starts ? 'Error' : 'Stopped'),
    work: async (run) => {
      if (starts) await startMachine(world, machine, run, 'Error');
      return { virtualmachine: machineView(world, call.caller, machine) };
    },
  };
}

export const deployVirtualMachine: Command = {
  name: 'deployVirtualMachine',
  description:
    'Creates and automatically starts a virtual machine based on a service offering, disk offering, and template.',
  kind: 'create',
  parameters: {
    zoneid: required(idOf('zone')),
    serviceofferingid: required(idOf('offering')),
    templateid: idOf('template'),
    name: text(),
    displayname: text(),
    customid: text(),
    networkids: listOf('network'),
    iptonetworklist: map(),
    userdata: text(1_048_576),
    startvm: flag(),
    keypair: text(),
    keypairs: listOf(),
    rootdisksize: integer(),
    affinitygroupids: listOf('affinityGroup'),
    affinitygroupnames: listOf(),
    securitygroupids: listOf(),
    details: map(),
    diskofferingid: idOf(),
    hostid: idOf('host'),
    projectid: idOf(),
    account: text(),
    domainid: idOf(),
    hypervisor: text(),
    group: text(),
    deleteprotection: flag(),
  },
  fields: ['id', 'name', 'displayname', 'state', 'zoneid', 'templateid', 'serviceofferingid', 'nic', 'tags'],
  run: deploy,
};
