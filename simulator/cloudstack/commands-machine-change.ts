/** Changing machines: offering, user data, disk, ISO. */

import { latencyMs } from '@/simulator/core/latency';
import type { Machine } from '@/simulator/core/machine-model';
import type { Offering } from '@/simulator/core/model';
import { restoreMachine } from '@/simulator/machine/power';
import { answer, type Call, type Command } from './command';
import { attachIso, detachIso } from './commands-iso';
import { machineFields } from './commands-machine-list';
import { errorOfCode, invalid } from './errors';
import { checkQuota } from './limits';
import { checkUserData, findOffering } from './machine-checks';
import { machineFor, machineJob } from './machine-jobs';
import { flag, idOf, integer, map, required, text } from './parameters';
import { machineView } from './views';

function setOffering(call: Call, machine: Machine, offering: Offering): void {
  machine.offeringId = offering.id;
  call.world.records.save('machine', machine);
  call.world.changed();
  call.world.effect('machine resized', call.origin, { id: machine.id, name: machine.name, offering: offering.name });
}

function checkGrowth(call: Call, machine: Machine, offering: Offering): void {
  const before = call.world.records.get('offering', machine.offeringId);
  const cpu = offering.cpuCount - (before?.cpuCount ?? 0);
  const memory = offering.memoryMb - (before?.memoryMb ?? 0);
  checkQuota(call.world, machine.account, { '8': cpu, '9': memory });
}

const changeServiceForVirtualMachine: Command = {
  name: 'changeServiceForVirtualMachine',
  description:
    'Changes the service offering for a virtual machine. The virtual machine must be in a "Stopped" state for this command to take effect.',
  kind: 'sync',
  parameters: { id: required(idOf('machine')), serviceofferingid: required(idOf('offering')), details: map() },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    const offering = findOffering(call, args);
    if (machine.state !== 'Stopped')
      throw invalid(
        `Unable to upgrade virtual machine ${machine.name} in state ${machine.state}; make sure the virtual machine is stopped`,
      );
    checkGrowth(call, machine, offering);
    setOffering(call, machine, offering);
    return answer({ virtualmachine: machineView(call.world, call.caller, machine) });
  },
};

function checkLiveScale(call: Call, machine: Machine, offering: Offering): void {
  if (machine.state === 'Stopped') return;
  if (machine.state !== 'Running') throw invalid(`Unable to scale a virtual machine in state ${machine.state}`);
  const template = call.world.records.get('template', machine.templateId);
  const before = call.world.records.get('offering', machine.offeringId);
  if (template?.dynamicallyScalable !== true) throw invalid('Dynamic scaling is not enabled for this virtual machine');
  if (offering.cpuCount < (before?.cpuCount ?? 0) || offering.memoryMb < (before?.memoryMb ?? 0)) {
    throw invalid('Only scaling up the virtual machine is supported while it runs');
  }
}

const scaleVirtualMachine: Command = {
  name: 'scaleVirtualMachine',
  description: 'Scales the virtual machine to a new service offering.',
  kind: 'async',
  parameters: { id: required(idOf('machine')), serviceofferingid: required(idOf('offering')), details: map() },
  fields: ['success', 'displaytext'],
  run: (call, args) => {
    const offering = findOffering(call, args);
    const machine = machineFor(call, args.must('id'));
    checkGrowth(call, machine, offering);
    const job = machineJob(call, machine, async (run, current) => {
      checkLiveScale(call, current, offering);
      await run.sleep(latencyMs.attach);
      setOffering({ ...call, origin: run.origin }, current, offering);
    });
    return job;
  },
};

function setUserData(call: Call, machine: Machine, userData: string): void {
  checkUserData(call.world, userData);
  machine.userData = userData;
  call.world.records.save('machine', machine);
  call.world.effect('user data changed', call.origin, {
    id: machine.id,
    name: machine.name,
    booted: machine.inside.bootedDiskId === machine.diskId,
  });
}

const updateVirtualMachine: Command = {
  name: 'updateVirtualMachine',
  description:
    'Updates properties of a virtual machine. The VM has to be stopped and restarted for the new properties to take effect.',
  kind: 'sync',
  parameters: {
    id: required(idOf('machine')),
    displayname: text(),
    name: text(),
    userdata: text(1_048_576),
    details: map(),
    group: text(),
    deleteprotection: flag(),
    haenable: flag(),
  },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    const userData = args.text('userdata');
    if (userData !== undefined) setUserData(call, machine, userData);
    machine.displayName = args.text('displayname') ?? machine.displayName;
    machine.deleteProtection = args.flag('deleteprotection') ?? machine.deleteProtection;
    for (const entry of args.maps('details')) Object.assign(machine.details, entry);
    call.world.records.save('machine', machine);
    return answer({ virtualmachine: machineView(call.world, call.caller, machine) });
  },
};

const resetUserDataForVirtualMachine: Command = {
  name: 'resetUserDataForVirtualMachine',
  description: 'Resets the UserData for virtual machine. The virtual machine must be in a "Stopped" state.',
  kind: 'sync',
  parameters: { id: required(idOf('machine')), userdata: text(1_048_576), userdataid: idOf() },
  fields: machineFields,
  run: (call, args) => {
    const machine = machineFor(call, args.must('id'));
    if (machine.state !== 'Stopped') throw invalid(`VM ${machine.name} should be stopped to do UserData reset`);
    setUserData(call, machine, args.text('userdata') ?? '');
    return answer({ virtualmachine: machineView(call.world, call.caller, machine) });
  },
};

const restoreVirtualMachine: Command = {
  name: 'restoreVirtualMachine',
  description: 'Restore a VM to original template/ISO or new template/ISO',
  kind: 'async',
  answer: 'restorevmresponse',
  parameters: {
    virtualmachineid: required(idOf('machine')),
    templateid: idOf('template'),
    rootdisksize: integer(),
    expunge: flag(),
  },
  fields: machineFields,
  run: (call, args) =>
    machineJob(call, machineFor(call, args.must('virtualmachineid')), async (run, machine) => {
      if (machine.state !== 'Running' && machine.state !== 'Stopped')
        throw errorOfCode(530, `Vm ${machine.name} is in state ${machine.state}, it can't be restored`);
      const templateId = args.text('templateid');
      const template = call.world.records.get('template', templateId ?? machine.templateId);
      if (template?.ready !== true) throw invalid('The template to restore from is not ready');
      machine.templateId = template.id;
      await restoreMachine(call.world, machine, run);
    }),
};

export const machineChangeCommands: readonly Command[] = [
  changeServiceForVirtualMachine,
  scaleVirtualMachine,
  updateVirtualMachine,
  resetUserDataForVirtualMachine,
  restoreVirtualMachine,
  attachIso,
  detachIso,
];
