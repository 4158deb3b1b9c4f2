/** What the cloud consists of: zones, offerings, templates, ISOs, capabilities, limits. Reads only. */

import type { JsonObject } from '@/simulator/core/json';
import { answer, type Call, type Command, type Outcome } from './command';
import { listIsos, listTemplates } from './commands-images';
import { listAccounts, listResourceLimits } from './commands-limits';
import { listNetworkOfferings, listServiceOfferings } from './commands-offerings';
import { hasKeyword, isAsked, listAnswer } from './paging';
import { type Args, flag, idOf, integer, listParameters, required, text } from './parameters';

function listZones(call: Call, args: Args): Outcome {
  const found = call.world.records
    .all('zone')
    .filter(
      (zone) =>
        isAsked(args, 'id', zone.id) &&
        isAsked(args, 'name', zone.name) &&
        hasKeyword(args, zone.name) &&
        (call.caller.isRoot || zone.enabled),
    );
  return listAnswer(args, 'zone', found, (zone) => ({
    id: zone.id,
    name: zone.name,
    networktype: 'Advanced',
    securitygroupsenabled: false,
    allocationstate: zone.enabled ? 'Enabled' : 'Disabled',
    localstorageenabled: false,
    tags: [],
  }));
}

const capabilities: JsonObject = {
  cloudstackversion: '4.22.0.0',
  allowuserexpungerecovervm: true,
  allowuserforcestopvm: true,
  allowusercreateprojects: true,
  allowuserviewdestroyedvm: false,
  securitygroupsenabled: false,
  dynamicrolesenabled: true,
  kubernetesserviceenabled: false,
  kubernetesclusterexperimentalfeaturesenabled: false,
  defaultuipagesize: 20,
  simulated: true,
};

const named = { ...listParameters, name: text() };

export const environmentCommands: readonly Command[] = [
  {
    name: 'listZones',
    description: 'Lists zones',
    kind: 'sync',
    parameters: { ...named, id: idOf('zone'), available: flag() },
    fields: ['id', 'name', 'networktype', 'allocationstate'],
    run: listZones,
  },
  {
    name: 'listServiceOfferings',
    description: 'Lists all available service offerings.',
    kind: 'sync',
    parameters: {
      ...named,
      id: idOf('offering'),
      zoneid: idOf('zone'),
      cpunumber: integer(),
      memory: integer(),
      virtualmachineid: idOf('machine'),
    },
    fields: ['id', 'name', 'displaytext', 'cpunumber', 'cpuspeed', 'memory', 'iscustomized'],
    run: listServiceOfferings,
  },
  {
    name: 'listTemplates',
    description: 'List all public, private, and privileged templates.',
    kind: 'sync',
    parameters: {
      ...named,
      templatefilter: required(text()),
      id: idOf('template'),
      zoneid: idOf('zone'),
      hypervisor: text(),
    },
    fields: ['id', 'name', 'isready', 'status', 'ispublic', 'zoneid', 'forcks'],
    run: listTemplates,
  },
  {
    name: 'listIsos',
    description: 'Lists all available ISO files.',
    kind: 'sync',
    parameters: {
      ...named,
      isofilter: text(),
      id: idOf('iso'),
      isready: flag(),
      zoneid: idOf('zone'),
      bootable: flag(),
    },
    fields: ['id', 'name', 'displaytext', 'isready', 'zoneid'],
    run: listIsos,
  },
  {
    name: 'listNetworkOfferings',
    description: 'Lists all available network offerings.',
    kind: 'sync',
    parameters: {
      ...named,
      id: idOf('networkOffering'),
      state: text(),
      guestiptype: text(),
      traffictype: text(),
      zoneid: idOf('zone'),
      supportedservices: text(4_096),
      forvpc: flag(),
    },
    fields: ['id', 'name', 'state', 'guestiptype', 'egressdefaultpolicy', 'forvpc', 'service'],
    run: listNetworkOfferings,
  },
  {
    name: 'listCapabilities',
    description: 'Lists capabilities',
    kind: 'sync',
    parameters: {},
    fields: ['capability'],
    run: () => answer({ capability: { ...capabilities } }),
  },
  {
    name: 'listResourceLimits',
    description: 'Lists resource limits.',
    kind: 'sync',
    parameters: { ...listParameters, resourcetype: integer() },
    fields: ['account', 'domainid', 'resourcetype', 'resourcetypename', 'max'],
    run: listResourceLimits,
  },
  {
    name: 'listAccounts',
    description: 'Lists accounts and provides detailed account information for listed accounts',
    kind: 'sync',
    parameters: { ...named, id: idOf() },
    fields: ['id', 'name', 'vmlimit', 'vmtotal', 'vmavailable'],
    run: listAccounts,
  },
];
