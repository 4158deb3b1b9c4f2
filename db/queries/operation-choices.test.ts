import { describe, expect, it } from 'vitest';
import type { Actor } from '@/domain/actor';
import { menuOperations, operations } from '@/domain/operations';
import { decide, type PolicyFacts } from '@/domain/policy';
import { reasonText } from '@/domain/refusals';
import { clusterStates } from '@/domain/states';
import { ana } from '@/test/support/fixtures';
import { operationChoices } from './operation-choices';

const vera: Actor = { kind: 'user', id: 'vera', name: 'Vera', role: 'viewer' };
const quiet: Omit<PolicyFacts, 'state'> = {
  held: false,
  orphaned: false,
  protected: false,
  externalNodeCount: 0,
  legacyHold: false,
  serverAvailable: true,
  draining: false,
  interruptedUpgrade: false,
};
const circumstances: readonly Partial<PolicyFacts>[] = [
  {},
  { held: true },
  { orphaned: true },
  { protected: true },
  { serverAvailable: false },
  { draining: true },
  { interruptedUpgrade: true },
];

describe('what the menu says is what the policy says', () => {
  it.each(clusterStates)('in %s, for every operation, circumstance and role', (state) => {
    for (const actor of [ana, vera]) {
      for (const circumstance of circumstances) {
        const facts = { ...quiet, state, ...circumstance };
        for (const choice of operationChoices(facts, actor, null)) {
          const verdict = decide(choice.kind, facts, actor);
          expect(choice.verdict).toBe(verdict.kind === 'refused' ? null : verdict.kind);
          if (verdict.kind !== 'refused') continue;
          const about = { kind: choice.kind, state, holder: null, role: operations[choice.kind].role };
          expect(choice.text).toBe(reasonText(verdict.reason, about));
        }
      }
    }
  });

  it('always lists the eight in the same order', () => {
    for (const state of clusterStates) {
      expect(operationChoices({ ...quiet, state }, ana, null).map((choice) => choice.kind)).toEqual([
        ...menuOperations,
      ]);
    }
  });
});
