import { describe, expect, test } from 'vitest';
import {
  type ClusterEvent,
  type ClusterState,
  clusterEvents,
  clusterStates,
  isOperationState,
  operationStates,
} from './states';
import { allEdges, nextState } from './transitions';

/*
 * Written by hand from cluster-semantics 1.3 and the differences of design section 4, not derived from the code.
 * Columns in the order of `clusterEvents`; `-` is "no such row".
 */
const columns =
  'start stop destroy recover autoscale up down add remove upgrade success failed createFailed faults'.split(' ');
const table: Record<ClusterState, string> = {
  //                     start    stop     destroy    recover    autoscale up                    down    add       remove        upgrade   success  failed  create  faults
  Created:
    '              Starting -        Destroying -          -         -                     -       -         -             -         -        -       -      -',
  Starting:
    '             -        Stopping -          -          -         -                     -       -         -             -         Running  Alert   Error  -',
  Running:
    '              -        Stopping Destroying -          Scaling   Scaling               Scaling Importing RemovingNodes Upgrading -        -       -      Alert',
  Stopping:
    '             -        -        -          -          -         -                     -       -         -             -         Stopped  Alert   -      -',
  Stopped:
    '              Starting -        Destroying -          -         ScalingStoppedCluster -       -         -             -         -        -       -      Alert',
  Scaling:
    '              -        -        -          -          -         -                     -       -         -             -         Running  Alert   -      -',
  ScalingStoppedCluster:
    '-        -        -          -          -         -                     -       -         -             -         Stopped  Alert   -      -',
  Upgrading:
    '            -        -        -          -          -         -                     -       -         -             -         Running  Alert   -      -',
  Importing:
    '            -        -        -          -          -         -                     -       -         -             -         Running  Running -      -',
  RemovingNodes:
    '        -        -        -          -          -         -                     -       -         -             -         Running  Running -      -',
  Alert:
    '                Starting Stopping Destroying Recovering Scaling   Scaling               Scaling Importing RemovingNodes Upgrading -        -       -      -',
  Recovering:
    '           -        -        -          -          -         -                     -       -         -             -         Running  Alert   Error  -',
  Destroying:
    '           -        -        -          -          -         -                     -       -         -             -         Destroyed -      -      -',
  Destroyed:
    '            -        -        -          -          -         -                     -       -         -             -         -        -       -      -',
  Error:
    '                -        -        Destroying Recovering -         -                     -       -         -             -         -        -       -      -',
};

const cells = clusterStates.flatMap((state) => {
  const targets = table[state].trim().split(/\s+/);
  return clusterEvents.map((event, index) => ({ state, event, expected: targets[index] }));
});

const requests: readonly ClusterEvent[] = clusterEvents.filter((event) => event.endsWith('Requested'));

describe('the machine', () => {
  test('the table by hand has 15 states and 14 events a state', () => {
    expect(columns).toHaveLength(14);
    expect(clusterEvents).toHaveLength(14);
    expect(clusterStates).toHaveLength(15);
    expect(cells).toHaveLength(210);
    for (const state of clusterStates) expect(table[state].trim().split(/\s+/), state).toHaveLength(14);
  });

  test.each(cells)('$state + $event leads to $expected', ({ state, event, expected }) => {
    expect(nextState(state, event) ?? '-').toBe(expected);
  });

  test('it has the 45 rows of cluster-semantics 1.3 less three, and five more', () => {
    expect(allEdges()).toHaveLength(45 - 3 + 5);
  });

  test('CAS-6 no row leads to the state it starts from', () => {
    expect(allEdges().filter((edge) => edge.from === edge.to)).toEqual([]);
  });

  test('HOLD-7 nothing completes or fails from a state that no operation holds, but a delete', () => {
    const outcomes: readonly ClusterEvent[] = ['OperationSucceeded', 'OperationFailed', 'CreateFailed'];
    const from = allEdges().filter((edge) => outcomes.includes(edge.event) && !isOperationState(edge.from));
    expect(from).toEqual([{ from: 'Destroying', event: 'OperationSucceeded', to: 'Destroyed' }]);
  });

  test.each(operationStates)('REC-4 %s has a way out on failure, and it leads to rest', (state) => {
    const to = nextState(state, 'OperationFailed');
    expect(to).toBeDefined();
    expect(to !== undefined && isOperationState(to)).toBe(false);
  });

  test.each(operationStates)('%s has a way out on success, and it leads to rest', (state) => {
    const to = nextState(state, 'OperationSucceeded');
    expect(to).toBeDefined();
    expect(to !== undefined && isOperationState(to)).toBe(false);
  });

  test('no request leads out of a state that an operation holds, but the stop that takes over from a start', () => {
    const out = allEdges().filter((edge) => isOperationState(edge.from) && requests.includes(edge.event));
    expect(out).toEqual([{ from: 'Starting', event: 'StopRequested', to: 'Stopping' }]);
  });

  test('SCN-3 a Starting cluster has no FaultsDetected', () => {
    expect(nextState('Starting', 'FaultsDetected')).toBeUndefined();
  });

  test('nothing leads out of Destroyed, and only a delete leads into it', () => {
    expect(allEdges().filter((edge) => edge.from === 'Destroyed')).toEqual([]);
    expect(
      allEdges()
        .filter((edge) => edge.to === 'Destroyed')
        .map((edge) => edge.from),
    ).toEqual(['Destroying']);
  });

  test('every state but Created is led into, and Destroyed is within reach of every one', () => {
    for (const state of clusterStates) {
      if (state !== 'Created')
        expect(
          allEdges().some((edge) => edge.to === state),
          state,
        ).toBe(true);
      expect(reachable(state), state).toContain('Destroyed');
    }
  });
});

function reachable(from: ClusterState): ReadonlySet<ClusterState> {
  const seen = new Set<ClusterState>([from]);
  for (const state of seen) {
    for (const edge of allEdges()) if (edge.from === state) seen.add(edge.to);
  }
  return seen;
}
