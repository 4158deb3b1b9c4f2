import type { Database } from '@/db/client';
import type { DecisionFacts } from '@/db/clusters';
import { decisionFacts, holderOf } from '@/db/clusters';
import { type NewEvent, recordEvent, recordEventOnce } from '@/db/events';
import type { Actor } from '@/domain/actor';
import { type OperationKind, operations } from '@/domain/operations';
import type { Verdict } from '@/domain/policy';
import { holderText, type Refusal, reasonText } from '@/domain/refusals';
import { refused } from '@/domain/result';
import { stateLabels } from '@/domain/states';
import type { ChangeCheck } from './check-outcome';
import type { WorkerContext } from './context';

/** The policy's "no" in the words of pages and API, with whoever holds the cluster. */
export async function policyRefusal(
  db: Database,
  kind: OperationKind,
  facts: DecisionFacts,
  verdict: Extract<Verdict, { kind: 'refused' }>,
): Promise<Refusal> {
  const holder = facts.held || facts.orphaned ? await holderOf(db, facts.asRead.clusterId) : null;
  const role = verdict.role ?? operations[kind].role;
  const words = (reason: typeof verdict.reason) =>
    reasonText(reason, { kind, state: facts.asRead.state, holder, role });
  if (verdict.reason === 'role') return { code: 'not-allowed', message: words('role'), role };
  if (verdict.reason === 'no-live-server') return { code: 'unavailable', message: words('no-live-server') };
  return {
    code: 'refused',
    reason: verdict.reason,
    message: words(verdict.reason),
    also: verdict.also.map(words),
    holder,
  };
}

/** The form was opened before somebody else's operation took the cluster. */
export async function movedOnRefusal(db: Database, facts: DecisionFacts): Promise<Refusal> {
  const holder = await holderOf(db, facts.asRead.clusterId);
  const since = holder === null ? '' : ` Last: ${holderText(holder)}.`;
  return {
    code: 'refused',
    reason: 'moved-on',
    message: `The cluster has moved on since this form was opened; it is ${stateLabels[facts.asRead.state]} now.${since} Look again, then ask again.`,
    also: [],
    holder,
  };
}

/** ENT-2: the race was lost after the reading. Names the winner and asks to retry; nothing was changed. */
export async function conflictRefusal(db: Database, asRead: DecisionFacts, gapMs: number): Promise<Refusal> {
  const [now, holder] = await Promise.all([
    decisionFacts(db, asRead.asRead.clusterId),
    holderOf(db, asRead.asRead.clusterId),
  ]);
  const foundState = now?.asRead.state ?? 'Destroyed';
  const winner = holder === null ? 'another change' : holderText(holder);
  const ended = holder?.ended === true ? ' It has ended already.' : '';
  return {
    code: 'conflict',
    message: `Another operation got there first: ${winner}.${ended} Nothing was changed. Please retry.`,
    holder,
    expectedState: asRead.asRead.state,
    foundState,
    gapMs: Math.round(gapMs),
  };
}

/** What a check before acceptance found, as a refusal. */
export function checkRefusal(check: Exclude<ChangeCheck, { kind: 'fine' }>): Refusal {
  switch (check.kind) {
    case 'invalid':
      return { code: 'invalid', message: check.issues.map((issue) => issue.message).join(' '), issues: check.issues };
    case 'nothing-to-do':
      return { code: 'refused', reason: 'nothing-to-do', message: check.message, also: [], holder: null };
    case 'blocked':
    case 'cloud':
      return { code: 'cloud', message: check.message };
  }
}

/** An autoscaler asks again every few seconds for as long as its load lasts; the same "no" is told once in this time. */
const sameRefusalMs = 3_600_000;

/** I10: a refusal changes nothing and leaves one event, which keeps the receipt. */
export async function recordRefusal(
  worker: Pick<WorkerContext, 'db' | 'lease'>,
  actor: Actor,
  about: { kind: OperationKind; clusterId: string | null; clusterName: string; note: string | null },
  refusal: Refusal,
) {
  const event: NewEvent = {
    type: 'operation.refused',
    result: 'refused',
    actor,
    clusterId: about.clusterId,
    clusterName: about.clusterName,
    serverId: worker.lease.serverId,
    summary: `${operations[about.kind].label} of ${about.clusterName} refused: ${refusal.message}`,
    detail: { kind: about.kind, refusal, ...(about.note === null ? {} : { note: about.note }) },
  };
  if (actor.kind === 'autoscaler') await recordEventOnce(worker.db, event, sameRefusalMs);
  else await recordEvent(worker.db, event);
  return refused(refusal);
}
