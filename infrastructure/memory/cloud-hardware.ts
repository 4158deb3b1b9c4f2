import type { Cloud } from '@/infrastructure/cloud';
import { changeMachine } from './cloud-machines';
import { cloudWords, notFound, refused } from './cloud-words';
import type { World } from './world';

type HardwareMethods = Pick<Cloud, 'ensureIso' | 'ensureNoIso' | 'changeOffering'>;

export function hardwareMethods(world: World): HardwareMethods {
  const { acts } = world;
  return {
    ensureIso: (call, spec) =>
      changeMachine(world, call, 'ensureIso', spec.machineId, {
        isSo: (machine) => machine.isoId === spec.isoId,
        change: (machine) => {
          const iso = world.catalogue.isos.find((each) => each.id === spec.isoId);
          if (iso === undefined) throw notFound('ensureIso', `ISO ${spec.isoId}`);
          if (!iso.ready) throw refused('ensureIso', `${iso.name} is not ready`);
          if (machine.state !== 'running' && machine.state !== 'stopped')
            throw refused('ensureIso', `${machine.name} is ${machine.state}`);
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
          const shrinks =
            present !== undefined && (wanted.cpuCount < present.cpuCount || wanted.memoryMb < present.memoryMb);
          if (machine.state === 'running' && shrinks)
            throw refused('changeOffering', 'a running machine cannot shrink');
          machine.offeringId = spec.offeringId;
        },
      }),
  };
}
