import type { Cloud } from '@/infrastructure/cloud';
import { changeMachine } from './cloud-machines';
import { cloudWords, refused } from './cloud-words';
import type { World } from './world';

type PowerMethods = Pick<Cloud, 'startMachine' | 'stopMachine' | 'destroyMachine' | 'restoreMachine'>;

export function powerMethods(world: World): PowerMethods {
  const { acts, clock } = world;
  const pause = (signal: AbortSignal) => clock.sleep(world.startMs, signal).catch(() => undefined);
  return {
    startMachine: (call, id) =>
      changeMachine(world, call, 'startMachine', id, {
        isSo: (machine) => machine.state === 'running',
        change: async (machine) => {
          if (machine.state === 'error') throw refused('startMachine', `${machine.name} is in error`);
          machine.state = 'starting';
          await pause(call.signal);
          machine.state = 'running';
        },
      }),
    stopMachine: (call, id) =>
      changeMachine(world, call, 'stopMachine', id, {
        isSo: (machine) => machine.state === 'stopped' || machine.state === 'error',
        change: async (machine) => {
          machine.state = 'stopping';
          await pause(call.signal);
          machine.state = 'stopped';
        },
      }),
    destroyMachine: async (call, id) => {
      await acts.change(call, cloudWords, {
        method: 'destroyMachine',
        subject: world.machines.get(id)?.name ?? id,
        look: () => (world.machines.has(id) ? undefined : true),
        change: () => {
          if (world.machines.get(id)?.deleteProtected === true)
            throw refused('destroyMachine', 'the machine is protected against deletion');
          return removeMachine(world, id);
        },
      });
    },
    // Another disk each time it is asked for, so there is nothing to look for first.
    restoreMachine: (call, id) =>
      changeMachine(world, call, 'restoreMachine', id, {
        isSo: () => false,
        change: (machine) => {
          machine.disk = { bootedWith: null, done: false };
        },
      }),
  };
}

/** Expunged: its name is free, and no rule points at it any more. */
export function removeMachine(world: World, id: string): boolean {
  for (const rule of world.rules.values()) rule.machineIds.delete(id);
  return world.machines.delete(id);
}
