import { type Actor, hasRole, type Role } from './actor';
import { type OperationKind, operations } from './operations';
import { type ClusterEvent, type ClusterState, isOperationState } from './states';
import { nextState } from './transitions';

/** Why an operation is off. Order of checks = order of display (interface 4.4). */
export const refusalReasons = [
  'gone',
  'role',
  'no-live-server',
  'draining',
  'protected',
  'held',
  'orphaned',
  'already',
  'legacy-job',
  'being-deleted',
  'create-failed',
  'needs-running',
  'needs-health-check',
  'no-external-nodes',
  'autoscale-paused',
  'scanner-only',
] as const;
export type PolicyReason = (typeof refusalReasons)[number];

/** What the policy needs to know of a cluster and its surroundings; plain facts, read once. */
export interface PolicyFacts {
  readonly state: ClusterState;
  /** A job owns the cluster and is in progress. */
  readonly held: boolean;
  /** A job owns it but has ended, or nobody owns an operation state: a pass will recover it. */
  readonly orphaned: boolean;
  readonly protected: boolean;
  readonly externalNodeCount: number;
  /** Its last upgrade did not succeed: it may be resumed from Alert. */
  readonly interruptedUpgrade: boolean;
  /** A job of an older server names this cluster (MIX-1). */
  readonly legacyHold: boolean;
  /** At least one server is up to run the work. */
  readonly serverAvailable: boolean;
  /** The server that would run it is draining. */
  readonly draining: boolean;
}

export type Verdict =
  /** Takes the cluster into `to`. */
  | { readonly kind: 'enter'; readonly event: ClusterEvent; readonly to: ClusterState }
  /** Owns the cluster and leaves its state alone (ENT-7). */
  | { readonly kind: 'go-ahead' }
  /** Changes stored settings of a Created cluster; never owns it (SCL-2). */
  | { readonly kind: 'settings' }
  /** Waits for the running start to reach a step boundary, then takes over (OUT-1 closed). */
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'refused';
      readonly reason: PolicyReason;
      readonly also: readonly PolicyReason[];
      readonly role?: Role;
    };

/** The one rule set: buttons, server actions, API and scanner all ask it. `direction` matters for a scale only. */
export function decide(
  kind: OperationKind,
  facts: PolicyFacts,
  actor: Actor,
  direction: 'up' | 'down' = 'up',
): Verdict {
  const reasons = refusalsFor(kind, facts, actor);
  const [main, ...also] = reasons;
  if (main !== undefined) return { kind: 'refused', reason: main, also, role: operations[kind].role };
  return byState(kind, facts.state, direction);
}

/** What `kind` does in `state` when nothing else is in its way; the state column of the policy table. */
export function byState(kind: OperationKind, state: ClusterState, direction: 'up' | 'down' = 'up'): Verdict {
  if (kind === 'stop' && state === 'Starting') return { kind: 'wait' };
  if ((kind === 'scale' || kind === 'autoscale') && state === 'Created') return { kind: 'settings' };
  if (operations[kind].goesAheadFrom.includes(state)) return { kind: 'go-ahead' };
  const event = entryEvent(kind, state, direction);
  const to = event === undefined ? undefined : nextState(state, event);
  if (event !== undefined && to !== undefined) return { kind: 'enter', event, to };
  return { kind: 'refused', reason: stateReason(kind, state), also: [], role: operations[kind].role };
}

/** A stopped cluster has one scale event, whatever the direction (row 17); elsewhere the direction chooses. */
function entryEvent(kind: OperationKind, state: ClusterState, direction: 'up' | 'down'): ClusterEvent | undefined {
  if (kind !== 'scale') return operations[kind].entries[0];
  if (state === 'Stopped') return 'ScaleUpRequested';
  return direction === 'up' ? 'ScaleUpRequested' : 'ScaleDownRequested';
}

function refusalsFor(kind: OperationKind, facts: PolicyFacts, actor: Actor): PolicyReason[] {
  const found: PolicyReason[] = [];
  if (facts.state === 'Destroyed') return ['gone'];
  if (kind === 'recover' && actor.kind !== 'scanner') found.push('scanner-only');
  if (!hasRole(actor, operations[kind].role)) found.push('role');
  if (!facts.serverAvailable) found.push('no-live-server');
  else if (facts.draining) found.push('draining');
  if (kind === 'delete' && facts.protected) found.push('protected');
  const holding = holdReason(kind, facts);
  if (holding !== undefined) found.push(holding);
  if (facts.legacyHold) found.push('legacy-job');
  const verdict = byState(kind, facts.state);
  if (holding === undefined && verdict.kind === 'refused') found.push(verdict.reason);
  // An upgrade of a cluster in Alert only completes one that was interrupted.
  if (holding === undefined && kind === 'upgrade' && facts.state === 'Alert' && !facts.interruptedUpgrade)
    found.push('needs-health-check');
  if (kind === 'remove-nodes' && facts.externalNodeCount === 0 && verdict.kind === 'enter')
    found.push('no-external-nodes');
  // People may scale from Alert and store settings of Created; an autoscaler only ever works on a healthy cluster.
  if (actor.kind === 'autoscaler' && verdict.kind !== 'refused' && facts.state !== 'Running')
    found.push(facts.state === 'Alert' ? 'autoscale-paused' : 'needs-running');
  return found;
}

function holdReason(kind: OperationKind, facts: PolicyFacts): PolicyReason | undefined {
  if (kind === 'stop' && facts.state === 'Starting' && facts.held) return undefined;
  if (facts.held) return wantsPresentState(kind, facts.state) ? 'already' : 'held';
  if (facts.orphaned) return 'orphaned';
  return undefined;
}

/** Start of a Starting or Running cluster, stop of a Stopping or Stopped one: nothing to ask for. */
function wantsPresentState(kind: OperationKind, state: ClusterState): boolean {
  if (kind === 'start') return state === 'Starting' || state === 'Running';
  if (kind === 'stop') return state === 'Stopping' || state === 'Stopped';
  return false;
}

function stateReason(kind: OperationKind, state: ClusterState): PolicyReason {
  if (state === 'Destroyed') return 'gone';
  if (state === 'Destroying') return 'being-deleted';
  if (wantsPresentState(kind, state)) return 'already';
  if (isOperationState(state)) return 'held';
  if (state === 'Error') return 'create-failed';
  if (state === 'Alert') return 'needs-health-check';
  return 'needs-running';
}
