/** Lists as CloudStack answers them. */
import type { JsonObject } from '@/simulator/core/json';
import { answer, type Call, type Outcome } from './command';
import { badParameter } from './errors';
import type { Args } from './parameters';

const largestPage = 500;

/** The answer of a list: `count` is the total; nothing found is an empty object; a page past the end has only the count. */
export function listAnswer<T>(args: Args, key: string, found: readonly T[], view: (entry: T) => JsonObject): Outcome {
  const page = args.number('page');
  const size = args.number('pagesize');
  if ((page === undefined) !== (size === undefined)) {
    throw badParameter('Both page and pagesize are required when one of them is given');
  }
  if (size !== undefined && (size > largestPage || size === 0 || size < -1)) {
    throw badParameter(`Page size can not exceed max allowed page size value: ${largestPage}`);
  }
  if (found.length === 0) return answer({});
  if (args.flag('retrieveonlyresourcecount') === true) return answer({ count: found.length });
  if (page === undefined || size === undefined || size === -1)
    return answer({ count: found.length, [key]: found.map(view) });
  if (page < 1) throw badParameter(`Invalid page ${page}`);
  const shown = found.slice((page - 1) * size, page * size);
  return answer(shown.length === 0 ? { count: found.length } : { count: found.length, [key]: shown.map(view) });
}

/** Whether the caller sees a record of this account: users their own, root everything with `listall` or an id. */
export function isVisible(call: Call, args: Args, account: string): boolean {
  const asked = args.text('account');
  if (asked !== undefined && asked !== account) return false;
  if (call.caller.account === account) return true;
  return call.caller.isRoot && (args.flag('listall') === true || args.text('id') !== undefined || asked !== undefined);
}

/** Whether the caller may change a record of this account. */
export function mayUse(call: Call, account: string): boolean {
  return call.caller.isRoot || call.caller.account === account;
}

export function hasKeyword(args: Args, ...texts: readonly string[]): boolean {
  const keyword = args.text('keyword')?.toLowerCase();
  return keyword === undefined || texts.some((text) => text.toLowerCase().includes(keyword));
}

/** True when the filter was not given, or is this value. */
export function isAsked(args: Args, name: string, value: string | null): boolean {
  const asked = args.text(name);
  return asked === undefined || asked === '-1' || asked === value;
}

/** Tag filters: several are ORed, as CloudStack does. */
export function hasAskedTags(call: Call, args: Args, resourceId: string): boolean {
  const asked = args.maps('tags');
  if (asked.length === 0) return true;
  const tags = call.world.tagsOf(resourceId);
  return asked.some((filter) =>
    tags.some((tag) => tag.key === filter['key'] && (filter['value'] === undefined || tag.value === filter['value'])),
  );
}
