/** How records look in answers. */
import type { JsonObject } from '@/simulator/core/json';
import type { Machine } from '@/simulator/core/machine-model';
import type { Network, Tag } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import type { Caller } from './command';

export const rootDomain = { id: '11111111-1111-4111-8111-111111111111', name: 'ROOT' };
export const guestOsId = '22222222-2222-4222-8222-222222222222';

/** `yyyy-MM-ddTHH:mm:ss+0000`, without a colon in the offset. */
export function dateText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}

export function tagView(tag: Tag): JsonObject {
  return {
    key: tag.key,
    value: tag.value,
    resourcetype: tag.resourceType,
    resourceid: tag.resourceId,
    account: tag.account,
    domainid: rootDomain.id,
    domain: rootDomain.name,
  };
}

/** The fields that name an owner. */
export function ownershipView(account: string): JsonObject {
  return { account, domainid: rootDomain.id, domain: rootDomain.name };
}

function nicView(world: World, machine: Machine): JsonObject {
  const network = world.records.get('network', machine.networkId);
  const prefix = (network?.cidr ?? '10.1.1.0/24').replace(/\.0\/24$/, '');
  return {
    id: machine.nicId,
    networkid: machine.networkId,
    networkname: network?.name ?? '',
    netmask: '255.255.255.0',
    gateway: `${prefix}.1`,
    ipaddress: machine.ip,
    traffictype: 'Guest',
    type: network?.state === 'Setup' ? 'Shared' : 'Isolated',
    isdefault: true,
    macaddress: machine.mac,
    deviceid: '0',
  };
}

/** Which parts of a machine were asked for; everything when nothing was named. */
export type Details = ReadonlySet<string> | 'all';

function isoView(world: World, machine: Machine): JsonObject {
  const iso = machine.isoId === null ? undefined : world.records.get('iso', machine.isoId);
  return iso === undefined ? {} : { isoid: iso.id, isoname: iso.name, isodisplaytext: iso.name };
}

function rootOnlyView(world: World, machine: Machine): JsonObject {
  const host = machine.hostId === null ? undefined : world.records.get('host', machine.hostId);
  return {
    ...(host === undefined ? {} : { hostid: host.id, hostname: host.name }),
    instancename: `i-2-${machine.sequence}-VM`,
  };
}

/** A `virtualmachine` as listed and as jobs return it. */
export function machineView(world: World, caller: Caller, machine: Machine, details: Details = 'all'): JsonObject {
  const wants = (detail: string) => details === 'all' || details.has('all') || details.has(detail);
  const offering = world.records.get('offering', machine.offeringId);
  const template = world.records.get('template', machine.templateId);
  return {
    id: machine.id,
    name: machine.name,
    displayname: machine.displayName,
    ...ownershipView(machine.account),
    userid: machine.user,
    username: machine.user,
    created: dateText(machine.created),
    state: machine.state,
    haenable: false,
    zoneid: machine.zoneId,
    zonename: world.records.get('zone', machine.zoneId)?.name ?? '',
    ...(caller.isRoot ? rootOnlyView(world, machine) : {}),
    templateid: machine.templateId,
    templatename: template?.name ?? '',
    templatedisplaytext: template?.name ?? '',
    passwordenabled: false,
    ...(wants('iso') ? isoView(world, machine) : {}),
    serviceofferingid: machine.offeringId,
    serviceofferingname: offering?.name ?? '',
    cpunumber: offering?.cpuCount ?? 0,
    cpuspeed: offering?.cpuSpeedMhz ?? 0,
    memory: offering?.memoryMb ?? 0,
    guestosid: guestOsId,
    ostypeid: guestOsId,
    rootdeviceid: 0,
    rootdevicetype: 'ROOT',
    securitygroup: [],
    affinitygroup: wants('affgrp') ? affinityView(world, machine) : [],
    nic: [nicView(world, machine)],
    hypervisor: 'KVM',
    details: { ...machine.details },
    displayvm: true,
    isdynamicallyscalable: template?.dynamicallyScalable ?? false,
    deleteprotection: machine.deleteProtection,
    ...(machine.keyPair === null ? {} : { keypairs: machine.keyPair }),
    tags: world.tagsOf(machine.id).map(tagView),
    ...(machine.jobId === null ? {} : { jobid: machine.jobId, jobstatus: 0 }),
  };
}

function affinityView(world: World, machine: Machine): JsonObject[] {
  return machine.affinityGroupIds.flatMap((id) => {
    const group = world.records.get('affinityGroup', id);
    return group === undefined ? [] : [{ id: group.id, name: group.name, type: group.type }];
  });
}

export function networkView(world: World, network: Network): JsonObject {
  const offering = world.records.get('networkOffering', network.offeringId);
  return {
    id: network.id,
    name: network.name,
    displaytext: network.displayText,
    state: network.state,
    type: offering?.guestType ?? 'Isolated',
    gateway: network.cidr.replace(/0\/24$/, '1'),
    netmask: '255.255.255.0',
    cidr: network.cidr,
    zoneid: network.zoneId,
    zonename: world.records.get('zone', network.zoneId)?.name ?? '',
    networkofferingid: network.offeringId,
    networkofferingname: offering?.name ?? '',
    traffictype: 'Guest',
    canusefordeploy: true,
    issystem: false,
    ...ownershipView(network.account),
    egressdefaultpolicy: offering?.egressAllowed ?? false,
    service: (offering?.services ?? []).map((name) => ({ name })),
    created: dateText(network.created),
    tags: world.tagsOf(network.id).map(tagView),
  };
}
