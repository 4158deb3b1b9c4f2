import { z } from 'zod';
import { type CallContext, type Cloud, CloudError, type Machine } from '@/infrastructure/cloud';
import type { Api } from './api';
import { isKind } from './errors';
import { getMachine, rawMachine } from './machine-lists';
import { lookUntil, reach } from './reach';

type MachinePower = Pick<Cloud, 'startMachine' | 'stopMachine' | 'destroyMachine' | 'restoreMachine'>;

const done = true;

export function machinePower(api: Api): MachinePower {
  return {
    startMachine: async (call, id) => {
      await reach(call, {
        command: 'startVirtualMachine',
        look: async () =>
          (await settledMachine(api, call, id, 'startVirtualMachine')).state === 'running' ? done : null,
        act: () => api.job(call, 'startVirtualMachine', { id }, 'long'),
      });
    },
    stopMachine: async (call, id) => {
      await reach(call, {
        command: 'stopVirtualMachine',
        // One in error does not run either, and a stop of it does nothing (A.6).
        look: async () => {
          const { state } = await settledMachine(api, call, id, 'stopVirtualMachine');
          return state === 'stopped' || state === 'error' ? done : null;
        },
        act: () => api.job(call, 'stopVirtualMachine', { id }, 'long'),
      });
    },
    destroyMachine: async (call, id) => {
      const mayExpunge = await canExpunge(api, call);
      await reach(call, {
        command: 'destroyVirtualMachine',
        look: () => destroyed(api, call, id, mayExpunge),
        act: async () => {
          const machine = await rawMachine(api, call, id);
          if (machine?.state === 'Destroyed') await api.job(call, 'expungeVirtualMachine', { id }, 'long');
          else await api.job(call, 'destroyVirtualMachine', { id, expunge: String(mayExpunge) }, 'long');
        },
      });
    },
    restoreMachine: async (call, id) => {
      await api.job(call, 'restoreVirtualMachine', { virtualmachineid: id }, 'long');
    },
  };
}

/** Waits for a change that is under way, whoever asked for it: acting in between is refused with 530. */
export async function settledMachine(api: Api, call: CallContext, id: string, command: string): Promise<Machine> {
  const machine = await lookUntil(api, call, {
    command,
    look: () => getMachine(api, call, id),
    settled: (seen) => seen?.state !== 'starting' && seen?.state !== 'stopping',
    boundMs: api.settings.timeouts.longJobMs,
  });
  if (machine === null) throw new CloudError('not-found', `there is no machine ${id}`, { command });
  return machine;
}

/** Gone means that its name is free again, so an expunge that is under way is waited for. */
async function destroyed(api: Api, call: CallContext, id: string, mayExpunge: boolean): Promise<typeof done | null> {
  const machine = await lookUntil(api, call, {
    command: 'destroyVirtualMachine',
    look: () => rawMachine(api, call, id),
    settled: (seen) => seen?.state !== 'Expunging',
    boundMs: api.settings.timeouts.shortJobMs,
  });
  if (machine === null || machine.state === 'Expunging') return done;
  return machine.state === 'Destroyed' && !mayExpunge ? done : null;
}

const capability = z.object({ capability: z.object({ allowuserexpungerecovervm: z.boolean().default(true) }) });

/** Where users may not expunge (530 in the job), a destroyed machine keeps its name for a day; names carry a generation for that. */
async function canExpunge(api: Api, call: CallContext): Promise<boolean> {
  try {
    const answer = capability.safeParse(await api.read(call, 'listCapabilities', {}));
    return answer.data?.capability.allowuserexpungerecovervm ?? true;
  } catch (error) {
    if (isKind(error, 'denied', 'refused', 'not-found')) return true;
    throw error;
  }
}
