import { z } from 'zod';
import { type CallContext, type Cloud, CloudError } from '@/infrastructure/cloud';
import type { Api } from './api';
import { isKind } from './errors';
import { templateShape } from './shapes';

const command = 'updateTemplatePermissions';

/**
 * Lets our own account use a template that is not public. `op=add` may be repeated. Only the owner or an admin may add: where
 * we may not, and may use the template already, there is nothing to do.
 */
export function templatePermission(api: Api): Pick<Cloud, 'ensureTemplatePermission'> {
  return {
    ensureTemplatePermission: async (call, templateId) => {
      const parameters = { templatefilter: 'executable', id: templateId };
      const [template] = await api.listOrNone(call, 'listTemplates', parameters, 'template', templateShape);
      if (template?.ispublic === true) return;
      const account = await ownAccount(api, call);
      if (template !== undefined && (account === null || template.account === account)) return;
      if (account === null)
        throw new CloudError('refused', 'the account of the key is not known, so it cannot be permitted', { command });
      try {
        await api.change(call, command, { id: templateId, op: 'add', accounts: account });
      } catch (error) {
        if (template === undefined || !isKind(error, 'denied', 'refused')) throw error;
      }
    },
  };
}

/** Without `listall` a key sees its own account only; null where it may not even ask. */
async function ownAccount(api: Api, call: CallContext): Promise<string | null> {
  try {
    const accounts = await api.list(call, 'listAccounts', {}, 'account', z.object({ name: z.string() }));
    return accounts.length === 1 ? (accounts[0]?.name ?? null) : null;
  } catch (error) {
    if (isKind(error, 'denied')) return null;
    throw error;
  }
}
