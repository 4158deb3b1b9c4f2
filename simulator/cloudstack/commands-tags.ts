/** Tags on resources. */
import { randomUUID } from 'node:crypto';
import { latencyMs } from '@/simulator/core/latency';
import type { Call, Command, Outcome } from './command';
import { badParameter, errorOfCode, invalid } from './errors';
import { isAsked, isVisible, listAnswer } from './paging';
import { type Args, type Entity, idOf, listOf, listParameters, map, required, text } from './parameters';
import { tagView } from './views';

/** Resource types by lower-case name: the spelling used in answers, and the table that holds them. */
const taggable: Readonly<Record<string, { name: string; table: Entity }>> = {
  uservm: { name: 'UserVm', table: 'machine' },
  network: { name: 'Network', table: 'network' },
  publicipaddress: { name: 'PublicIpAddress', table: 'address' },
  loadbalancer: { name: 'LoadBalancer', table: 'balancer' },
  firewallrule: { name: 'FirewallRule', table: 'firewall' },
  portforwardingrule: { name: 'PortForwardingRule', table: 'forwarding' },
  template: { name: 'Template', table: 'template' },
  iso: { name: 'ISO', table: 'iso' },
  volume: { name: 'Volume', table: 'volume' },
};

function resourcesOf(call: Call, args: Args) {
  const type = taggable[args.must('resourcetype').toLowerCase()];
  if (type === undefined) throw invalid(`Invalid resource type: ${args.must('resourcetype')}`);
  const ids = args.list('resourceids') ?? [];
  const missing = ids.find((id) => call.world.records.get(type.table, id) === undefined);
  if (missing !== undefined) throw invalid(`Unable to find resource by id ${missing} and type ${type.name}`);
  return { type, ids };
}

function createTags(call: Call, args: Args): Outcome {
  const { world, caller } = call;
  const { type, ids } = resourcesOf(call, args);
  const pairs = args.maps('tags').map((entry) => ({ key: entry['key'] ?? '', value: entry['value'] ?? '' }));
  if (pairs.some((pair) => pair.key === '' || pair.value === ''))
    throw badParameter('Tag key and value must not be empty');
  return {
    kind: 'job',
    instanceType: 'None',
    instanceId: ids[0] ?? '',
    work: async (run) => {
      await run.sleep(latencyMs.quick);
      for (const id of ids) {
        const known = new Set(world.tagsOf(id).map((tag) => tag.key));
        const duplicate = pairs.find((pair) => known.has(pair.key));
        if (duplicate !== undefined)
          throw errorOfCode(530, `tag ${duplicate.key} already on ${type.name} with id ${id}`);
      }
      for (const id of ids) {
        for (const pair of pairs) {
          world.records.save('tag', {
            id: randomUUID(),
            ...pair,
            resourceType: type.name,
            resourceId: id,
            account: caller.account,
          });
        }
        world.effect('tags created', run.origin, {
          id,
          type: type.name,
          keys: pairs.map((pair) => pair.key).join(','),
        });
      }
      return { success: true };
    },
  };
}

function deleteTags(call: Call, args: Args): Outcome {
  const { world } = call;
  const { type, ids } = resourcesOf(call, args);
  const asked = args.maps('tags');
  return {
    kind: 'job',
    instanceType: 'None',
    instanceId: ids[0] ?? '',
    work: async (run) => {
      await run.sleep(latencyMs.quick);
      const found = ids
        .flatMap((id) => world.tagsOf(id))
        .filter(
          (tag) =>
            asked.length === 0 ||
            asked.some(
              (entry) => entry['key'] === tag.key && (entry['value'] === undefined || entry['value'] === tag.value),
            ),
        );
      if (found.length === 0) throw invalid('Unable to find any tags which conform to specified delete parameters.');
      for (const tag of found) world.records.remove('tag', tag.id);
      world.effect('tags deleted', run.origin, {
        ids: ids.join(','),
        type: type.name,
        keys: found.map((tag) => tag.key).join(','),
      });
      return { success: true };
    },
  };
}

function listTags(call: Call, args: Args): Outcome {
  const type = args.text('resourcetype')?.toLowerCase();
  const found = call.world.records
    .all('tag')
    .filter(
      (tag) =>
        isVisible(call, args, tag.account) &&
        (type === undefined || tag.resourceType.toLowerCase() === type) &&
        isAsked(args, 'resourceid', tag.resourceId) &&
        isAsked(args, 'key', tag.key) &&
        isAsked(args, 'value', tag.value),
    );
  return listAnswer(args, 'tag', found, tagView);
}

const success = ['success', 'displaytext'];

export const tagCommands: readonly Command[] = [
  {
    name: 'createTags',
    description: 'Creates resource tag(s)',
    kind: 'async',
    parameters: { tags: required(map()), resourcetype: required(text()), resourceids: required(listOf()) },
    fields: success,
    run: createTags,
  },
  {
    name: 'deleteTags',
    description: 'Deleting resource tag(s)',
    kind: 'async',
    parameters: { tags: map(), resourcetype: required(text()), resourceids: required(listOf()) },
    fields: success,
    run: deleteTags,
  },
  {
    name: 'listTags',
    description: 'List resource tag(s)',
    kind: 'sync',
    parameters: { ...listParameters, resourcetype: text(), resourceid: idOf(), key: text(), value: text() },
    fields: ['key', 'value', 'resourcetype', 'resourceid'],
    run: listTags,
  },
];
