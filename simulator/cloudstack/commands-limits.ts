/** Account limits, what is used of them, and the accounts. */

import type { JsonObject } from '@/simulator/core/json';
import { accountId, accountNames } from './accounts';
import type { Call, Outcome } from './command';
import { limitOf, resourceTypes, usageOf } from './limits';
import { isAsked, listAnswer } from './paging';
import type { Args } from './parameters';
import { ownershipView, rootDomain } from './views';

export function listResourceLimits(call: Call, args: Args): Outcome {
  const account = args.text('account') ?? call.caller.account;
  const found = Object.entries(resourceTypes).filter(([type]) => isAsked(args, 'resourcetype', type));
  return listAnswer(args, 'resourcelimit', found, ([type, name]) => ({
    ...ownershipView(account),
    resourcetype: type,
    resourcetypename: name,
    max: limitOf(call.world, account, type),
  }));
}

/** The account lists carry limit, use and what is left of each type. */
function accountView(call: Call, name: string): JsonObject {
  const used = usageOf(call.world, name);
  const names: readonly (readonly [string, string])[] = [
    ['vm', '0'],
    ['ip', '1'],
    ['volume', '2'],
    ['template', '4'],
    ['network', '6'],
    ['cpu', '8'],
    ['memory', '9'],
  ];
  const view: JsonObject = {
    id: accountId(name),
    name,
    accounttype: name === 'admin' ? 1 : 0,
    rolename: name === 'admin' ? 'Root Admin' : 'User',
    state: 'enabled',
    domainid: rootDomain.id,
    domain: rootDomain.name,
  };
  for (const [prefix, type] of names) {
    const limit = limitOf(call.world, name, type);
    view[`${prefix}limit`] = limit < 0 ? 'Unlimited' : String(limit);
    view[`${prefix}total`] = used[type] ?? 0;
    view[`${prefix}available`] = limit < 0 ? 'Unlimited' : String(limit - (used[type] ?? 0));
  }
  return view;
}

export function listAccounts(call: Call, args: Args): Outcome {
  const found = accountNames.filter(
    (name) => isAsked(args, 'name', name) && (call.caller.isRoot || name === call.caller.account),
  );
  return listAnswer(args, 'account', found, (name) => accountView(call, name));
}
