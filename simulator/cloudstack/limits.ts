/** Account limits: 535 when one would be exceeded. Limits are a setting, changed through the control port. */
import { numberAt } from '@/simulator/core/json';
import type { Offering } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import type { Call } from './command';
import { quotaExceeded } from './errors';

export const resourceTypes: Readonly<Record<string, string>> = {
  '0': 'user_vm',
  '1': 'public_ip',
  '2': 'volume',
  '4': 'template',
  '6': 'network',
  '8': 'cpu',
  '9': 'memory',
  '10': 'primary_storage',
};

/** The limit of `type` for the account; -1 is none. The root account is never limited. */
export function limitOf(world: World, account: string, type: string): number {
  if (account === 'admin') return -1;
  return numberAt(world.records.get('setting', 'limits')?.value, type) ?? -1;
}

/** What the account has of each type now. */
export function usageOf(world: World, account: string): Record<string, number> {
  const machines = world.records.all('machine').filter((machine) => machine.account === account);
  const offerings = machines.map((machine) => world.records.get('offering', machine.offeringId));
  return {
    '0': machines.length,
    '1': world.records.all('address').filter((address) => address.account === account).length,
    '2': machines.length + world.records.count('volume'),
    '4': world.records.all('template').filter((template) => template.account === account).length,
    '6': world.records.all('network').filter((network) => network.account === account).length,
    '8': offerings.reduce((sum, offering) => sum + (offering?.cpuCount ?? 0), 0),
    '9': offerings.reduce((sum, offering) => sum + (offering?.memoryMb ?? 0), 0),
    '10': machines.reduce((sum, machine) => sum + machine.rootDiskGb, 0),
  };
}

export function checkQuota(world: World, account: string, wanted: Readonly<Record<string, number>>): void {
  const used = usageOf(world, account);
  for (const [type, amount] of Object.entries(wanted)) {
    const limit = limitOf(world, account, type);
    if (limit >= 0 && amount > 0 && (used[type] ?? 0) + amount > limit)
      throw quotaExceeded(resourceTypes[type] ?? type, account);
  }
}

export function checkMachineQuota(call: Call, offering: Offering): void {
  checkQuota(call.world, call.caller.account, { '0': 1, '2': 1, '8': offering.cpuCount, '9': offering.memoryMb });
}
