import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Actor } from './actor';
import { menuOperations, type OperationKind, operationKinds, operations } from './operations';
import { byState, decide, type PolicyFacts, type PolicyReason, refusalReasons, type Verdict } from './policy';
import { type Holder, reasonText } from './refusals';
import { type ClusterState, clusterStates, isOperationState } from './states';
import { nextState } from './transitions';

const operator: Actor = { kind: 'user', id: 'u-1', name: 'Ana', role: 'operator' };
const admin: Actor = { kind: 'user', id: 'u-2', name: 'Ada', role: 'admin' };
const viewer: Actor = { kind: 'user', id: 'u-3', name: 'Vic', role: 'viewer' };
const scanner: Actor = { kind: 'scanner', id: 'scanner', name: 'scanner' };

/** A cluster as it is found in `state` when nothing is wrong: an operation state is held, every other one is free. */
function found(state: ClusterState, more: Partial<PolicyFacts> = {}): PolicyFacts {
  return {
    state,
    held: isOperationState(state),
    orphaned: false,
    protected: false,
    externalNodeCount: 1,
    interruptedUpgrade: false,
    legacyHold: false,
    serverAvailable: true,
    draining: false,
    ...more,
  };
}

/*
 * interface 4.4 by hand, with the numbers of its reasons: 1 held, 2 needs Running, 3 already, 7 health check, 8 create failed,
 * 10 being deleted, 11 gone; `o` goes ahead, `o=` stores settings, `w` waits for the start. Columns in the order of the menu.
 */
const table: Record<ClusterState, string> = {
  //                     start    stop     scale                 autoscale upgrade   add       remove        delete
  Created:
    '              Starting o        o=                    o=        2         2         2             Destroying',
  Starting: '             3        w        1                     1         1         1         1             1',
  Running:
    '              3        Stopping Scaling               Scaling   Upgrading Importing RemovingNodes Destroying',
  Stopping: '             1        3        1                     1         1         1         1             1',
  Stopped:
    '              Starting 3        ScalingStoppedCluster 2         2         2         2             Destroying',
  Scaling: '              1        1        1                     1         1         1         1             1',
  ScalingStoppedCluster: '1        1        1                     1         1         1         1             1',
  Upgrading: '            1        1        1                     1         1         1         1             1',
  Importing: '            1        1        1                     1         1         1         1             1',
  RemovingNodes: '        1        1        1                     1         1         1         1             1',
  Alert:
    '                Starting Stopping Scaling               Scaling   7         Importing RemovingNodes Destroying',
  Recovering: '           1        1        1                     1         1         1         1             1',
  Destroying: '           10       10       10                    10        10        10        10            o',
  Destroyed: '            11       11       11                    11        11        11        11            11',
  Error:
    '                o        o        8                     8         8         8         8             Destroying',
};

const reasonNumbers: Partial<Record<PolicyReason, string>> = {
  held: '1',
  'needs-running': '2',
  already: '3',
  'needs-health-check': '7',
  'create-failed': '8',
  'being-deleted': '10',
  gone: '11',
};

function cell(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'enter':
      return verdict.to;
    case 'go-ahead':
      return 'o';
    case 'settings':
      return 'o=';
    case 'wait':
      return 'w';
    case 'refused':
      return reasonNumbers[verdict.reason] ?? verdict.reason;
  }
}

const cells = clusterStates.flatMap((state) => {
  const expected = table[state].trim().split(/\s+/);
  return menuOperations.map((kind, index) => ({ kind, state, expected: expected[index] }));
});

