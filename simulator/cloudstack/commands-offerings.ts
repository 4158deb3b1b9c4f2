/** Service and network offerings. */
import type { Call, Outcome } from './command';
import { hasKeyword, isAsked, listAnswer } from './paging';
import type { Args } from './parameters';

export function listServiceOfferings(call: Call, args: Args): Outcome {
  const found = call.world.records
    .all('offering')
    .filter(
      (offering) =>
        isAsked(args, 'id', offering.id) &&
        isAsked(args, 'name', offering.name) &&
        hasKeyword(args, offering.name) &&
        (args.number('cpunumber') ?? 0) <= offering.cpuCount &&
        (args.number('memory') ?? 0) <= offering.memoryMb,
    );
  return listAnswer(args, 'serviceoffering', found, (offering) => ({
    id: offering.id,
    name: offering.name,
    displaytext: offering.custom ? 'Custom size' : `${offering.cpuCount} CPU, ${offering.memoryMb / 1_024} GB`,
    ...(offering.custom
      ? {}
      : { cpunumber: offering.cpuCount, cpuspeed: offering.cpuSpeedMhz, memory: offering.memoryMb }),
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

export function listNetworkOfferings(call: Call, args: Args): Outcome {
  const services = args.text('supportedservices')?.split(',') ?? [];
  const found = call.world.records
    .all('networkOffering')
    .filter(
      (offering) =>
        isAsked(args, 'id', offering.id) &&
        isAsked(args, 'name', offering.name) &&
        isAsked(args, 'guestiptype', offering.guestType) &&
        isAsked(args, 'state', 'Enabled') &&
        hasKeyword(args, offering.name) &&
        services.every((service) => offering.services.includes(service)),
    );
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
