import { expect, it } from 'vitest';
import { operationChoices } from '@/db/queries/operation-choices';
import type { OperationKind } from '@/domain/operations';
import type { ClusterState } from '@/domain/states';
import { ana } from '@/test/support/fixtures';
import { pathOf } from './path-of';

function path(state: ClusterState, kind: OperationKind, held = false) {
  const facts = {
    state,
    held,
    orphaned: false,
    protected: false,
    externalNodeCount: 1,
    legacyHold: false,
    serverAvailable: true,
    draining: false,
    interruptedUpgrade: false,
  };
  const choice = operationChoices(facts, ana, null).find((each) => each.kind === kind);
  if (choice === undefined) throw new Error(`no choice for ${kind}`);
  return pathOf(state, choice);
}

it.each([
  ['Created', 'start', ['Created', 'Starting', 'Running'], 'Alert'],
  ['Running', 'upgrade', ['Running', 'Upgrading', 'Running'], 'Alert'],
  ['Running', 'add-nodes', ['Running', 'Importing', 'Running'], 'Running'],
  ['Stopped', 'scale', ['Stopped', 'ScalingStoppedCluster', 'Stopped'], 'Alert'],
  ['Running', 'delete', ['Running', 'Destroying', 'Destroyed'], null],
  ['Destroying', 'delete', ['Destroying', 'Destroyed'], null],
  ['Error', 'start', ['Error'], null],
  ['Created', 'scale', ['Created'], null],
] as const)('from %s a %s leads through %j', (state, kind, states, failedTo) => {
  expect(path(state, kind)).toEqual({ path: states, failedTo });
});

it('shows where a stop that waits for a start will lead', () => {
  expect(path('Starting', 'stop', true).path).toEqual(['Starting', 'Stopping', 'Stopped']);
});
