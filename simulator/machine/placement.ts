/** Which host has room. */
import type { Machine } from '@/simulator/core/machine-model';
import type { Host } from '@/simulator/core/model';
import type { World } from '@/simulator/world';

interface Load {
  cpuMhz: number;
  memoryMb: number;
}

function sizeOf(world: World, machine: Machine): Load {
  const offering = world.records.get('offering', machine.offeringId);
  return { cpuMhz: (offering?.cpuCount ?? 0) * (offering?.cpuSpeedMhz ?? 0), memoryMb: offering?.memoryMb ?? 0 };
}

function loadOf(world: World, host: Host, besides: string): Load {
  const load: Load = { cpuMhz: 0, memoryMb: 0 };
  for (const machine of world.records.all('machine')) {
    if (machine.hostId !== host.id || machine.id === besides) continue;
    const size = sizeOf(world, machine);
    load.cpuMhz += size.cpuMhz;
    load.memoryMb += size.memoryMb;
  }
  return load;
}

/** The least loaded host of the machine's zone that is up and has room, or null. */
export function placeMachine(world: World, machine: Machine): Host | null {
  const wanted = sizeOf(world, machine);
  let best: { host: Host; free: number } | null = null;
  for (const host of world.records.all('host')) {
    if (!host.up || host.zoneId !== machine.zoneId) continue;
    const load = loadOf(world, host, machine.id);
    const free = host.memoryMb - load.memoryMb - wanted.memoryMb;
    if (free < 0 || host.cpuMhz - load.cpuMhz - wanted.cpuMhz < 0) continue;
    if (best === null || free > best.free) best = { host, free };
  }
  return best?.host ?? null;
}
