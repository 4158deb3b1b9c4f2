import type { Cloud } from '@/infrastructure/cloud';
import { changeMachine } from './cloud-machines';
import { cloudWords, notFound, refused } from './cloud-words';
import type { World } from './world';

type PowerMethods = Pick<
  Cloud,
  'startMachine' | 'stopMachine' | 'destroyMachine' | 'restoreMachine' | 'ensureIso' | 'ensureNoIso' | 'changeOffering'
>;

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
          if (world.machines.get(id)?.deleteProtected === true) throw refused('destroyMachine', 'the machine is protected against deletion');
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
    ensureIso: (call, spec) =>
      changeMachine(world, call, 'ensureIso', spec.machineId, {
        isSo: (machine) => machine.isoId === spec.isoId,
        change: (machine) => {
          const iso = world.catalogue.isos.find((each) => each.id === spec.isoId);
          if (iso === undefined) throw notFound('ensureIso', `ISO ${spec.isoId}`);
          if (!iso.ready) throw refused('ensureIso', `${iso.name} is not ready`);
          if (machine.state !== 'running' && machine.state !== 'stopped') throw refused('ensureIso', `${machine.name} is ${machine.state}`);
          machine.isoId = spec.isoId;
        },
      }),
    ensureNoIso: async (call, id) => {
      await acts.change(call, cloudWords, {
        method: 'ensureNoIso',
        subject: world.machines.get(id)?.name ?? id,
        look: () => ((world.machines.get(id)?.isoId ?? null) === null ? true : undefined),
        change: () => {
          const machine = world.machines.get(id);
          if (machine !== undefined) machine.isoId = null;
          return true;
        },
      });
    },
    changeOffering: (call, spec) =>
      changeMachine(world, call, 'changeOffering', spec.machineId, {
        isSo: (machine) => machine.offeringId === spec.offeringId,
        change: (machine) => {
          const { offerings } = world.catalogue;
          const wanted = offerings.find((each) => each.id === spec.offeringId);
          const present = offerings.find((each) => each.id === machine.offeringId);
          if (wanted === undefined) throw notFound('changeOffering', `offering ${spec.offeringId}`);
          const shrinks = present !== undefined && (wanted.cpuCount < present.cpuCount || wanted.memoryMb < present.memoryMb);
          if (machine.state === 'running' && shrinks) throw refused('changeOffering', 'a running machine cannot shrink');
          machine.offeringId = spec.offeringId;
        },
      }),
  };
}

/** Expunged: its name is free, and no rule points at it any more. */
export function removeMachine(world: World, id: string): boolean {
  for (const rule of world.rules.values()) rule.machineIds.delete(id);
  return world.machines.delete(id);
}
