/** What the cloud consists of: zones, offerings, templates, ISOs, capabilities, limits. Reads only. */
import type { JsonObject } from '@/simulator/core/json';
import type { Iso, Template } from '@/simulator/core/model';
import { accountId, accountNames } from './accounts';
import { answer, type Call, type Command, type Outcome } from './command';
import { invalid } from './errors';
import { limitOf, resourceTypes, usageOf } from './limits';
import { hasKeyword, isAsked, listAnswer } from './paging';
import { type Args, flag, idOf, integer, listParameters, required, text } from './parameters';
import { guestOsId, ownershipView, rootDomain } from './views';

function listZones(call: Call, args: Args): Outcome {
  const found = call.world.records.all('zone').filter((zone) =>
    isAsked(args, 'id', zone.id) && isAsked(args, 'name', zone.name) && hasKeyword(args, zone.name) && (call.caller.isRoot || zone.enabled));
  return listAnswer(args, 'zone', found, (zone) => ({ id: zone.id, name: zone.name, networktype: 'Advanced', securitygroupsenabled: false, allocationstate: zone.enabled ? 'Enabled' : 'Disabled', localstorageenabled: false, tags: [] }));
}

function listServiceOfferings(call: Call, args: Args): Outcome {
  const found = call.world.records.all('offering').filter((offering) =>
    isAsked(args, 'id', offering.id) && isAsked(args, 'name', offering.name) && hasKeyword(args, offering.name) &&
    (args.number('cpunumber') ?? 0) <= offering.cpuCount && (args.number('memory') ?? 0) <= offering.memoryMb);
  return listAnswer(args, 'serviceoffering', found, (offering) => ({
    id: offering.id,
    name: offering.name,
    displaytext: offering.custom ? 'Custom size' : `${offering.cpuCount} CPU, ${offering.memoryMb / 1_024} GB`,
    ...(offering.custom ? {} : { cpunumber: offering.cpuCount, cpuspeed: offering.cpuSpeedMhz, memory: offering.memoryMb }),
    iscustomized: offering.custom,
    offerha: false,
    limitcpuuse: false,
    isvolatile: false,
    storagetype: 'shared',
    provisioningtype: 'thin',
    dynamicscalingenabled: true,
    issystem: false,
    state: 'Active',
  }));
}

function templateView(call: Call, template: Template): JsonObject {
  return {
    id: template.id,
    name: template.name,
    displaytext: template.name,
    isready: template.ready,
    status: template.ready ? 'Download Complete' : '47% Downloaded',
    format: 'QCOW2',
    hypervisor: 'KVM',
    ispublic: template.isPublic,
    isfeatured: template.featured,
    zoneid: template.zoneId,
    zonename: call.world.records.get('zone', template.zoneId)?.name ?? '',
    size: 2_147_483_648,
    ostypeid: guestOsId,
    ostypename: 'Debian GNU/Linux 12 (64-bit)',
    passwordenabled: false,
    templatetype: template.system ? 'SYSTEM' : 'USER',
    isdynamicallyscalable: template.dynamicallyScalable,
    forcks: template.forKubernetes,
    arch: 'x86_64',
    ...ownershipView(template.account),
    tags: [],
  };
}

function isTemplateListed(call: Call, filter: string, template: Template): boolean {
  const own = template.account === call.caller.account;
  const shared = template.permittedAccounts.includes(call.caller.account);
  switch (filter) {
    case 'featured':
      return template.isPublic && template.featured;
    case 'community':
      return template.isPublic && !template.featured;
    case 'self':
    case 'selfexecutable':
      return own && (filter === 'self' || template.ready);
    case 'shared':
    case 'sharedexecutable':
      return shared && (filter === 'shared' || template.ready);
    case 'executable':
      return template.ready && (template.isPublic || own || shared);
    case 'all':
      if (!call.caller.isRoot) throw invalid('Filter all can be specified by admin only');
      return true;
    default:
      throw invalid(`Please specify a valid template filter: ${filter}`);
  }
}

function listTemplates(call: Call, args: Args): Outcome {
  const filter = args.must('templatefilter').toLowerCase();
  const found = call.world.records.all('template').filter((template) =>
    isTemplateListed(call, filter, template) && isAsked(args, 'id', template.id) && isAsked(args, 'name', template.name) &&
    isAsked(args, 'zoneid', template.zoneId) && hasKeyword(args, template.name));
  return listAnswer(args, 'template', found, (template) => templateView(call, template));
}

function isoView(call: Call, iso: Iso): JsonObject {
  return {
    id: iso.id,
    name: iso.name,
    displaytext: iso.name,
    isready: iso.ready,
    status: iso.ready ? 'Successfully Installed' : '12% Downloaded',
    ispublic: true,
    isfeatured: false,
    zoneid: iso.zoneId,
    zonename: call.world.records.get('zone', iso.zoneId)?.name ?? '',
    size: 734_003_200,
    bootable: false,
    checksum: `{MD5}${iso.id.replaceAll('-', '')}`,
    ...ownershipView('admin'),
    tags: [],
  };
}

function listIsos(call: Call, args: Args): Outcome {
  const ready = args.flag('isready');
  const found = call.world.records.all('iso').filter((iso) =>
    isAsked(args, 'id', iso.id) && isAsked(args, 'name', iso.name) && isAsked(args, 'zoneid', iso.zoneId) &&
    (ready === undefined || ready === iso.ready) && args.flag('bootable') !== true && hasKeyword(args, iso.name));
  return listAnswer(args, 'iso', found, (iso) => isoView(call, iso));
}

