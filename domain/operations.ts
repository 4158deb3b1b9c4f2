import type { Role } from './actor';
import type { ClusterEvent, ClusterState } from './states';

/** What an admin, the autoscaler or the scanner asks of a cluster. `recover` is for the scanner only. */
export const operationKinds = [
  'create',
  'start',
  'stop',
  'scale',
  'autoscale',
  'upgrade',
  'add-nodes',
  'remove-nodes',
  'delete',
  'recover',
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** The eight that stand in the menus, in this order, always. */
export const menuOperations = [
  'start',
  'stop',
  'scale',
  'autoscale',
  'upgrade',
  'add-nodes',
  'remove-nodes',
  'delete',
] as const satisfies readonly OperationKind[];

export interface OperationRow {
  readonly label: string;
  /** "Start", as on a button; "starting" as in a sentence. */
  readonly verb: string;
  readonly doing: string;
  /** Events that may take a cluster for it; a scale chooses by direction. The first is the usual one. */
  readonly entries: readonly ClusterEvent[];
  /** States in which it owns the cluster without changing its state (ENT-7). */
  readonly goesAheadFrom: readonly ClusterState[];
  /** Fired when its server dies or a step without an event of its own fails (REC-4). */
  readonly failed: ClusterEvent;
  readonly role: Role;
  /** How long a whole job may take, in seconds (cluster-semantics section 10). */
  readonly timeoutSeconds: number;
}

/** The catalogue. Menus, schemas, the worker's loop, recovery and the policy read these rows. */
export const operations: Readonly<Record<OperationKind, OperationRow>> = {
  create: {
    label: 'Create',
    verb: 'Create',
    doing: 'creating',
    entries: ['StartRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed', // REC-5: a create whose server dies goes to Alert; a step that fails decides by itself
    role: 'operator',
    timeoutSeconds: 3600,
  },
  start: {
    label: 'Start',
    verb: 'Start',
    doing: 'starting',
    entries: ['StartRequested'],
    goesAheadFrom: ['Error'],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 3600,
  },
  stop: {
    label: 'Stop',
    verb: 'Stop',
    doing: 'stopping',
    entries: ['StopRequested'],
    goesAheadFrom: ['Created', 'Error'],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 3600,
  },
  scale: {
    label: 'Scale',
    verb: 'Scale',
    doing: 'scaling',
    entries: ['ScaleUpRequested', 'ScaleDownRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 3600,
  },
  autoscale: {
    label: 'Autoscale',
    verb: 'Set autoscaling of',
    doing: 'setting autoscaling',
    entries: ['AutoscaleRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 3600,
  },
  upgrade: {
    label: 'Upgrade',
    verb: 'Upgrade',
    doing: 'upgrading',
    entries: ['UpgradeRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 3600,
  },
  'add-nodes': {
    label: 'Add nodes',
    verb: 'Add nodes to',
    doing: 'adding nodes',
    entries: ['AddNodeRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 3600,
  },
  'remove-nodes': {
    label: 'Remove nodes',
    verb: 'Remove nodes from',
    doing: 'removing nodes',
    entries: ['RemoveNodeRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 900,
  },
  delete: {
    label: 'Delete',
    verb: 'Delete',
    doing: 'deleting',
    entries: ['DestroyRequested'],
    goesAheadFrom: ['Destroying'],
    failed: 'OperationFailed', // Destroying has no failure row: a failed delete stays there and is retried
    role: 'operator',
    timeoutSeconds: 3600,
  },
  recover: {
    label: 'Recovery',
    verb: 'Recover',
    doing: 'recovering',
    entries: ['RecoveryRequested'],
    goesAheadFrom: [],
    failed: 'OperationFailed',
    role: 'operator',
    timeoutSeconds: 900,
  },
};
