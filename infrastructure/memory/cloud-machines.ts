import { assertUserDataFits } from '@/infrastructure/bootstrap/cloud-config';
import type { CallContext, Cloud, Machine, MachineSpec } from '@/infrastructure/cloud';
import { headroom } from './cloud-catalogue';
import { cloudWords, notFound, overQuota, refused } from './cloud-words';
import { hasTags, withTags } from './tags';
import type { MemoryMachine, World } from './world';

type MachineMethods = Pick<Cloud, 'listMachines' | 'getMachine' | 'findMachine' | 'ensureMachine' | 'setUserData'>;

export function machineMethods(world: World): MachineMethods {
  const { acts } = world;
  const all = () => [...world.machines.values()];
  const find = (by: { name: string; networkId: string }) =>
    all().find((each) => each.name === by.name && each.networkId === by.networkId);
  return {
    listMachines: (call, filter) =>
      acts.read(call, cloudWords, {
        method: 'listMachines',
        subject: 'tag' in filter ? filter.tag.value : 'networkId' in filter ? filter.networkId : filter.namePrefix,
        look: () => {
          const wanted = all().filter((each) => {
            if ('tag' in filter) return each.tags.get(filter.tag.key) === filter.tag.value;
            return 'networkId' in filter
              ? each.networkId === filter.networkId
              : each.name.startsWith(filter.namePrefix);
          });
          // Listings do not say what is in the drive.
          return wanted.map((each) => ({ ...toMachine(each), isoId: null }));
        },
      }),
    getMachine: (call, id) =>
      acts.read(call, cloudWords, {
        method: 'getMachine',
        subject: world.machines.get(id)?.name ?? id,
        look: () => {
          const found = world.machines.get(id);
          return found === undefined ? null : toMachine(found);
        },
      }),
    findMachine: (call, by) =>
      acts.read(call, cloudWords, {
        method: 'findMachine',
        subject: by.name,
        look: () => {
          const found = find(by);
          return found === undefined ? null : toMachine(found);
        },
      }),
    ensureMachine: async (call, spec) => {
      const method = 'ensureMachine';
      assertFits(method, spec.userData);
      const machine = await acts.change(call, cloudWords, {
        method,
        subject: spec.name,
        look: () => {
          const found = find(spec);
          return found !== undefined && hasTags(found, spec.tags) ? found : undefined;
        },
        // The name is unique in its network, so a second create at the same time is refused and finds the first.
        change: () => withTags(find(spec) ?? deploy(world, spec), spec.tags),
      });
      return toMachine(machine);
    },
    setUserData: async (call, spec) => {
      assertFits('setUserData', spec.userData);
      await acts.change(call, cloudWords, {
        method: 'setUserData',
        subject: world.machines.get(spec.machineId)?.name ?? spec.machineId,
        look: () => {
          machineOf(world, 'setUserData', spec.machineId);
          return undefined;
        },
        change: () => {
          machineOf(world, 'setUserData', spec.machineId).userData = spec.userData;
          return true;
        },
      });
    },
  };
}

export function machineOf(world: World, method: string, id: string): MemoryMachine {
  const machine = world.machines.get(id);
  if (machine === undefined) throw notFound(method, `machine ${id}`);
  return machine;
}

/** A change of one machine, told by its name. */
export async function changeMachine(
  world: World,
  call: CallContext,
  method: string,
  id: string,
  act: { isSo: (machine: MemoryMachine) => boolean; change: (machine: MemoryMachine) => void | Promise<void> },
): Promise<void> {
  await world.acts.change(call, cloudWords, {
    method,
    subject: world.machines.get(id)?.name ?? id,
    look: () => (act.isSo(machineOf(world, method, id)) ? true : undefined),
    change: async () => {
      const machine = machineOf(world, method, id);
      if (!act.isSo(machine)) await act.change(machine);
      return true;
    },
  });
}

function deploy(world: World, spec: MachineSpec): MemoryMachine {
  const method = 'ensureMachine';
  const { catalogue } = world;
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(spec.name)) throw refused(method, `${spec.name} is not a host name`);
  if (!world.networks.has(spec.networkId)) throw notFound(method, `network ${spec.networkId}`);
  if (!catalogue.offerings.some((each) => each.id === spec.offeringId))
    throw notFound(method, `offering ${spec.offeringId}`);
  const template = catalogue.templates.find((each) => each.id === spec.templateId);
  if (template === undefined) throw notFound(method, `template ${spec.templateId}`);
  if (!template.ready) throw refused(method, `template ${template.name} is not ready`);
  const usable = template.isPublic || world.permittedTemplates.has(template.id);
  if (!usable) throw refused(method, `template ${template.name} is not permitted to the account`, 531);
  const left = headroom(world);
  if (left.machines === 0) throw overQuota(method, 'user_vm');
  return newMachine(world, { ...spec, state: 'stopped' });
}

type NewMachine = Pick<
  MemoryMachine,
  'name' | 'state' | 'zoneId' | 'networkId' | 'offeringId' | 'templateId' | 'userData'
>;

/** Puts it into the world, with an address of its network. */
export function newMachine(world: World, spec: NewMachine): MemoryMachine {
  const { name, state, zoneId, networkId, offeringId, templateId, userData } = spec;
  const id = world.nextId();
  const network = world.networks.get(networkId)?.cidr.replace(/\d+\/\d+$/, '') ?? '10.1.0.';
  const machine: MemoryMachine = {
    ...{ id, name, state, zoneId, networkId, offeringId, templateId, userData },
    ip: `${network}${10 + (Number(id.slice(-6)) % 240)}`,
    isoId: null,
    disk: { bootedWith: null, done: false },
    tags: new Map(),
    createdAt: new Date(),
    deleteProtected: false,
    neverJoins: false,
    kubeletDown: false,
  };
  world.machines.set(id, machine);
  return machine;
}

function assertFits(method: string, userData: string): void {
  try {
    assertUserDataFits(userData);
  } catch (error) {
    throw refused(method, error instanceof Error ? error.message : String(error));
  }
}

function toMachine(machine: MemoryMachine): Machine {
  const { id, name, state, zoneId, networkId, ip, offeringId, templateId, isoId, createdAt, deleteProtected } = machine;
  const tags = Object.fromEntries(machine.tags);
  return { id, name, state, zoneId, networkId, ip, offeringId, templateId, isoId, tags, createdAt, deleteProtected };
}
