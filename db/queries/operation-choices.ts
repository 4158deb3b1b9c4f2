/** What each menu operation would do now: the one policy with its words, for list, page and API. Pure. */
import type { Actor } from '@/domain/actor';
import { menuOperations, type OperationKind, operations } from '@/domain/operations';
import { decide, type PolicyFacts } from '@/domain/policy';
import { type Holder, reasonText } from '@/domain/refusals';
import type { OperationChoice } from './cluster-dto';

export function operationChoices(facts: PolicyFacts, actor: Actor, holder: Holder | null): readonly OperationChoice[] {
  return menuOperations.map((kind) => choiceOf(kind, facts, actor, holder));
}

function choiceOf(kind: OperationKind, facts: PolicyFacts, actor: Actor, holder: Holder | null): OperationChoice {
  const verdict = decide(kind, facts, actor);
  if (verdict.kind !== 'refused') {
    return {
      kind,
      verdict: verdict.kind,
      to: verdict.kind === 'enter' ? verdict.to : null,
      reason: null,
      text: null,
      also: [],
    };
  }
  const about = { kind, state: facts.state, holder, role: verdict.role ?? operations[kind].role };
  return {
    kind,
    verdict: null,
    to: null,
    reason: verdict.reason,
    text: reasonText(verdict.reason, about),
    also: verdict.also.map((reason) => reasonText(reason, about)),
  };
}
