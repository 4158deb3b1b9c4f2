/** Machines as they are found: by id, or after a restart. */
import { invalid } from '@/simulator/cloudstack/errors';
import type { Machine } from '@/simulator/core/machine-model';
import type { World } from '@/simulator/world';

/** Machines that a restart found in mid-air go to what their host had reached. */
export function settleMachines(world: World): void {
  for (const machine of world.records.all('machine')) {
    if (machine.state === 'Starting' || machine.state === 'Stopping' || machine.state === 'Restoring') {
      machine.state = machine.hostRunning ? 'Running' : 'Stopped';
      if (!machine.hostRunning) machine.hostId = null;
    }
    if (machine.state === 'Expunging') machine.state = 'Destroyed';
    machine.jobId = null;
    world.records.save('machine', machine);
  }
  for (const network of world.records.all('network')) {
    if (network.state === 'Implementing') world.records.save('network', { ...network, state: 'Allocated' });
  }
  world.changed();
}

export function requireMachine(world: World, id: string): Machine {
  const machine = world.records.get('machine', id);
  if (machine === undefined) throw invalid(`Unable to find a virtual machine with id ${id}`);
  return machine;
}