function listNetworkOfferings(call: Call, args: Args): Outcome {
  const services = args.text('supportedservices')?.split(',') ?? [];
  const found = call.world.records.all('networkOffering').filter((offering) =>
    isAsked(args, 'id', offering.id) && isAsked(args, 'name', offering.name) && isAsked(args, 'guestiptype', offering.guestType) &&
    isAsked(args, 'state', 'Enabled') && hasKeyword(args, offering.name) && services.every((service) => offering.services.includes(service)));
  return listAnswer(args, 'networkoffering', found, (offering) => ({
    id: offering.id,
    name: offering.name,
    displaytext: offering.name,
    state: 'Enabled',
    traffictype: 'Guest',
    guestiptype: offering.guestType,
    egressdefaultpolicy: offering.egressAllowed,
    forvpc: offering.forVpc,
    specifyvlan: offering.guestType === 'Shared',
    conservemode: true,
    isdefault: false,
    availability: 'Optional',
    service: offering.services.map((name) => ({ name })),
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

function listResourceLimits(call: Call, args: Args): Outcome {
  const account = args.text('account') ?? call.caller.account;
  const found = Object.entries(resourceTypes).filter(([type]) => isAsked(args, 'resourcetype', type));
  return listAnswer(args, 'resourcelimit', found, ([type, name]) => ({ ...ownershipView(account), resourcetype: type, resourcetypename: name, max: limitOf(call.world, account, type) }));
}

/** The account lists carry limit, use and what is left of each type. */
function accountView(call: Call, name: string): JsonObject {
  const used = usageOf(call.world, name);
  const names: readonly (readonly [string, string])[] = [['vm', '0'], ['ip', '1'], ['volume', '2'], ['template', '4'], ['network', '6'], ['cpu', '8'], ['memory', '9']];
  const view: JsonObject = { id: accountId(name), name, accounttype: name === 'admin' ? 1 : 0, rolename: name === 'admin' ? 'Root Admin' : 'User', state: 'enabled', domainid: rootDomain.id, domain: rootDomain.name };
  for (const [prefix, type] of names) {
    const limit = limitOf(call.world, name, type);
    view[`${prefix}limit`] = limit < 0 ? 'Unlimited' : String(limit);
    view[`${prefix}total`] = used[type] ?? 0;
    view[`${prefix}available`] = limit < 0 ? 'Unlimited' : String(limit - (used[type] ?? 0));
  }
  return view;
}

function listAccounts(call: Call, args: Args): Outcome {
  const found = accountNames.filter((name) => isAsked(args, 'name', name) && (call.caller.isRoot || name === call.caller.account));
  return listAnswer(args, 'account', found, (name) => accountView(call, name));
}

const named = { ...listParameters, name: text() };

export const environmentCommands: readonly Command[] = [
  { name: 'listZones', description: 'Lists zones', kind: 'sync', parameters: { ...named, id: idOf('zone'), available: flag() }, fields: ['id', 'name', 'networktype', 'allocationstate'], run: listZones },
  { name: 'listServiceOfferings', description: 'Lists all available service offerings.', kind: 'sync', parameters: { ...named, id: idOf('offering'), zoneid: idOf('zone'), cpunumber: integer(), memory: integer(), virtualmachineid: idOf('machine') }, fields: ['id', 'name', 'displaytext', 'cpunumber', 'cpuspeed', 'memory', 'iscustomized'], run: listServiceOfferings },
  { name: 'listTemplates', description: 'List all public, private, and privileged templates.', kind: 'sync', parameters: { ...named, templatefilter: required(text()), id: idOf('template'), zoneid: idOf('zone'), hypervisor: text() }, fields: ['id', 'name', 'isready', 'status', 'ispublic', 'zoneid', 'forcks'], run: listTemplates },
  { name: 'listIsos', description: 'Lists all available ISO files.', kind: 'sync', parameters: { ...named, isofilter: text(), id: idOf('iso'), isready: flag(), zoneid: idOf('zone'), bootable: flag() }, fields: ['id', 'name', 'displaytext', 'isready', 'zoneid'], run: listIsos },
  { name: 'listNetworkOfferings', description: 'Lists all available network offerings.', kind: 'sync', parameters: { ...named, id: idOf('networkOffering'), state: text(), guestiptype: text(), traffictype: text(), zoneid: idOf('zone'), supportedservices: text(4_096), forvpc: flag() }, fields: ['id', 'name', 'state', 'guestiptype', 'egressdefaultpolicy', 'forvpc', 'service'], run: listNetworkOfferings },
  { name: 'listCapabilities', description: 'Lists capabilities', kind: 'sync', parameters: {}, fields: ['capability'], run: () => answer({ capability: { ...capabilities } }) },
  { name: 'listResourceLimits', description: 'Lists resource limits.', kind: 'sync', parameters: { ...listParameters, resourcetype: integer() }, fields: ['account', 'domainid', 'resourcetype', 'resourcetypename', 'max'], run: listResourceLimits },
  { name: 'listAccounts', description: 'Lists accounts and provides detailed account information for listed accounts', kind: 'sync', parameters: { ...named, id: idOf() }, fields: ['id', 'name', 'vmlimit', 'vmtotal', 'vmavailable'], run: listAccounts },
];
