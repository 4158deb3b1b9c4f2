/** What commands on machines share: finding the machine, and the job on it. */

import type { Machine } from '@/simulator/core/machine-model';
import { requireMachine } from '@/simulator/machine/settle';
import type { Call, JobOutcome } from './command';
import { ApiError } from './errors';
import type { JobWork } from './jobs';
import { mayUse } from './paging';
import { machineView } from './views';

/** The machine a command is about; gone ones and other people's are refused. */
export function machineFor(call: Call, id: string): Machine {
  const machine = requireMachine(call.world, id);
  if (!mayUse(call, machine.account))
    throw new ApiError(531, 4365, `Account does not have permission to operate with resource ${id}`);
  return machine;
}

/** A job on a machine; its work finds the machine as it is when its turn comes. */
export function machineJob(
  call: Call,
  machine: Machine,
  work: (run: Parameters<JobWork>[0], machine: Machine) => Promise<void>,
): JobOutcome {
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
