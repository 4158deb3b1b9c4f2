import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecisionCode, decideOrphan, decisionCodes, failureTarget, type OrphanFacts } from './orphans';
import { type ClusterState, clusterStates, isOperationState, operationStates } from './states';

const owned: OrphanFacts = {
  state: 'Upgrading',
  operationId: 'job-1',
  inProgressJob: null,
  ownerLostServer: false,
  failureEvent: 'OperationFailed',
  namedByLegacyJob: false,
  legacyJobWithoutCluster: false,
};
const alive = { id: 'job-1', serverDeparted: false, serverSilent: false };

interface Case {
  readonly name: string;
  readonly facts: Partial<OrphanFacts>;
  readonly decision: 'recover' | 'leave' | 'blocked';
  readonly code: DecisionCode;
  readonly becomes: ClusterState | null;
}

const cases: readonly Case[] = [
  {
    name: 'REC-3 a job in progress on a live server is left',
    facts: { inProgressJob: alive },
    decision: 'leave',
    code: 'JOB_IN_PROGRESS',
    becomes: null,
  },
  {
    name: 'REC-3 a job in progress of any server counts, also one that the cluster does not name',
    facts: { operationId: null, inProgressJob: { ...alive, id: 'job-9' } },
    decision: 'leave',
    code: 'JOB_IN_PROGRESS',
    becomes: null,
  },
  {
    name: 'REC-3 a silent server keeps its job until its lease has run out',
    facts: { inProgressJob: { ...alive, serverSilent: true } },
    decision: 'leave',
    code: 'WITHIN_GRACE',
    becomes: null,
  },
  {
    name: 'REC-4 a job on a departed server is recovered',
    facts: { inProgressJob: { ...alive, serverDeparted: true, serverSilent: true } },
    decision: 'recover',
    code: 'JOB_ON_DEAD_SERVER',
    becomes: 'Alert',
  },
  {
    name: 'REC-4 so is one that was failed because its server departed',
    facts: { ownerLostServer: true },
    decision: 'recover',
    code: 'JOB_ON_DEAD_SERVER',
    becomes: 'Alert',
  },
  {
    name: 'REC-4 and one that ended without releasing its cluster',
    facts: {},
    decision: 'recover',
    code: 'JOB_ENDED',
    becomes: 'Alert',
  },
  {
    name: 'REC-2 an operation state without any owner is an orphan',
    facts: { operationId: null, failureEvent: null },
    decision: 'recover',
    code: 'NO_JOB',
    becomes: 'Alert',
  },
  {
    name: 'MIX-1 a cluster that a job of an older server names is left',
    facts: { namedByLegacyJob: true },
    decision: 'leave',
    code: 'NAMED_BY_LEGACY_JOB',
    becomes: null,
  },
  {
    name: 'MIX-2 a job of an older server that names no cluster holds every recovery',
    facts: { legacyJobWithoutCluster: true, namedByLegacyJob: true },
    decision: 'blocked',
    code: 'LEGACY_JOB_WITHOUT_CLUSTER',
    becomes: null,
  },
];

/** REC-4 and REC-5 by hand: where each state goes when its operation is lost. */
const targets: Record<(typeof operationStates)[number], ClusterState> = {
  Starting: 'Alert',
  Stopping: 'Alert',
  Scaling: 'Alert',
  ScalingStoppedCluster: 'Alert',
  Upgrading: 'Alert',
  Importing: 'Running',
  RemovingNodes: 'Running',
  Recovering: 'Alert',
};

describe('the decision about an orphan', () => {
  test.each(cases)('$name', ({ facts, decision, code, becomes }) => {
    expect(decideOrphan({ ...owned, ...facts })).toEqual({ decision, code, becomes });
  });

  test.each(operationStates)('REC-4 an orphan in %s goes where its failure leads', (state) => {
    expect(decideOrphan({ ...owned, state }).becomes).toBe(targets[state]);
    expect(decideOrphan({ ...owned, state, operationId: null, failureEvent: null }).becomes).toBe(targets[state]);
  });

  test('REC-5 an interrupted create goes to Alert, not to Error', () => {
    expect(decideOrphan({ ...owned, state: 'Starting', failureEvent: 'OperationFailed' }).becomes).toBe('Alert');
  });

  test('REC-4 a Recovering that was entered from Error goes back to Error', () => {
    expect(decideOrphan({ ...owned, state: 'Recovering', failureEvent: 'CreateFailed' }).becomes).toBe('Error');
  });

  test.each(clusterStates.filter((state) => !isOperationState(state)))(
    'REC-2 the state of %s is never touched; it only loses an owner that has ended',
    (state) => {
      expect(decideOrphan({ ...owned, state, failureEvent: null })).toEqual({
        decision: 'recover',
        code: 'JOB_ENDED',
        becomes: null,
      });
      expect(decideOrphan({ ...owned, state }).becomes).toBeNull();
    },
  );

  test('REC-4 an event that the state has no row for falls back on OperationFailed', () => {
    expect(failureTarget('Upgrading', 'CreateFailed')).toBe('Alert');
    expect(failureTarget('Importing', null)).toBe('Running');
  });

  test('every decision code has words', () => {
    for (const words of Object.values(decisionCodes)) expect(words).toMatch(/^[A-Z].*\.$/);
  });
});

describe('properties of the decision', () => {
  const facts = fc.record<OrphanFacts>({
    state: fc.constantFrom(...clusterStates),
    operationId: fc.option(fc.constant('job-1')),
    inProgressJob: fc.option(
      fc.record({ id: fc.constant('job-1'), serverDeparted: fc.boolean(), serverSilent: fc.boolean() }),
    ),
    ownerLostServer: fc.boolean(),
    failureEvent: fc.option(fc.constantFrom('OperationFailed' as const, 'CreateFailed' as const)),
    namedByLegacyJob: fc.boolean(),
    legacyJobWithoutCluster: fc.boolean(),
  });

  test('REC-3 nothing is recovered while a job is in progress on a server that has not departed', () => {
    fc.assert(
      fc.property(facts, (about) => {
        const running = {
          ...about,
          inProgressJob: { id: 'job-1', serverDeparted: false, serverSilent: about.ownerLostServer },
        };
        expect(decideOrphan(running).decision).not.toBe('recover');
      }),
    );
  });

  test('MIX-1 nothing is recovered while a job of an older server may work on it', () => {
    fc.assert(
      fc.property(facts, (about) => {
        if (!about.namedByLegacyJob && !about.legacyJobWithoutCluster) return;
        expect(decideOrphan(about).decision).not.toBe('recover');
      }),
    );
  });

  test('REC-2 a recovered operation state always gets a state at rest; any other keeps its own', () => {
    fc.assert(
      fc.property(facts, (about) => {
        const { decision, becomes } = decideOrphan(about);
        const moves = decision === 'recover' && isOperationState(about.state);
        expect(becomes !== null).toBe(moves);
        expect(becomes !== null && isOperationState(becomes)).toBe(false);
      }),
    );
  });
});
