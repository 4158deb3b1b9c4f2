/** Who holds which key pair. Three tenants: `admin` (root), `holdfast`, and `reader`, who may only look into `holdfast`. */
import type { World } from '@/simulator/world';
import { fixedId } from './catalogue';
import type { Caller } from './command';
import { isSignatureValid } from './signature';

interface Tenant extends Caller {
  apiKey: string;
  secretKey: string;
}

export function tenants(world: World): Tenant[] {
  const { settings } = world;
  return [
    {
      apiKey: settings.adminApiKey,
      secretKey: settings.adminSecretKey,
      account: 'admin',
      user: 'admin',
      isRoot: true,
      readOnly: false,
    },
    {
      apiKey: settings.apiKey,
      secretKey: settings.secretKey,
      account: 'holdfast',
      user: 'holdfast',
      isRoot: settings.tenantRole === 'root',
      readOnly: false,
    },
    {
      apiKey: settings.readerApiKey,
      secretKey: settings.readerSecretKey,
      account: 'holdfast',
      user: 'reader',
      isRoot: false,
      readOnly: true,
    },
  ];
}

export const accountNames = ['admin', 'holdfast'] as const;

export const accountId = (name: string): string => fixedId(`account/${name}`);

/** The caller whose key signed these parameters, or null: unknown key, wrong or expired signature. */
export function accountCaller(world: World, parameters: ReadonlyMap<string, string>): Caller | null {
  let apiKey: string | undefined;
  for (const [name, value] of parameters) if (name.toLowerCase() === 'apikey') apiKey = value;
  const tenant = tenants(world).find((candidate) => candidate.apiKey === apiKey);
  if (tenant === undefined) return null;
  const options = { nowMs: Date.now(), enforce: world.settings.enforcePost };
  return isSignatureValid(parameters, tenant.secretKey, options) ? tenant : null;
}

/** Whether a key pair is one of this cloud's, as the cloud provider inside a cluster would find out. */
export function isKeyPairKnown(world: World, apiKey: string, secretKey: string): boolean {
  return tenants(world).some((tenant) => tenant.apiKey === apiKey && tenant.secretKey === secretKey);
}
