/** Listing machines, and their life: start, stop, reboot, destroy, expunge, recover. */
import { latencyMs } from '@/simulator/core/latency';
import type { Machine } from '@/simulator/core/model';
import { destroyMachine, powerOff, powerOn, requireMachine, setState, startMachine, stopMachine } from '@/simulator/machine/power';
import { answer, type Call, type Command, type JobOutcome } from './command';
import { ApiError, errorOfCode, invalid } from './errors';
import type { JobWork } from './jobs';
import { hasAskedTags, hasKeyword, isAsked, isVisible, listAnswer, mayUse } from './paging';
import { type Args, flag, idOf, listOf, listParameters, required, text } from './parameters';
import { type Details, machineView } from './views';

export const machineFields = ['id', 'name', 'displayname', 'account', 'created', 'state', 'zoneid', 'zonename', 'templateid', 'isoid', 'serviceofferingid', 'cpunumber', 'memory', 'nic', 'tags', 'jobid', 'jobstatus'];

/** The machine a command is about; gone ones and other people's are refused. */
export function machineFor(call: Call, id: string): Machine {
  const machine = requireMachine(call.world, id);
  if (!mayUse(call, machine.account)) throw new ApiError(531, 4365, `Account does not have permission to operate with resource ${id}`);
  return machine;
}

/** A job on a machine; its work finds the machine as it is when its turn comes. */
export function machineJob(call: Call, machine: Machine, work: (run: Parameters<JobWork>[0], machine: Machine) => Promise<void>): JobOutcome {
  return {
    kind: 'job',
    instanceType: 'VirtualMachine',
    instanceId: machine.id,
    work: async (run) => {
      const current = requireMachine(call.world, machine.id);
      await work(run, current);
      return { virtualmachine: machineView(call.world, call.caller, current) };
    },
  };
}

const goneStates = new Set(['Destroyed', 'Expunging']);

function isListed(call: Call, args: Args, machine: Machine): boolean {
  const ids = args.list('ids');
  const state = args.text('state');
  if (!isVisible(call, args, machine.account)) return false;
  if (goneStates.has(machine.state) && !call.caller.isRoot) return false;
  if (ids !== undefined && !ids.includes(machine.id)) return false;
  if (state?.toLowerCase() === 'present' ? goneStates.has(machine.state) : state !== undefined && state !== machine.state) return false;
  return (
    isAsked(args, 'id', machine.id) &&
    isAsked(args, 'name', machine.name) &&
    isAsked(args, 'zoneid', machine.zoneId) &&
    isAsked(args, 'networkid', machine.networkId) &&
    isAsked(args, 'templateid', machine.templateId) &&
    isAsked(args, 'isoid', machine.isoId) &&
    isAsked(args, 'serviceofferingid', machine.offeringId) &&
    isAsked(args, 'hostid', machine.hostId) &&
    hasKeyword(args, machine.name, machine.displayName) &&
    hasAskedTags(call, args, machine.id)
  );
}

const knownDetails = new Set(['all', 'group', 'nics', 'stats', 'secgrp', 'tmpl', 'servoff', 'diskoff', 'backoff', 'iso', 'volume', 'min', 'affgrp']);

function detailsOf(args: Args): Details {
  const details = args.list('details');
  if (details === undefined) return 'all';
  const unknown = details.find((detail) => !knownDetails.has(detail.toLowerCase()));
  if (unknown !== undefined) throw invalid(`The details parameter contains a non permitted value: ${unknown}`);
  return new Set(details.map((detail) => detail.toLowerCase()));
}

const listVirtualMachines: Command = {
  name: 'listVirtualMachines',
  description: 'List the virtual machines owned by the account.',
  kind: 'sync',
  parameters: { ...listParameters, id: idOf('machine'), ids: listOf(), name: text(), state: text(), zoneid: idOf('zone'), networkid: idOf('network'), templateid: idOf('template'), isoid: idOf('iso'), serviceofferingid: idOf('offering'), hostid: idOf('host'), details: listOf(), userdata: flag(), retrieveonlyresourcecount: flag() },
  fields: machineFields,
  run: (call, args) => {
    const details = detailsOf(args);
    const withUserData = args.flag('userdata') === true;
    const found = call.world.records.all('machine').filter((machine) => isListed(call, args, machine));
    found.sort((a, b) => a.sequence - b.sequence);
    return listAnswer(args, 'virtualmachine', found, (machine) => ({
      ...machineView(call.world, call.caller, machine, details),
      ...(withUserData ? { userdata: machine.userData } : {}),
    }));
  },
};

const startVirtualMachine: Command = {
  name: 'startVirtualMachine',
  description: 'Starts a virtual machine.',
  kind: 'async',
  parameters: { id: required(idOf('machine')), hostid: idOf('host') },
  fields: machineFields,
  run: (call, args) =>
    machineJob(call, machineFor(call, args.must('id')), async (run, machine) => {
      if (machine.state === 'Running') throw invalid(`The virtual machine ${machine.name} is already running`);
      if (machine.state !== 'Stopped') throw errorOfCode(530, `Unable to start a virtual machine in state ${machine.state}`);
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
      if (machine.state !== 'Running' && args.flag('forced') !== true) throw errorOfCode(530, `Unable to stop a virtual machine in state ${machine.state}`);
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
    if (machine.deleteProtection) throw invalid(`Instance [${machine.name}] has delete protection enabled and cannot be deleted.`);
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
      if (current.state !== 'Destroyed' && current.state !== 'Error') throw invalid('Please destroy vm with specified id before expunge');
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

export const machineCommands: readonly Command[] = [listVirtualMachines, startVirtualMachine, stopVirtualMachine, rebootVirtualMachine, destroyVirtualMachine, expungeVirtualMachine, recoverVirtualMachine];
