import { z } from 'zod';
import type { CallContext, Headroom } from '@/infrastructure/cloud';
import type { Api } from './api';
import { addressShape, machineShape, networkShape } from './shapes';

/** CloudStack's numbers of the limits that clusters run into (A.6); memory in MB. */
const resourceTypes = { machines: '0', addresses: '1', networks: '6', cpus: '8', memoryMb: '9' } as const;
const limitShape = z.object({ resourcetype: z.coerce.string(), max: z.coerce.number() });

/** Limits of our own account less what it has. Usage is counted only where there is a limit; without `listall` lists are our own. */
export async function headroom(api: Api, call: CallContext): Promise<Headroom> {
  const limits = await api.list(call, 'listResourceLimits', {}, 'resourcelimit', limitShape);
  const most = (type: string): number | null =>
    limits.find((limit) => limit.resourcetype === type && limit.max >= 0)?.max ?? null;
  const { machines, addresses, networks, cpus, memoryMb } = resourceTypes;
  const countsMachines = [machines, cpus, memoryMb].some((type) => most(type) !== null);
  const ownMachines = countsMachines
    ? await api.list(call, 'listVirtualMachines', { details: 'servoff' }, 'virtualmachine', machineShape)
    : [];
  const ownAddresses =
    most(addresses) === null ? [] : await api.list(call, 'listPublicIpAddresses', {}, 'publicipaddress', addressShape);
  const allNetworks = most(networks) === null ? [] : await api.list(call, 'listNetworks', {}, 'network', networkShape);
  const left = (type: string, used: number): number | null => {
    const limit = most(type);
    return limit === null ? null : Math.max(0, limit - used);
  };
  return {
    machines: left(machines, ownMachines.length),
    cpus: left(cpus, sum(ownMachines.map((machine) => machine.cpunumber))),
    memoryMb: left(memoryMb, sum(ownMachines.map((machine) => machine.memory))),
    addresses: left(addresses, ownAddresses.length),
    networks: left(networks, allNetworks.filter((network) => network.type !== 'Shared').length),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
