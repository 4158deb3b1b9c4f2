/*
 * domain/ — what is true. Pure: tables and functions over plain values; imports nothing but zod.
 * No fetching, no writing, no clock.
 */

/** Names as CloudStack spells them, so that a reader can hold them against the pull request (cluster-semantics 1.1). */
export const clusterStates = [
  'Created',
  'Starting',
  'Running',
  'Stopping',
  'Stopped',
  'Scaling',
  'ScalingStoppedCluster',
  'Upgrading',
  'Importing',
  'RemovingNodes',
  'Alert',
  'Recovering',
  'Destroying',
  'Destroyed',
  'Error',
] as const;
export type ClusterState = (typeof clusterStates)[number];

/** States that an operation holds; a cluster found in one without a job in progress is an orphan (REC-2). */
export const operationStates = [
  'Starting',
  'Stopping',
  'Scaling',
  'ScalingStoppedCluster',
  'Upgrading',
  'Importing',
  'RemovingNodes',
  'Recovering',
] as const satisfies readonly ClusterState[];
export type OperationState = (typeof operationStates)[number];

export function isOperationState(state: ClusterState): state is OperationState {
  return (operationStates as readonly ClusterState[]).includes(state);
}

export const clusterEvents = [
  'StartRequested',
  'StopRequested',
  'DestroyRequested',
  'RecoveryRequested',
  'AutoscaleRequested',
  'ScaleUpRequested',
  'ScaleDownRequested',
  'AddNodeRequested',
  'RemoveNodeRequested',
  'UpgradeRequested',
  'OperationSucceeded',
  'OperationFailed',
  'CreateFailed',
  'FaultsDetected',
] as const;
export type ClusterEvent = (typeof clusterEvents)[number];

/** State names as people read them; the raw name stays in tooltips and in the API. */
export const stateLabels: Readonly<Record<ClusterState, string>> = {
  Created: 'Created',
  Starting: 'Starting',
  Running: 'Running',
  Stopping: 'Stopping',
  Stopped: 'Stopped',
  Scaling: 'Scaling',
  ScalingStoppedCluster: 'Scaling (stopped)',
  Upgrading: 'Upgrading',
  Importing: 'Importing nodes',
  RemovingNodes: 'Removing nodes',
  Alert: 'Alert',
  Recovering: 'Recovering',
  Destroying: 'Destroying',
  Destroyed: 'Destroyed',
  Error: 'Error',
};

/** One sentence a state, for tooltips and the state-machine page. */
export const stateMeanings: Readonly<Record<ClusterState, string>> = {
  Created: 'Recorded, nothing built yet.',
  Starting: 'Machines are being built or powered on.',
  Running: 'Built and healthy as far as the last check saw.',
  Stopping: 'Machines are being stopped.',
  Stopped: 'Machines are stopped; disks and network are kept.',
  Scaling: 'Size, offering or autoscaling is being changed.',
  ScalingStoppedCluster: 'The offering of a stopped cluster is being changed.',
  Upgrading: 'The Kubernetes version is being changed node by node.',
  Importing: 'Existing machines are being added as nodes.',
  RemovingNodes: 'Added machines are being removed.',
  Alert: 'Not as expected. A pass checks whether it can be repaired; an admin may act.',
  Recovering: 'A pass found every node healthy and is bringing the cluster back to Running.',
  Destroying: 'Being deleted; a delete that failed is retried.',
  Destroyed: 'Deleted.',
  Error: 'Its creation failed. Start it again or delete it.',
};
