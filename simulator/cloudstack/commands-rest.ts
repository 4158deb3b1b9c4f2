/** Jobs, template permissions, SSH keys, affinity groups, and empty lists that clients ask for. */

import { randomUUID } from 'node:crypto';
import { latencyMs } from '@/simulator/core/latency';
import { answer, type Call, type Command, type Outcome } from './command';
import { listAsyncJobs, queryAsyncJobResult } from './commands-jobs';
import { createKeyPair, deleteKeyPair, keyPairView, listKeyPairs, saveKeyPair } from './commands-keys';
import { removeRecord } from './commands-networks';
import { invalid } from './errors';
import { isAsked, isVisible, listAnswer } from './paging';
import { type Args, flag, idOf, listOf, listParameters, required, text } from './parameters';
import { listTemplatePermissions, updateTemplatePermissions } from './template-permissions';
import { ownershipView } from './views';

function createAffinityGroup(call: Call, args: Args): Outcome {
  const { world, caller } = call;
  const name = args.must('name');
  if (
    world.records.find('affinityGroup', (group) => group.name === name && group.account === caller.account) !==
    undefined
  )
    throw invalid(`Unable to create affinity group, a group with name ${name} already exists.`);
  const group = { id: randomUUID(), name, type: args.must('type'), account: caller.account };
  world.records.save('affinityGroup', group);
  const work = async () => ({ affinitygroup: { ...group } });
  return { kind: 'job', id: group.id, instanceType: 'AffinityGroup', instanceId: group.id, work };
}

function deleteAffinityGroup(call: Call, args: Args): Outcome {
  const group = call.world.records.find(
    'affinityGroup',
    (candidate) => candidate.id === args.text('id') || candidate.name === args.text('name'),
  );
  if (group === undefined) throw invalid('Unable to find affinity group');
  return {
    kind: 'job',
    instanceType: 'AffinityGroup',
    instanceId: group.id,
    work: async (run) => {
      await run.sleep(latencyMs.quick);
      removeRecord(call.world, 'affinityGroup', group.id);
      return { success: true };
    },
  };
}

function listAffinityGroups(call: Call, args: Args): Outcome {
  const found = call.world.records
    .all('affinityGroup')
    .filter(
      (group) =>
        isVisible(call, args, group.account) && isAsked(args, 'id', group.id) && isAsked(args, 'name', group.name),
    );
  return listAnswer(args, 'affinitygroup', found, (group) => ({
    id: group.id,
    name: group.name,
    type: group.type,
    ...ownershipView(group.account),
  }));
}

export const success = ['success', 'displaytext'];

const keyFields = ['name', 'fingerprint', 'account'];

export const name = required(text());

const groupFields = ['id', 'name', 'type'];

export const restCommands: readonly Command[] = [
  {
    name: 'queryAsyncJobResult',
    description: 'Retrieves the current status of asynchronous job.',
    kind: 'sync',
    parameters: { jobid: idOf(), resourceid: idOf(), resourcetype: text() },
    fields: ['jobid', 'jobstatus', 'jobresultcode', 'jobresult', 'created', 'completed'],
    run: queryAsyncJobResult,
  },
  {
    name: 'listAsyncJobs',
    description: 'Lists all pending asynchronous jobs for the account.',
    kind: 'sync',
    parameters: { ...listParameters, startdate: text() },
    fields: ['jobid', 'cmd', 'jobstatus'],
    run: listAsyncJobs,
  },
  {
    name: 'updateTemplatePermissions',
    description: 'Updates a template visibility permissions.',
    kind: 'sync',
    parameters: {
      id: required(idOf('template')),
      op: text(),
      accounts: listOf(),
      projectids: listOf(),
      ispublic: flag(),
      isfeatured: flag(),
      isextractable: flag(),
    },
    fields: success,
    run: updateTemplatePermissions,
  },
  {
    name: 'listTemplatePermissions',
    description: 'List template visibility and all accounts that have permissions to view this template.',
    kind: 'sync',
    parameters: { id: required(idOf('template')) },
    fields: ['id', 'ispublic', 'domainid', 'account'],
    run: listTemplatePermissions,
  },
  {
    name: 'createSSHKeyPair',
    description: 'Create a new keypair and returns the private key',
    kind: 'sync',
    parameters: { name, account: text(), domainid: idOf() },
    fields: [...keyFields, 'privatekey'],
    run: createKeyPair,
  },
  {
    name: 'registerSSHKeyPair',
    description: 'Register a public key in a keypair under a certain name',
    kind: 'sync',
    parameters: { name, publickey: required(text(5_120)), account: text(), domainid: idOf() },
    fields: keyFields,
    run: (call, args) => answer({ keypair: keyPairView(saveKeyPair(call, args.must('name'), args.must('publickey'))) }),
  },
  {
    name: 'listSSHKeyPairs',
    description: 'List registered keypairs',
    kind: 'sync',
    parameters: { ...listParameters, name: text(), fingerprint: text() },
    fields: keyFields,
    run: listKeyPairs,
  },
  {
    name: 'deleteSSHKeyPair',
    description: 'Deletes a keypair by name',
    kind: 'sync',
    parameters: { name },
    fields: success,
    run: deleteKeyPair,
  },
  {
    name: 'createAffinityGroup',
    description: 'Creates an affinity/anti-affinity group',
    kind: 'create',
    parameters: { name, type: required(text()), description: text(4_096) },
    fields: groupFields,
    run: createAffinityGroup,
  },
  {
    name: 'deleteAffinityGroup',
    description: 'Deletes affinity group',
    kind: 'async',
    parameters: { id: idOf('affinityGroup'), name: text() },
    fields: success,
    run: deleteAffinityGroup,
  },
  {
    name: 'listAffinityGroups',
    description: 'Lists affinity groups',
    kind: 'sync',
    parameters: { ...listParameters, id: idOf('affinityGroup'), name: text(), type: text() },
    fields: groupFields,
    run: listAffinityGroups,
  },
];
