/** Listing machines, and their life: start, stop, reboot, destroy, expunge, recover. */

import { latencyMs } from '@/simulator/core/latency';
import { destroyMachine, powerOff, powerOn, setState, startMachine, stopMachine } from '@/simulator/machine/power';
import { answer, type Command } from './command';
import { listVirtualMachines, machineFields } from './commands-machine-list';
import { errorOfCode, invalid } from './errors';
import { machineFor, machineJob } from './machine-jobs';
import { flag, idOf, listOf, required } from './parameters';
import { machineView } from './views';

const startVirtualMachine: Command = {
  name: 'startVirtualMachine',
  description: 'Starts a virtual machine.',
  kind: 'async',
  parameters: { id: required(idOf('machine')), hostid: idOf('host') },
  fields: machineFields,
  run: (call, args) =>
    machineJob(call, machineFor(call, args.must('id')), async (run, machine) => {
      if (machine.state === 'Running') throw invalid(`The virtual machine ${machine.name} is already running`);
      if (machine.state !== 'Stopped')
        throw errorOfCode(530, `Unable to start a virtual machine in state ${machine.state}`);
      await startMachine(call.world, machine, run, 'Stopped');
    }),
};

const idleStates = new Set(['Stopped', 'Destroyed', 'Expunging', 'Error']);

const stopVirtualMachine: Command = {
  name: 'stopVirtualMachine',
  description: 'Stops a virtual machine.',
  kind: 'async',
  parameters: { id: required(idOf('machine')), forced: flag() },
  fields: machineFields,
  run: (call, args) =>
    machineJob(call, machineFor(call, args.must('id')), async (run, machine) => {
      if (idleStates.has(machine.state)) return;
      if (machine.state !== 'Running' && args.flag('forced') !== true)
        throw errorOfCode(530, `Unable to stop a virtual machine in state ${machine.state}`);
      await stopMachine(call.world, machine, run);
    }),
};

const rebootVirtualMachine: Command = {
  name: 'rebootVirtualMachine',
  description: 'Reboots a virtual machine.',
  kind: 'async',
  parameters: { id: required(idOf('machine')), forced: flag() },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    if (machine.state !== 'Running') throw invalid(`The virtual machine ${machine.name} is not running`);
    return machineJob(call, machine, async (run, current) => {
      powerOff(call.world, current);
      await run.sleep(latencyMs.stopping);
      powerOn(call.world, current);
      call.world.changed();
      call.world.effect('machine rebooted', run.origin, { id: current.id, name: current.name });
    });
  },
};

const destroyVirtualMachine: Command = {
  name: 'destroyVirtualMachine',
  description: 'Destroys a virtual machine.',
  kind: 'async',
  parameters: { id: required(idOf('machine')), expunge: flag(), volumeids: listOf() },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    if (machine.deleteProtection)
      throw invalid(`Instance [${machine.name}] has delete protection enabled and cannot be deleted.`);
    return machineJob(call, machine, async (run, current) => {
      if (current.deleteProtection) throw invalid('Delete protection is enabled');
      await destroyMachine(call.world, current, run, args.flag('expunge') === true);
    });
  },
};

const expungeVirtualMachine: Command = {
  name: 'expungeVirtualMachine',
  description: 'Expunges a virtual machine. Once expunged, it cannot be recovered.',
  kind: 'async',
  parameters: { id: required(idOf('machine')) },
  fields: ['success', 'displaytext'],
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    const job = machineJob(call, machine, async (run, current) => {
      if (current.state !== 'Destroyed' && current.state !== 'Error')
        throw invalid('Please destroy vm with specified id before expunge');
      await destroyMachine(call.world, current, run, true);
    });
    return { ...job, work: async (run) => job.work(run).then(() => ({ success: true })) };
  },
};

const recoverVirtualMachine: Command = {
  name: 'recoverVirtualMachine',
  description: 'Recovers a virtual machine.',
  kind: 'sync',
  parameters: { id: required(idOf('machine')) },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    if (machine.state !== 'Destroyed') throw invalid(`Unable to recover a vm in state ${machine.state}`);
    setState(call.world, machine, 'Stopped');
    call.world.effect('machine recovered', call.origin, { id: machine.id, name: machine.name });
    return answer({ virtualmachine: machineView(call.world, call.caller, machine) });
  },
};

export const machineCommands: readonly Command[] = [
  listVirtualMachines,
  startVirtualMachine,
  stopVirtualMachine,
  rebootVirtualMachine,
  destroyVirtualMachine,
  expungeVirtualMachine,
  recoverVirtualMachine,
];
