/** The ISO in a machine's drive. */

import { latencyMs } from '@/simulator/core/latency';
import type { Command } from './command';
import { machineFields } from './commands-machine-list';
import { invalid } from './errors';
import { machineFor, machineJob } from './machine-jobs';
import { flag, idOf, required } from './parameters';

export const attachIso: Command = {
  name: 'attachIso',
  description: 'Attaches an ISO to a virtual machine.',
  kind: 'async',
  parameters: { id: required(idOf('iso')), virtualmachineid: required(idOf('machine')), forced: flag() },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('virtualmachineid'));
    const iso = call.world.records.get('iso', args.must('id'));
    return machineJob(call, machine, async (run, current) => {
      if (current.state !== 'Running' && current.state !== 'Stopped')
        throw invalid('Please specify a VM that is either Stopped or Running.');
      if (iso === undefined || !iso.ready) throw invalid('Unable to find an ISO with the given id that is ready');
      if (iso.zoneId !== current.zoneId) throw invalid('The ISO is not available in the zone of the virtual machine');
      await run.sleep(call.world.random.jitter(latencyMs.attach));
      current.isoId = iso.id;
      call.world.records.save('machine', current);
      call.world.effect('iso attached', run.origin, { id: current.id, name: current.name, iso: iso.name });
    });
  },
};

export const detachIso: Command = {
  name: 'detachIso',
  description: 'Detaches any ISO file (if any) currently attached to a virtual machine.',
  kind: 'async',
  parameters: { virtualmachineid: required(idOf('machine')), forced: flag(), id: idOf('iso') },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('virtualmachineid'));
    if (machine.isoId === null) throw invalid('The specified VM has no ISO attached to it.');
    return machineJob(call, machine, async (run, current) => {
      if (current.isoId === null) throw invalid('The specified VM has no ISO attached to it.');
      await run.sleep(call.world.random.jitter(latencyMs.attach));
      current.isoId = null;
      call.world.records.save('machine', current);
      call.world.effect('iso detached', run.origin, { id: current.id, name: current.name });
    });
  },
};
