import { z } from 'zod';
import type { OperationKind } from './operations';

/** One place for limits that forms, server and API share (cluster-semantics 2.1, 2.4, section 10). */
export const limits = {
  /** Control, worker and etcd nodes together. */
  maxNodes: 10,
  minRootDiskGb: 8,
  maxRootDiskGb: 500,
  minOfferingCpuCount: 2,
  minOfferingMemoryMb: 2048,
  /** CloudStack's prefix rule leaves room for role, ordinal and generation within 63. */
  maxNameLength: 40,
} as const;

export const clusterName = z
  .string({ error: 'Give the cluster a name.' })
  .trim()
  .min(1, 'Give the cluster a name.')
  .max(limits.maxNameLength, `At most ${limits.maxNameLength} characters.`)
  .regex(
    /^[a-z]([a-z0-9-]*[a-z0-9])?$/,
    'Lower-case letters, digits and hyphens; it begins with a letter and does not end with a hyphen.',
  );

/** PostgreSQL's text holds no zero byte; a request that brings one is refused here, not by the database. */
const words = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `At most ${max} characters.`)
    .refine((text) => !text.includes('\u0000'), 'Not a text: it holds a zero byte.');
const count = (what: string, min: number, max: number = limits.maxNodes) =>
  z.coerce
    .number({ error: `${what}: a whole number.` })
    .int(`${what}: a whole number.`)
    .min(min, `${what}: at least ${min}.`)
    .max(max, `${what}: at most ${max}.`);
const id = words(255).min(1, 'Choose one.');
/** What is chosen twice is meant once. */
const chosen = <T extends z.ZodType<string>>(each: T, what: string) =>
  z
    .array(each)
    .min(1, `Choose at least one ${what}.`)
    .transform((ids) => [...new Set(ids)]);

const note = words(500).optional();

export const createInput = z
  .object({
    name: clusterName,
    description: words(500).default(''),
    zoneId: id,
    kubernetesVersionId: z.uuid('Choose a version.'),
    controlCount: count('Control nodes', 1).default(1),
    workerCount: count('Workers', 1).default(1),
    etcdCount: count('Etcd nodes', 0).default(0),
    controlOfferingId: id,
    workerOfferingId: id,
    etcdOfferingId: id.nullish(),
    templateId: id,
    /** Empty: a network of its own is made from `networkOfferingId`. */
    networkId: id.nullish(),
    networkOfferingId: id.nullish(),
    rootDiskGb: count('Root disk', limits.minRootDiskGb, limits.maxRootDiskGb).default(limits.minRootDiskGb),
    sshKeyPair: id.nullish(),
    csiEnabled: z.boolean().default(false),
    protected: z.boolean().default(false),
    startNow: z.boolean().default(true),
    note,
  })
  .check((context) => {
    const { controlCount, workerCount, etcdCount, etcdOfferingId } = context.value;
    const total = controlCount + workerCount + etcdCount;
    if (total > limits.maxNodes) {
      context.issues.push({
        code: 'custom',
        path: ['workerCount'],
        input: workerCount,
        message: `${total} nodes in all; at most ${limits.maxNodes} are allowed.`,
      });
    }
    if (etcdCount > 0 && etcdCount % 2 === 0) {
      context.issues.push({
        code: 'custom',
        path: ['etcdCount'],
        input: etcdCount,
        message: 'Etcd nodes: an odd number keeps a majority.',
      });
    }
    if (etcdCount > 0 && !etcdOfferingId) {
      context.issues.push({
        code: 'custom',
        path: ['etcdOfferingId'],
        input: etcdOfferingId,
        message: 'Choose an offering for the etcd nodes.',
      });
    }
  });
export type CreateInput = z.infer<typeof createInput>;

const bare = z.object({ note });
export const startInput = bare;
export const stopInput = bare;
export const deleteInput = bare;
export const recoverInput = bare;

export const scaleInput = z.object({
  workerCount: count('Workers', 1).optional(),
  nodeIds: chosen(z.uuid(), 'node').optional(),
  controlOfferingId: id.optional(),
  workerOfferingId: id.optional(),
  etcdOfferingId: id.optional(),
  note,
});
export type ScaleInput = z.infer<typeof scaleInput>;

export const autoscaleInput = z
  .object({
    enabled: z.boolean(),
    minSize: count('Minimum', 1).optional(),
    maxSize: count('Maximum', 2).optional(),
    note,
  })
  .check((context) => {
    const { enabled, minSize, maxSize } = context.value;
    if (!enabled) return;
    if (minSize === undefined)
      context.issues.push({ code: 'custom', path: ['minSize'], input: minSize, message: 'Give a minimum.' });
    if (maxSize === undefined)
      context.issues.push({ code: 'custom', path: ['maxSize'], input: maxSize, message: 'Give a maximum.' });
    if (minSize !== undefined && maxSize !== undefined && maxSize <= minSize) {
      context.issues.push({
        code: 'custom',
        path: ['maxSize'],
        input: maxSize,
        message: 'The maximum must be larger than the minimum.',
      });
    }
  });
export type AutoscaleInput = z.infer<typeof autoscaleInput>;

export const upgradeInput = z.object({ kubernetesVersionId: z.uuid('Choose a version.'), note });
export type UpgradeInput = z.infer<typeof upgradeInput>;

export const addNodesInput = z.object({
  machineIds: chosen(id, 'machine'),
  manualUpgrade: z.boolean().default(false),
  /** The restore wipes the machines' disks; the form asks, the server insists. */
  wipeConfirmed: z.literal(true, { error: 'Confirm that the disks of these machines are wiped.' }),
  note,
});
export type AddNodesInput = z.infer<typeof addNodesInput>;

export const removeNodesInput = z.object({ nodeIds: chosen(z.uuid(), 'node'), note });
export type RemoveNodesInput = z.infer<typeof removeNodesInput>;

export const operationInputs = {
  create: createInput,
  start: startInput,
  stop: stopInput,
  scale: scaleInput,
  autoscale: autoscaleInput,
  upgrade: upgradeInput,
  'add-nodes': addNodesInput,
  'remove-nodes': removeNodesInput,
  delete: deleteInput,
  recover: recoverInput,
} as const satisfies Record<OperationKind, z.ZodType>;

/** What a request other than a create carries besides its operation's own input. */
export const requestEnvelope = z.object({
  clusterId: z.uuid(),
  /** `operation_seq` that the form was opened on; a form that is older than the cluster's last owner is refused as moved on. */
  expectedSeq: z.number().int().optional(),
  /** One per opened form: a double click or a retry after a lost answer makes one job. */
  idempotencyKey: words(100).min(8, 'At least 8 characters.').optional(),
});
export type RequestEnvelope = z.infer<typeof requestEnvelope>;
