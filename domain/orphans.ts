import { type ClusterEvent, type ClusterState, isOperationState } from './states';
import { nextState } from './transitions';

export type Decision = 'recover' | 'leave' | 'blocked';

/** Every decision of a pass carries one (interface 4.7). */
export const decisionCodes = {
  NO_JOB: 'No job is in progress for it.',
  JOB_ENDED: 'The job that owns it has ended without releasing it.',
  JOB_ON_DEAD_SERVER: 'Its job ran on a server that has departed.',
  JOB_IN_PROGRESS: 'Its job is in progress on a live server.',
  WITHIN_GRACE: 'Its server has missed beats, but its lease has not run out for long enough.',
  NAMED_BY_LEGACY_JOB: 'A job of an older server names it.',
  LEGACY_JOB_WITHOUT_CLUSTER: 'A job of an older server names no cluster, so no cluster is recovered.',
  MOVED_ON: 'It changed between the reading and the write.',
  GAINED_JOB: 'A job took it since the list was made.',
  HANDLED_BY_DESTROY_RETRY: 'Its delete is retried by the destroy sweep.',
  NOT_SELECTED: 'It was not selected.',
  DRIFT: 'Real machines or recorded facts disagree with its state.',
  HEALTHY: 'Every planned node is healthy again.',
  ALL_STOPPED: 'Every planned machine is stopped.',
  STILL_MISSING: 'Something is missing.',
  WAITING_BACK_OFF: 'The next attempt waits after a failed one.',
  DESTROY_RETRY: 'Its delete is tried again.',
  UNREACHABLE: 'It could not be checked.',
} as const;
export type DecisionCode = keyof typeof decisionCodes;

/** A cluster as a pass read it, then its owner's job, in that order (REC-7). */
export interface OrphanFacts {
  readonly state: ClusterState;
  readonly operationId: string | null;
  /** The job in progress on this cluster, on any server; null when there is none (REC-3). */
  readonly inProgressJob: {
    readonly id: string;
    readonly serverDeparted: boolean;
    readonly serverSilent: boolean;
  } | null;
  /** Its owner has ended because its server departed; told apart only for the words. */
  readonly ownerLostServer: boolean;
  /** The event its owner stored; null for a go-ahead operation or where no owner is known. */
  readonly failureEvent: ClusterEvent | null;
  readonly namedByLegacyJob: boolean;
  readonly legacyJobWithoutCluster: boolean;
}

export interface OrphanDecision {
  readonly decision: Decision;
  readonly code: DecisionCode;
  /** The state it gets; null when its state is left alone and only the owner goes. */
  readonly becomes: ClusterState | null;
}

/**
 * REC-2 to REC-5, MIX-1, MIX-2: what a pass does with one candidate. Pure, so that preview and apply cannot differ.
 * Clusters at rest without an owner are no candidates and must not be passed in.
 */
export function decideOrphan(facts: OrphanFacts): OrphanDecision {
  if (facts.legacyJobWithoutCluster) return { decision: 'blocked', code: 'LEGACY_JOB_WITHOUT_CLUSTER', becomes: null };
  if (facts.namedByLegacyJob) return { decision: 'leave', code: 'NAMED_BY_LEGACY_JOB', becomes: null };
  const job = facts.inProgressJob;
  if (job !== null && !job.serverDeparted) {
    return { decision: 'leave', code: job.serverSilent ? 'WITHIN_GRACE' : 'JOB_IN_PROGRESS', becomes: null };
  }
  const lostServer = job !== null || facts.ownerLostServer;
  const code: DecisionCode = lostServer ? 'JOB_ON_DEAD_SERVER' : facts.operationId === null ? 'NO_JOB' : 'JOB_ENDED';
  return { decision: 'recover', code, becomes: failureTarget(facts.state, facts.failureEvent) };
}

/**
 * REC-4: where a cluster goes when its operation is lost. OperationFailed where the job stored nothing; null where the state
 * is no operation state (a go-ahead operation, or one at rest, only loses its owner).
 */
export function failureTarget(state: ClusterState, failureEvent: ClusterEvent | null): ClusterState | null {
  if (!isOperationState(state)) return null;
  return nextState(state, failureEvent ?? 'OperationFailed') ?? nextState(state, 'OperationFailed') ?? null;
}
