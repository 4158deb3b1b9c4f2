/** Listing machines. */

import type { Machine } from '@/simulator/core/machine-model';
import type { Call, Command } from './command';
import { invalid } from './errors';
import { hasAskedTags, hasKeyword, isAsked, isVisible, listAnswer } from './paging';
import { type Args, flag, idOf, listOf, listParameters, text } from './parameters';
import type { Details } from './views';
import { machineView } from './views';

export const machineFields = [
  'id',
  'name',
  'displayname',
  'account',
  'created',
  'state',
  'zoneid',
  'zonename',
  'templateid',
  'isoid',
  'serviceofferingid',
  'cpunumber',
  'memory',
  'nic',
  'tags',
  'jobid',
  'jobstatus',
];

const goneStates = new Set(['Destroyed', 'Expunging']);

function isListed(call: Call, args: Args, machine: Machine): boolean {
  const ids = args.list('ids');
  const state = args.text('state');
  if (!isVisible(call, args, machine.account)) return false;
  if (goneStates.has(machine.state) && !call.caller.isRoot) return false;
  if (ids !== undefined && !ids.includes(machine.id)) return false;
  if (
    state?.toLowerCase() === 'present' ? goneStates.has(machine.state) : state !== undefined && state !== machine.state
  )
    return false;
  return (
    isAsked(args, 'id', machine.id) &&
    isAsked(args, 'name', machine.name) &&
    isAsked(args, 'zoneid', machine.zoneId) &&
    isAsked(args, 'networkid', machine.networkId) &&
    isAsked(args, 'templateid', machine.templateId) &&
    isAsked(args, 'isoid', machine.isoId) &&
    isAsked(args, 'serviceofferingid', machine.offeringId) &&
    isAsked(args, 'hostid', machine.hostId) &&
    hasKeyword(args, machine.name, machine.displayName) &&
    hasAskedTags(call, args, machine.id)
  );
}

const knownDetails = new Set([
  'all',
  'group',
  'nics',
  'stats',
  'secgrp',
  'tmpl',
  'servoff',
  'diskoff',
  'backoff',
  'iso',
  'volume',
  'min',
  'affgrp',
]);

function detailsOf(args: Args): Details {
  const details = args.list('details');
  if (details === undefined) return 'all';
  const unknown = details.find((detail) => !knownDetails.has(detail.toLowerCase()));
  if (unknown !== undefined) throw invalid(`The details parameter contains a non permitted value: ${unknown}`);
  return new Set(details.map((detail) => detail.toLowerCase()));
}

export const listVirtualMachines: Command = {
  name: 'listVirtualMachines',
  description: 'List the virtual machines owned by the account.',
  kind: 'sync',
  parameters: {
    ...listParameters,
    id: idOf('machine'),
    ids: listOf(),
    name: text(),
    state: text(),
    zoneid: idOf('zone'),
    networkid: idOf('network'),
    templateid: idOf('template'),
    isoid: idOf('iso'),
    serviceofferingid: idOf('offering'),
    hostid: idOf('host'),
    details: listOf(),
    userdata: flag(),
    retrieveonlyresourcecount: flag(),
  },
  fields: machineFields,
  run: (call, args) => {
    const details = detailsOf(args);
    const withUserData = args.flag('userdata') === true;
    const found = call.world.records.all('machine').filter((machine) => isListed(call, args, machine));
    found.sort((a, b) => a.sequence - b.sequence);
    return listAnswer(args, 'virtualmachine', found, (machine) => ({
      ...machineView(call.world, call.caller, machine, details),
      ...(withUserData ? { userdata: machine.userData } : {}),
    }));
  },
};
