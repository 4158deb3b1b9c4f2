import type { CallContext, Cloud, Machine, MachineState } from '@/infrastructure/cloud';
import type { Parameters } from '@/infrastructure/signature';
import type { Api } from './api';
import { type MachineShape, machineShape } from './shapes';
import { tagParameters } from './tags';

type MachineLists = Pick<Cloud, 'listMachines' | 'getMachine' | 'findMachine'>;

/** Without statistics and volumes, which make a listing of thousands slow. Tags always come. */
const listDetails = 'nics,servoff,tmpl';
const oneDetails = `${listDetails},iso`;

export function machineLists(api: Api): MachineLists {
  return {
    listMachines: async (call, filter) => {
      const found = await listAllMachines(api, call, machineFilter(filter));
      const wanted =
        'namePrefix' in filter ? found.filter((machine) => machine.name.startsWith(filter.namePrefix)) : found;
      return wanted.filter((machine) => !isGone(machine.state)).map(toMachine);
    },
    getMachine: (call, id) => getMachine(api, call, id),
    findMachine: (call, by) => findMachine(api, call, by),
  };
}

/** Destroyed ones too, which keep their name and their network until they are expunged. Admin keys only see those. */
export function listAllMachines(api: Api, call: CallContext, parameters: Parameters): Promise<MachineShape[]> {
  const all = { listall: 'true', details: listDetails, ...parameters };
  return api.list(call, 'listVirtualMachines', all, 'virtualmachine', machineShape);
}

/** In whatever state it is; null when it is not listed. */
export async function rawMachine(api: Api, call: CallContext, id: string): Promise<MachineShape | null> {
  const parameters = { id, listall: 'true', details: oneDetails };
  const [found] = await api.listOrNone(call, 'listVirtualMachines', parameters, 'virtualmachine', machineShape);
  return found ?? null;
}

export async function getMachine(api: Api, call: CallContext, id: string): Promise<Machine | null> {
  const found = await rawMachine(api, call, id);
  return found === null || isGone(found.state) ? null : toMachine(found);
}

export async function findMachine(
  api: Api,
  call: CallContext,
  by: { name: string; networkId: string },
): Promise<Machine | null> {
  const parameters = { name: by.name, networkid: by.networkId, listall: 'true', details: oneDetails };
  const found = await api.listOrNone(call, 'listVirtualMachines', parameters, 'virtualmachine', machineShape);
  const [first] = found.filter((machine) => machine.name === by.name && !isGone(machine.state));
  return first === undefined ? null : toMachine(first);
}

export function isGone(state: string): boolean {
  return state === 'Destroyed' || state === 'Expunging';
}

/** A prefix is looked for by `keyword`, which finds it anywhere in the name. */
function machineFilter(filter: MachineFilter): Parameters {
  if ('tag' in filter) return tagParameters([[filter.tag.key, filter.tag.value]]);
  return 'networkId' in filter ? { networkid: filter.networkId } : { keyword: filter.namePrefix };
}
type MachineFilter = { tag: { key: string; value: string } } | { networkId: string } | { namePrefix: string };

const states: Readonly<Record<string, MachineState>> = {
  Running: 'running',
  Stopped: 'stopped',
  Starting: 'starting',
  Stopping: 'stopping',
  Error: 'error',
};

function toMachine(machine: MachineShape): Machine {
  const nic = machine.nic.find((each) => each.isdefault) ?? machine.nic[0];
  return {
    id: machine.id,
    name: machine.name,
    state: states[machine.state] ?? 'other',
    zoneId: machine.zoneid,
    networkId: nic?.networkid ?? null,
    ip: nic?.ipaddress ?? null,
    offeringId: machine.serviceofferingid,
    templateId: machine.templateid ?? null,
    isoId: machine.isoid ?? machine.isos[0]?.id ?? null,
    tags: Object.fromEntries(machine.tags.map((tag) => [tag.key, tag.value])),
    createdAt: new Date(machine.created),
    deleteProtected: machine.deleteprotection,
  };
}
