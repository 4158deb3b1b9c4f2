/** The record of a machine that was just asked for. */

import { randomUUID } from 'node:crypto';
import type { Machine } from '@/simulator/core/machine-model';
import type { Network } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import type { Call } from './command';
import { ApiError, invalid } from './errors';
import type { Args } from './parameters';

/** The lowest free address of the network; the first ones belong to its router. */
function nextIp(world: World, network: Network, wanted: string | null): string {
  const prefix = network.cidr.replace(/0\/24$/, '');
  const used = new Set(
    world.records.all('machine').flatMap((machine) => (machine.networkId === network.id ? [machine.ip] : [])),
  );
  if (wanted !== null) {
    if (used.has(wanted) || !wanted.startsWith(prefix))
      throw invalid(`Ip address ${wanted} is not free in network ${network.name}`);
    return wanted;
  }
  for (let last = 10; last < 255; last += 1) if (!used.has(`${prefix}${last}`)) return `${prefix}${last}`;
  throw new ApiError(533, 4325, 'Unable to acquire a guest IP address');
}

export function newMachine(
  call: Call,
  args: Args,
  found: { id: string; templateId: string; offeringId: string; network: Network; ip: string | null },
): Machine {
  const { world, caller } = call;
  const sequence = Math.max(0, ...world.records.all('machine').map((machine) => machine.sequence)) + 1;
  const name = args.text('name') ?? `VM-${found.id}`;
  const details: Record<string, string> = {};
  for (const entry of args.maps('details')) Object.assign(details, entry);
  const hex = randomUUID().replaceAll('-', '');
  return {
    id: found.id,
    name,
    displayName: args.text('displayname') ?? name,
    account: caller.account,
    user: caller.user,
    state: 'Stopped',
    hostRunning: false,
    zoneId: found.network.zoneId,
    templateId: found.templateId,
    offeringId: found.offeringId,
    networkId: found.network.id,
    nicId: randomUUID(),
    ip: nextIp(world, found.network, found.ip),
    mac: `02:01:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4, 6)}:${hex.slice(6, 8)}`,
    isoId: null,
    userData: args.text('userdata') ?? '',
    keyPair: args.text('keypair') ?? args.list('keypairs')?.[0] ?? null,
    rootDiskGb: Number(args.text('rootdisksize') ?? details['rootdisksize'] ?? 8),
    diskId: randomUUID(),
    hostId: null,
    affinityGroupIds: args.list('affinitygroupids') ?? [],
    deleteProtection: args.flag('deleteprotection') ?? false,
    details,
    created: world.clock.now(),
    sequence,
    jobId: null,
    inside: {
      bootedDiskId: null,
      role: 'unknown',
      phase: 'off',
      clusterId: null,
      bootstrapped: false,
      serving: false,
      kubeletUp: false,
      kubernetesVersion: null,
      apiVersion: null,
      intent: null,
      console: [],
      run: 0,
    },
  };
}
