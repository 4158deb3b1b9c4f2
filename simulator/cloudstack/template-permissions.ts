/** Who may use a template. */
import { accountNames } from './accounts';
import { answer, type Call, type Outcome } from './command';
import { ApiError, invalid } from './errors';
import { mayUse } from './paging';
import type { Args } from './parameters';
import { rootDomain } from './views';

function findOwnTemplate(call: Call, args: Args) {
  const id = args.must('id');
  const template = call.world.records.get('template', id);
  if (template === undefined) throw invalid(`unable to find template with id ${id}`);
  if (!mayUse(call, template.account)) throw new ApiError(531, 4365, 'Account does not own the template');
  return template;
}

export function updateTemplatePermissions(call: Call, args: Args): Outcome {
  const template = findOwnTemplate(call, args);
  const op = args.text('op')?.toLowerCase();
  const accounts = args.list('accounts') ?? [];
  if (op !== undefined && !['add', 'remove', 'reset'].includes(op))
    throw invalid(`Invalid operation paramter. Should be add, remove, or reset: ${op}`);
  if (op === 'add') {
    const unknown = accounts.find((name) => !accountNames.some((known) => known === name));
    if (unknown !== undefined)
      throw invalid(`Unable to grant a launch permission to account ${unknown}, account not found.`);
    template.permittedAccounts = [...new Set([...template.permittedAccounts, ...accounts])];
  }
  if (op === 'remove')
    template.permittedAccounts = template.permittedAccounts.filter((name) => !accounts.includes(name));
  if (op === 'reset') Object.assign(template, { permittedAccounts: [], isPublic: false, featured: false });
  template.isPublic = args.flag('ispublic') ?? template.isPublic;
  template.featured = args.flag('isfeatured') ?? template.featured;
  call.world.records.save('template', template);
  call.world.effect('template permissions changed', call.origin, {
    id: template.id,
    name: template.name,
    op: op ?? null,
    accounts: accounts.join(','),
  });
  return answer({ success: true });
}

export function listTemplatePermissions(call: Call, args: Args): Outcome {
  const template = findOwnTemplate(call, args);
  const accounts = template.permittedAccounts;
  return answer({
    templatepermission: {
      id: template.id,
      ispublic: template.isPublic,
      domainid: rootDomain.id,
      ...(accounts.length === 0 ? {} : { account: [...accounts] }),
    },
  });
}
