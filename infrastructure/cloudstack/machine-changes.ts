import { type CallContext, type Cloud, CloudError, type Machine } from '@/infrastructure/cloud';
import type { Api } from './api';
import { findMachine, getMachine } from './machine-lists';
import { reach } from './reach';
import { ensureTags } from './tags';

type MachineChanges = Pick<Cloud, 'ensureMachine' | 'ensureIso' | 'ensureNoIso' | 'changeOffering' | 'setUserData'>;

const done = true;

export function machineChanges(api: Api): MachineChanges {
  return {
    ensureMachine: async (call, spec) => {
      const userdata = encodeUserData(api, 'deployVirtualMachine', spec.userData);
      const machine = await reach(call, {
        command: 'deployVirtualMachine',
        look: () => findMachine(api, call, spec),
        act: () =>
          api.create(call, 'deployVirtualMachine', {
            name: spec.name,
            displayname: spec.name,
            zoneid: spec.zoneId,
            serviceofferingid: spec.offeringId,
            templateid: spec.templateId,
            networkids: spec.networkId,
            rootdisksize: String(spec.rootDiskGb),
            // Two halves (B.2): it is tagged and has its ISO before anything runs, and no room leaves it Stopped, not in Error.
            startvm: 'false',
            userdata,
            ...(spec.sshKeyPair === null ? {} : { keypair: spec.sshKeyPair }),
          }),
      });
      const tags = Object.entries(machine.tags).map(([key, value]) => ({ key, value }));
      await ensureTags(api, call, { type: 'UserVm', id: machine.id, tags }, spec.tags);
      return (await getMachine(api, call, machine.id)) ?? machine;
    },
    ensureIso: async (call, { machineId, isoId }) => {
      await reach(call, {
        command: 'attachIso',
        look: async () => ((await existing(api, call, machineId, 'attachIso')).isoId === isoId ? done : null),
        act: async () => {
          // 4.22 would replace what is in the drive, 4.23 refuses.
          const { isoId: present } = await existing(api, call, machineId, 'attachIso');
          if (present !== null) await api.job(call, 'detachIso', { virtualmachineid: machineId });
          await api.job(call, 'attachIso', { id: isoId, virtualmachineid: machineId });
        },
      });
    },
    ensureNoIso: async (call, machineId) => {
      await reach(call, {
        command: 'detachIso',
        look: async () => {
          const machine = await getMachine(api, call, machineId);
          return machine === null || machine.isoId === null ? done : null;
        },
        act: () => api.job(call, 'detachIso', { virtualmachineid: machineId }),
      });
    },
    changeOffering: async (call, { machineId, offeringId }) => {
      await reach(call, {
        command: 'scaleVirtualMachine',
        look: async () =>
          (await existing(api, call, machineId, 'scaleVirtualMachine')).offeringId === offeringId ? done : null,
        act: () => api.job(call, 'scaleVirtualMachine', { id: machineId, serviceofferingid: offeringId }, 'long'),
      });
    },
    // Setting it again does no harm, so a lost answer needs no second look.
    setUserData: async (call, { machineId, userData }) => {
      const userdata = encodeUserData(api, 'updateVirtualMachine', userData);
      await api.change(call, 'updateVirtualMachine', { id: machineId, userdata });
    },
  };
}

async function existing(api: Api, call: CallContext, id: string, command: string): Promise<Machine> {
  const machine = await getMachine(api, call, id);
  if (machine === null) throw new CloudError('not-found', `there is no machine ${id}`, { command });
  return machine;
}

function encodeUserData(api: Api, command: string, userData: string): string {
  const encoded = Buffer.from(userData, 'utf8').toString('base64');
  const limit = api.settings.userDataLimit;
  if (encoded.length <= limit) return encoded;
  throw new CloudError(
    'refused',
    `the user data takes ${encoded.length} characters in base64; the cloud allows ${limit}`,
    { command },
  );
}
