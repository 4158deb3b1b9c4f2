/** Commands that Holdfast does not need but clients ask for without being told: mostly lists that are empty here. */
import { accountId, accountNames } from './accounts';
import { answer, type Command, type Outcome } from './command';
import { isAsked, isVisible, listAnswer } from './paging';
import { flag, idOf, listParameters, required, text } from './parameters';
import { guestOsId, machineView, rootDomain } from './views';

function emptyList(name: string): Command {
  return {
    name,
    description: `Lists nothing: ${name} has no entries in this cloud`,
    kind: 'sync',
    parameters: { ...listParameters, id: idOf(), name: text() },
    fields: ['id', 'name'],
    run: (): Outcome => answer({}),
  };
}

const userView = (name: string) => ({
  id: accountId(`user-${name}`),
  username: name,
  firstname: name,
  lastname: 'user',
  state: 'enabled',
  account: name,
  accountid: accountId(name),
  domainid: rootDomain.id,
  domain: rootDomain.name,
});

export const clientCommands: readonly Command[] = [
  ...[
    'listProjects',
    'listVPCs',
    'listDiskOfferings',
    'listEvents',
    'listSecurityGroups',
    'listNetworkACLs',
    'listNetworkACLLists',
    'listAutoScaleVmGroups',
  ].map(emptyList),
  {
    name: 'listUsers',
    description: 'Lists user accounts',
    kind: 'sync',
    parameters: { ...listParameters, id: idOf(), username: text() },
    fields: ['id', 'username', 'account'],
    run: (call, args) =>
      listAnswer(
        args,
        'user',
        accountNames.filter(
          (name) => isAsked(args, 'username', name) && (call.caller.isRoot || call.caller.account === name),
        ),
        userView,
      ),
  },
  {
    name: 'listDomains',
    description: 'Lists domains and provides detailed information for listed domains',
    kind: 'sync',
    parameters: { ...listParameters, id: idOf(), name: text() },
    fields: ['id', 'name'],
    run: (_call, args) =>
      listAnswer(
        args,
        'domain',
        [rootDomain].filter((domain) => isAsked(args, 'name', domain.name) && isAsked(args, 'id', domain.id)),
        (domain) => ({ ...domain, level: 0, path: 'ROOT' }),
      ),
  },
  {
    name: 'listHypervisors',
    description: 'List hypervisors',
    kind: 'sync',
    parameters: { ...listParameters, zoneid: idOf('zone') },
    fields: ['name'],
    run: (_call, args) => listAnswer(args, 'hypervisor', ['KVM'], (name) => ({ name })),
  },
  {
    name: 'listOsTypes',
    description: 'Lists all supported OS types for this cloud.',
    kind: 'sync',
    parameters: { ...listParameters, id: idOf() },
    fields: ['id', 'description'],
    run: (_call, args) =>
      listAnswer(args, 'ostype', [guestOsId], (id) => ({ id, description: 'Debian GNU/Linux 12 (64-bit)' })),
  },
  {
    name: 'listManagementServersMetrics',
    description: 'Lists Management Server metrics',
    kind: 'sync',
    parameters: { ...listParameters, name: text() },
    fields: ['id', 'name', 'version', 'state'],
    run: (_call, args) =>
      listAnswer(args, 'managementserver', ['management-1'], (name) => ({
        id: accountId(name),
        name,
        version: '4.22.0.0',
        state: 'Up',
      })),
  },
  {
    name: 'listVirtualMachinesMetrics',
    description: 'Lists VM metrics',
    kind: 'sync',
    parameters: { ...listParameters, id: idOf('machine'), name: text(), userdata: flag() },
    fields: ['id', 'name', 'state'],
    run: (call, args) => {
      const found = call.world.records
        .all('machine')
        .filter(
          (machine) =>
            isVisible(call, args, machine.account) &&
            isAsked(args, 'id', machine.id) &&
            isAsked(args, 'name', machine.name),
        );
      return listAnswer(args, 'virtualmachine', found, (machine) => machineView(call.world, call.caller, machine));
    },
  },
  {
    name: 'listVolumes',
    description: 'Lists all volumes.',
    kind: 'sync',
    parameters: {
      ...listParameters,
      id: idOf('volume'),
      name: text(),
      virtualmachineid: idOf('machine'),
      type: text(),
    },
    fields: ['id', 'name', 'type', 'virtualmachineid'],
    run: (call, args) => {
      const roots = call.world.records
        .all('machine')
        .filter((machine) => isVisible(call, args, machine.account))
        .map((machine) => ({
          id: machine.diskId,
          name: `ROOT-${machine.sequence}`,
          type: 'ROOT',
          size: machine.rootDiskGb * 1_073_741_824,
          state: 'Ready',
          virtualmachineid: machine.id,
        }));
      const data = call.world.records.all('volume').map((volume) => ({
        id: volume.id,
        name: volume.name,
        type: 'DATADISK',
        size: volume.sizeGb * 1_073_741_824,
        state: 'Ready',
        virtualmachineid: '',
      }));
      const found = [...roots, ...data].filter(
        (volume) =>
          isAsked(args, 'id', volume.id) &&
          isAsked(args, 'virtualmachineid', volume.virtualmachineid) &&
          isAsked(args, 'type', volume.type),
      );
      return listAnswer(args, 'volume', found, (volume) => volume);
    },
  },
  {
    name: 'getUser',
    description: 'Find user account by API key',
    kind: 'sync',
    parameters: { userapikey: required(text()) },
    fields: ['id', 'username', 'account'],
    run: (call) => answer({ user: userView(call.caller.account) }),
  },
];