describe('the policy, operation by state', () => {
  test.each(cells)('ENT-5 $kind in $state is $expected', ({ kind, state, expected }) => {
    expect(cell(decide(kind, found(state), operator))).toBe(expected);
  });

  test('ENT-7 exactly start of Error, stop of Created and Error, and delete of Destroying go ahead', () => {
    const ahead = cells.filter(({ kind, state }) => decide(kind, found(state), operator).kind === 'go-ahead');
    expect(ahead.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'delete Destroying',
      'start Error',
      'stop Created',
      'stop Error',
    ]);
  });

  test('ENT-6 start of Alert enters Starting like any start', () => {
    expect(decide('start', found('Alert'), operator)).toEqual({
      kind: 'enter',
      event: 'StartRequested',
      to: 'Starting',
    });
  });

  test('SCL-2 scale and autoscale of Created change settings only', () => {
    expect(decide('scale', found('Created'), operator)).toEqual({ kind: 'settings' });
    expect(decide('autoscale', found('Created'), operator)).toEqual({ kind: 'settings' });
  });

  test('SCL-8 a scale chooses its event by direction, in Running and in Alert', () => {
    for (const state of ['Running', 'Alert'] as const) {
      expect(decide('scale', found(state), operator, 'up')).toMatchObject({ event: 'ScaleUpRequested', to: 'Scaling' });
      expect(decide('scale', found(state), operator, 'down')).toMatchObject({
        event: 'ScaleDownRequested',
        to: 'Scaling',
      });
    }
  });

  test('a stopped cluster has one scale event, whatever the direction', () => {
    for (const direction of ['up', 'down'] as const) {
      expect(decide('scale', found('Stopped'), operator, direction)).toMatchObject({
        event: 'ScaleUpRequested',
        to: 'ScalingStoppedCluster',
      });
    }
  });

  test('a create enters only Created', () => {
    const entered = clusterStates.filter((state) => byState('create', state).kind !== 'refused');
    // StartRequested has more rows; a create never meets them, because its cluster is made in its own transaction.
    expect(entered).toContain('Created');
    expect(byState('create', 'Created')).toEqual({ kind: 'enter', event: 'StartRequested', to: 'Starting' });
  });
});

describe('what is orthogonal to the state', () => {
  test('the reasons come in the order gone, role, server, protected, held, legacy, state, values', () => {
    const worst = found('Starting', {
      protected: true,
      legacyHold: true,
      serverAvailable: false,
      externalNodeCount: 0,
    });
    expect(reasons('delete', worst, viewer)).toEqual(['role', 'no-live-server', 'protected', 'held', 'legacy-job']);
    expect(reasons('upgrade', found('Stopped', { legacyHold: true, draining: true }), viewer)).toEqual([
      'role',
      'draining',
      'legacy-job',
      'needs-running',
    ]);
    expect(reasons('delete', found('Destroyed', { protected: true, legacyHold: true }), viewer)).toEqual(['gone']);
  });

  test.each(menuOperations)('%s needs an operator', (kind) => {
    expect(reasons(kind, found('Running'), viewer)[0]).toBe('role');
    expect(decide(kind, found('Running'), viewer)).toMatchObject({ kind: 'refused', role: 'operator' });
    expect(reasons(kind, found('Running'), operator)).not.toContain('role');
    expect(reasons(kind, found('Running'), admin)).not.toContain('role');
  });

  test('an API token counts by its role, the autoscaler and cron as operators', () => {
    expect(reasons('start', found('Stopped'), { kind: 'token', id: 't', name: 'ci', role: 'viewer' })).toEqual([
      'role',
    ]);
    expect(reasons('start', found('Stopped'), { kind: 'token', id: 't', name: 'ci', role: 'operator' })).toEqual([]);
    expect(reasons('scale', found('Running'), { kind: 'autoscaler', id: 'a', name: 'autoscaler' })).toEqual([]);
    expect(reasons('start', found('Stopped'), { kind: 'cron', id: 'c', name: 'cron' })).toEqual([]);
  });

  test('an autoscaler scales a Running cluster only; in Alert it is paused while people may scale', () => {
    const autoscaler: Actor = { kind: 'autoscaler', id: 'a', name: 'autoscaler' };
    for (const state of clusterStates.filter((each) => each !== 'Running')) {
      expect(decide('scale', found(state), autoscaler).kind).toBe('refused');
    }
    expect(reasons('scale', found('Alert'), autoscaler)).toEqual(['autoscale-paused']);
    expect(reasons('scale', found('Stopped'), autoscaler)).toEqual(['needs-running']);
    expect(reasons('scale', found('Scaling'), autoscaler)).toEqual(['held']);
    expect(reasons('scale', found('Alert'), operator)).toEqual([]);
  });

  test('protection stops a delete, a retried one too, and nothing else', () => {
    for (const state of ['Running', 'Destroying'] as const) {
      expect(reasons('delete', found(state, { protected: true }), admin)).toEqual(['protected']);
    }
    for (const kind of menuOperations.filter((each) => each !== 'delete')) {
      expect(reasons(kind, found('Running', { protected: true }), operator)).not.toContain('protected');
    }
  });

  test.each(menuOperations)('%s is refused as held while a go-ahead operation owns the cluster', (kind) => {
    for (const state of ['Created', 'Error', 'Destroying'] as const) {
      expect(reasons(kind, found(state, { held: true }), operator)).toEqual(['held']);
    }
  });

  test.each(menuOperations)('%s of an orphan waits for the recovery pass', (kind) => {
    for (const state of clusterStates.filter(isOperationState)) {
      expect(reasons(kind, found(state, { held: false, orphaned: true }), operator)).toEqual(['orphaned']);
    }
  });

  test.each(menuOperations)('MIX-1 %s is refused while a job of an older server names the cluster', (kind) => {
    expect(reasons(kind, found('Running', { legacyHold: true }), operator)[0]).toBe('legacy-job');
  });

  test('no live server, then a draining one: nothing is accepted', () => {
    expect(reasons('start', found('Stopped', { serverAvailable: false, draining: true }), operator)).toEqual([
      'no-live-server',
    ]);
    expect(reasons('start', found('Stopped', { draining: true }), operator)).toEqual(['draining']);
  });

  test('remove nodes needs an added machine', () => {
    expect(reasons('remove-nodes', found('Running', { externalNodeCount: 0 }), operator)).toEqual([
      'no-external-nodes',
    ]);
    expect(reasons('remove-nodes', found('Stopped', { externalNodeCount: 0 }), operator)).toEqual(['needs-running']);
  });

  test('SCN-2 only the scanner starts a recovery, and only of Alert and Error', () => {
    expect(reasons('recover', found('Alert'), admin)).toEqual(['scanner-only']);
    const possible = clusterStates.filter((state) => decide('recover', found(state), scanner).kind === 'enter');
    expect(possible).toEqual(['Alert', 'Error']);
  });
});

