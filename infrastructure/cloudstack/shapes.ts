import { z } from 'zod';

/** The fields that Holdfast reads of CloudStack's objects (A.6). Whatever else is in them is ignored. */

export const tagsShape = z.array(z.object({ key: z.string(), value: z.string() })).default([]);

export const zoneShape = z.object({ id: z.string(), name: z.string(), allocationstate: z.string().default('Enabled') });

export const offeringShape = z.object({
  id: z.string(),
  name: z.string(),
  cpunumber: z.number().default(0),
  cpuspeed: z.number().default(0),
  memory: z.number().default(0),
  iscustomized: z.boolean().default(false),
});

export const templateShape = z.object({
  id: z.string(),
  name: z.string(),
  isready: z.boolean().default(false),
  zoneid: z.string().optional(),
  forcks: z.boolean().default(false),
  ispublic: z.boolean().default(false),
  account: z.string().optional(),
});

export const isoShape = z.object({
  id: z.string(),
  name: z.string(),
  isready: z.boolean().default(false),
  zoneid: z.string().optional(),
});

const serviceShape = z.array(z.object({ name: z.string() })).default([]);

export const networkOfferingShape = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string().default('Enabled'),
  guestiptype: z.string().default(''),
  egressdefaultpolicy: z.boolean().default(false),
  forvpc: z.boolean().default(false),
  service: serviceShape,
});

export const networkShape = z.object({
  id: z.string(),
  name: z.string(),
  zoneid: z.string(),
  state: z.string().default(''),
  type: z.string().default(''),
  cidr: z.string().optional(),
  created: z.string().default(''),
  egressdefaultpolicy: z.boolean().optional(),
  tags: tagsShape,
});

export const addressShape = z.object({
  id: z.string(),
  ipaddress: z.string(),
  issourcenat: z.boolean().default(false),
  associatednetworkid: z.string().optional(),
  state: z.string().default(''),
  tags: tagsShape,
});

export const firewallRuleShape = z.object({
  id: z.string(),
  protocol: z.string(),
  startport: z.coerce.number().optional(),
  endport: z.coerce.number().optional(),
  cidrlist: z.string().default(''),
  state: z.string().default(''),
});

/** Ports are texts here and numbers in firewall rules (A.5). */
export const loadBalancerRuleShape = z.object({
  id: z.string(),
  name: z.string().default(''),
  publicport: z.coerce.number(),
  privateport: z.coerce.number(),
  state: z.string().default(''),
});

export const machineShape = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  zoneid: z.string(),
  created: z.string(),
  serviceofferingid: z.string().default(''),
  templateid: z.string().optional(),
  isoid: z.string().optional(),
  /** CloudStack 4.23 may hold several. */
  isos: z.array(z.object({ id: z.string() })).default([]),
  deleteprotection: z.boolean().default(false),
  nic: z
    .array(z.object({ networkid: z.string(), ipaddress: z.string().optional(), isdefault: z.boolean().default(false) }))
    .default([]),
  cpunumber: z.number().default(0),
  memory: z.number().default(0),
  tags: tagsShape,
});
export type MachineShape = z.infer<typeof machineShape>;

/** Rules, addresses and networks on their way out still stand in lists; they are no good any more. */
export function isLeaving(item: { state: string }): boolean {
  return ['Revoke', 'Deleting', 'Releasing', 'Destroy'].includes(item.state);
}
