/** Jobs, template permissions, SSH keys, affinity groups, and empty lists that clients ask for. */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { latencyMs } from '@/simulator/core/latency';
import type { JsonObject } from '@/simulator/core/json';
import type { Job, KeyPair } from '@/simulator/core/model';
import { accountId, accountNames } from './accounts';
import { answer, type Call, type Command, type Outcome } from './command';
import { removeRecord } from './commands-networks';
import { ApiError, badParameter, invalid } from './errors';
import { hasKeyword, isAsked, isVisible, listAnswer, mayUse } from './paging';
import { type Args, flag, idOf, listOf, listParameters, required, text } from './parameters';
import { dateText, ownershipView, rootDomain } from './views';

function jobView(job: Job): JsonObject {
  return {
    accountid: accountId(job.account),
    userid: job.user,
    cmd: `org.apache.cloudstack.api.command.user.${job.command.charAt(0).toUpperCase()}${job.command.slice(1)}Cmd`,
    jobstatus: job.status,
    jobprocstatus: 0,
    jobresultcode: job.code,
    ...(job.result === null ? {} : { jobresulttype: 'object', jobresult: job.result }),
    jobinstancetype: job.instanceType,
    jobinstanceid: job.instanceId,
    created: dateText(job.created),
    ...(job.completed === null ? {} : { completed: dateText(job.completed) }),
    jobid: job.id,
  };
}

function queryAsyncJobResult(call: Call, args: Args): Outcome {
  const { records } = call.world;
  call.world.jobs.prune();
  const resourceId = args.text('resourceid');
  const id = args.text('jobid');
  const newest = records.all('job').filter((candidate) => candidate.instanceId === resourceId).sort((a, b) => b.created - a.created)[0];
  const job = id === undefined ? newest : records.get('job', id);
  if (job === undefined || job.vanished || !mayUse(call, job.account)) {
    throw badParameter(`Unable to find a job by id ${id ?? resourceId ?? ''}: Invalid parameter jobid, entity does not exist`);
  }
  return answer(jobView(job));
}

function listAsyncJobs(call: Call, args: Args): Outcome {
  const found = call.world.records.all('job').filter((job) => job.status === 0 && !job.vanished && isVisible(call, args, job.account) && hasKeyword(args, job.command));
  return listAnswer(args, 'asyncjobs', found, jobView);
}

function findOwnTemplate(call: Call, args: Args) {
  const id = args.must('id');
  const template = call.world.records.get('template', id);
  if (template === undefined) throw invalid(`unable to find template with id ${id}`);
  if (!mayUse(call, template.account)) throw new ApiError(531, 4365, 'Account does not own the template');
  return template;
}

function updateTemplatePermissions(call: Call, args: Args): Outcome {
  const template = findOwnTemplate(call, args);
  const op = args.text('op')?.toLowerCase();
  const accounts = args.list('accounts') ?? [];
  if (op !== undefined && !['add', 'remove', 'reset'].includes(op)) throw invalid(`Invalid operation paramter. Should be add, remove, or reset: ${op}`);
  if (op === 'add') {
    const unknown = accounts.find((name) => !accountNames.some((known) => known === name));
    if (unknown !== undefined) throw invalid(`Unable to grant a launch permission to account ${unknown}, account not found.`);
    template.permittedAccounts = [...new Set([...template.permittedAccounts, ...accounts])];
  }
  if (op === 'remove') template.permittedAccounts = template.permittedAccounts.filter((name) => !accounts.includes(name));
  if (op === 'reset') Object.assign(template, { permittedAccounts: [], isPublic: false, featured: false });
  template.isPublic = args.flag('ispublic') ?? template.isPublic;
  template.featured = args.flag('isfeatured') ?? template.featured;
  call.world.records.save('template', template);
  call.world.effect('template permissions changed', call.origin, { id: template.id, name: template.name, op: op ?? null, accounts: accounts.join(',') });
  return answer({ success: true });
}

function listTemplatePermissions(call: Call, args: Args): Outcome {
  const template = findOwnTemplate(call, args);
  const accounts = template.permittedAccounts;
  return answer({ templatepermission: { id: template.id, ispublic: template.isPublic, domainid: rootDomain.id, ...(accounts.length === 0 ? {} : { account: [...accounts] }) } });
}

function saveKeyPair(call: Call, name: string, publicKey: string): KeyPair {
  const { records } = call.world;
  const taken = records.find('keyPair', (pair) => pair.name === name && pair.account === call.caller.account);
  if (taken !== undefined) throw invalid(`A key pair with name '${name}' already exists.`);
  const digest = createHash('md5').update(publicKey).digest('hex');
  const pair: KeyPair = { id: randomUUID(), name, publicKey, fingerprint: (digest.match(/../g) ?? []).join(':'), account: call.caller.account };
  records.save('keyPair', pair);
  return pair;
}

const keyPairView = (pair: KeyPair): JsonObject => ({ id: pair.id, name: pair.name, fingerprint: pair.fingerprint, ...ownershipView(pair.account) });

