import { type ClusterEvent, type ClusterState, clusterEvents, clusterStates } from './states';

type Row = Partial<Record<ClusterEvent, ClusterState>>;

/**
 * The machine: cluster-semantics 1.3 with rows 42 to 45. Differences from the pull request are marked:
 * left out are rows 11, 12 and 29 (nothing completes from a state it does not hold); `added` rows are of design section 4.
 */
export const transitions = {
  Created: {
    StartRequested: 'Starting',
    DestroyRequested: 'Destroying', // added: a cluster that was never started can be deleted
  },
  Starting: {
    OperationSucceeded: 'Running',
    OperationFailed: 'Alert',
    CreateFailed: 'Error',
    StopRequested: 'Stopping', // only as a hand-over from the start that holds it (OUT-1 closed)
  },
  Running: {
    StopRequested: 'Stopping',
    FaultsDetected: 'Alert',
    AutoscaleRequested: 'Scaling',
    ScaleUpRequested: 'Scaling',
    ScaleDownRequested: 'Scaling',
    UpgradeRequested: 'Upgrading',
    AddNodeRequested: 'Importing',
    RemoveNodeRequested: 'RemovingNodes',
    DestroyRequested: 'Destroying',
  },
  Stopping: { OperationSucceeded: 'Stopped', OperationFailed: 'Alert' },
  Stopped: {
    StartRequested: 'Starting',
    ScaleUpRequested: 'ScalingStoppedCluster',
    DestroyRequested: 'Destroying',
    FaultsDetected: 'Alert', // added: drift of a stopped cluster is seen
  },
  Scaling: { OperationSucceeded: 'Running', OperationFailed: 'Alert' },
  ScalingStoppedCluster: { OperationSucceeded: 'Stopped', OperationFailed: 'Alert' },
  Upgrading: { OperationSucceeded: 'Running', OperationFailed: 'Alert' },
  Importing: { OperationSucceeded: 'Running', OperationFailed: 'Running' },
  RemovingNodes: { OperationSucceeded: 'Running', OperationFailed: 'Running' },
  Alert: {
    StartRequested: 'Starting',
    StopRequested: 'Stopping',
    ScaleUpRequested: 'Scaling',
    ScaleDownRequested: 'Scaling',
    AutoscaleRequested: 'Scaling',
    UpgradeRequested: 'Upgrading', // added: only to resume an upgrade that was interrupted (OUT-7 closed)
    AddNodeRequested: 'Importing',
    RemoveNodeRequested: 'RemovingNodes',
    RecoveryRequested: 'Recovering',
    DestroyRequested: 'Destroying',
  },
  Recovering: {
    OperationSucceeded: 'Running',
    OperationFailed: 'Alert',
    CreateFailed: 'Error', // added: a recovery that began in Error ends there when it fails
  },
  Destroying: { OperationSucceeded: 'Destroyed' },
  Destroyed: {},
  Error: {
    DestroyRequested: 'Destroying',
    RecoveryRequested: 'Recovering', // added: for the scanner only
  },
} as const satisfies Record<ClusterState, Row>;

/** Where `event` leads from `state`, or undefined where the machine has no such row. */
export function nextState(state: ClusterState, event: ClusterEvent): ClusterState | undefined {
  const row: Row = transitions[state];
  return row[event];
}

export interface Edge {
  readonly from: ClusterState;
  readonly event: ClusterEvent;
  readonly to: ClusterState;
}

/** Every row of the machine, in the order of the table: for the diagram, the table page and the tests. */
export function allEdges(): readonly Edge[] {
  return clusterStates.flatMap((from) =>
    clusterEvents.flatMap((event) => {
      const to = nextState(from, event);
      return to === undefined ? [] : [{ from, event, to }];
    }),
  );
}