test('OUT-7 an upgrade enters from Alert only to complete one that was interrupted', () => {
  expect(reasons('upgrade', found('Alert'), operator)).toEqual(['needs-health-check']);
  expect(decide('upgrade', found('Alert', { interruptedUpgrade: true }), operator)).toMatchObject({
    kind: 'enter',
    to: 'Upgrading',
  });
});

describe('properties of the policy', () => {
  const facts = fc.record<PolicyFacts>({
    state: fc.constantFrom(...clusterStates),
    held: fc.boolean(),
    orphaned: fc.boolean(),
    protected: fc.boolean(),
    externalNodeCount: fc.nat(3),
    interruptedUpgrade: fc.boolean(),
    legacyHold: fc.boolean(),
    serverAvailable: fc.boolean(),
    draining: fc.boolean(),
  });
  const anybody = fc.constantFrom(operator, admin, viewer, scanner);
  const kinds = fc.constantFrom(...operationKinds);
  const directions = fc.constantFrom('up' as const, 'down' as const);

  test('whatever it allows is a row of the machine or a go-ahead of the catalogue', () => {
    fc.assert(
      fc.property(kinds, facts, anybody, directions, (kind, about, actor, direction) => {
        const verdict = decide(kind, about, actor, direction);
        if (verdict.kind === 'enter') expect(nextState(about.state, verdict.event)).toBe(verdict.to);
        if (verdict.kind === 'go-ahead') expect(operations[kind].goesAheadFrom).toContain(about.state);
        if (verdict.kind === 'settings') expect(about.state).toBe('Created');
        if (verdict.kind === 'refused') expect(refusalReasons).toContain(verdict.reason);
      }),
    );
  });

  test('ENT-2 a held cluster takes nothing but a stop that waits for its start', () => {
    fc.assert(
      fc.property(kinds, facts, anybody, directions, (kind, about, actor, direction) => {
        const verdict = decide(kind, { ...about, held: true }, actor, direction);
        if (verdict.kind === 'refused') return;
        expect([verdict.kind, kind, about.state]).toEqual(['wait', 'stop', 'Starting']);
      }),
    );
  });

  test('every reason has words for every operation and state, with and without a holder', () => {
    const holder: Holder = {
      jobId: 'j',
      kind: 'upgrade',
      actorName: 'Ana',
      serverName: null,
      since: '2026-01-02T03:04:05.000Z',
      currentStep: null,
      stepsDone: 0,
      stepsTotal: 0,
      ended: false,
    };
    for (const reason of refusalReasons) {
      for (const kind of operationKinds) {
        for (const state of clusterStates) {
          for (const who of [holder, null]) {
            expect(reasonText(reason, { kind, state, holder: who, role: 'operator' })).toMatch(/^[A-Z].*\.$/);
          }
        }
      }
    }
  });
});

function reasons(kind: OperationKind, facts: PolicyFacts, actor: Actor): readonly PolicyReason[] {
  const verdict = decide(kind, facts, actor);
  return verdict.kind === 'refused' ? [verdict.reason, ...verdict.also] : [];
}