function createKeyPair(call: Call, args: Args): Outcome {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
  return answer({ keypair: { ...keyPairView(saveKeyPair(call, args.must('name'), keys.publicKey)), privatekey: keys.privateKey } });
}

function deleteKeyPair(call: Call, args: Args): Outcome {
  const pair = call.world.records.find('keyPair', (candidate) => candidate.name === args.must('name') && mayUse(call, candidate.account));
  if (pair === undefined) throw invalid(`A key pair with name '${args.must('name')}' does not exist`);
  call.world.records.remove('keyPair', pair.id);
  return answer({ success: true });
}

function listKeyPairs(call: Call, args: Args): Outcome {
  const found = call.world.records.all('keyPair').filter((pair) => isVisible(call, args, pair.account) && isAsked(args, 'name', pair.name) && hasKeyword(args, pair.name));
  return listAnswer(args, 'sshkeypair', found, keyPairView);
}

function createAffinityGroup(call: Call, args: Args): Outcome {
  const { world, caller } = call;
  const name = args.must('name');
  if (world.records.find('affinityGroup', (group) => group.name === name && group.account === caller.account) !== undefined) throw invalid(`Unable to create affinity group, a group with name ${name} already exists.`);
  const group = { id: randomUUID(), name, type: args.must('type'), account: caller.account };
  world.records.save('affinityGroup', group);
  const work = async () => ({ affinitygroup: { ...group } });
  return { kind: 'job', id: group.id, instanceType: 'AffinityGroup', instanceId: group.id, work };
}

function deleteAffinityGroup(call: Call, args: Args): Outcome {
  const group = call.world.records.find('affinityGroup', (candidate) => candidate.id === args.text('id') || candidate.name === args.text('name'));
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
  const found = call.world.records.all('affinityGroup').filter((group) => isVisible(call, args, group.account) && isAsked(args, 'id', group.id) && isAsked(args, 'name', group.name));
  return listAnswer(args, 'affinitygroup', found, (group) => ({ id: group.id, name: group.name, type: group.type, ...ownershipView(group.account) }));
}

const success = ['success', 'displaytext'];
const keyFields = ['name', 'fingerprint', 'account'];
const name = required(text());
const groupFields = ['id', 'name', 'type'];

export const restCommands: readonly Command[] = [
  { name: 'queryAsyncJobResult', description: 'Retrieves the current status of asynchronous job.', kind: 'sync', parameters: { jobid: idOf(), resourceid: idOf(), resourcetype: text() }, fields: ['jobid', 'jobstatus', 'jobresultcode', 'jobresult', 'created', 'completed'], run: queryAsyncJobResult },
  { name: 'listAsyncJobs', description: 'Lists all pending asynchronous jobs for the account.', kind: 'sync', parameters: { ...listParameters, startdate: text() }, fields: ['jobid', 'cmd', 'jobstatus'], run: listAsyncJobs },
  { name: 'updateTemplatePermissions', description: 'Updates a template visibility permissions.', kind: 'sync', parameters: { id: required(idOf('template')), op: text(), accounts: listOf(), projectids: listOf(), ispublic: flag(), isfeatured: flag(), isextractable: flag() }, fields: success, run: updateTemplatePermissions },
  { name: 'listTemplatePermissions', description: 'List template visibility and all accounts that have permissions to view this template.', kind: 'sync', parameters: { id: required(idOf('template')) }, fields: ['id', 'ispublic', 'domainid', 'account'], run: listTemplatePermissions },
  { name: 'createSSHKeyPair', description: 'Create a new keypair and returns the private key', kind: 'sync', parameters: { name, account: text(), domainid: idOf() }, fields: [...keyFields, 'privatekey'], run: createKeyPair },
  { name: 'registerSSHKeyPair', description: 'Register a public key in a keypair under a certain name', kind: 'sync', parameters: { name, publickey: required(text(5_120)), account: text(), domainid: idOf() }, fields: keyFields, run: (call, args) => answer({ keypair: keyPairView(saveKeyPair(call, args.must('name'), args.must('publickey'))) }) },
  { name: 'listSSHKeyPairs', description: 'List registered keypairs', kind: 'sync', parameters: { ...listParameters, name: text(), fingerprint: text() }, fields: keyFields, run: listKeyPairs },
  { name: 'deleteSSHKeyPair', description: 'Deletes a keypair by name', kind: 'sync', parameters: { name }, fields: success, run: deleteKeyPair },
  { name: 'createAffinityGroup', description: 'Creates an affinity/anti-affinity group', kind: 'create', parameters: { name, type: required(text()), description: text(4_096) }, fields: groupFields, run: createAffinityGroup },
  { name: 'deleteAffinityGroup', description: 'Deletes affinity group', kind: 'async', parameters: { id: idOf('affinityGroup'), name: text() }, fields: success, run: deleteAffinityGroup },
  { name: 'listAffinityGroups', description: 'Lists affinity groups', kind: 'sync', parameters: { ...listParameters, id: idOf('affinityGroup'), name: text(), type: text() }, fields: groupFields, run: listAffinityGroups },
];
