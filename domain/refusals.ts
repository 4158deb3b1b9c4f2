import type { Role } from './actor';
import { type OperationKind, operations } from './operations';
import type { PolicyReason } from './policy';
import { type ClusterState, stateLabels } from './states';

/** Who holds a cluster, as the refusal, the panel and the API name them. Times are ISO texts. */
export interface Holder {
  readonly jobId: string;
  readonly kind: OperationKind;
  readonly actorName: string;
  readonly serverName: string | null;
  readonly since: string;
  readonly currentStep: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  /** It has ended meanwhile; the cluster may be free again. */
  readonly ended: boolean;
}

export interface FieldIssue {
  /** Path of the field, `workerCount`; empty for the whole request. */
  readonly field: string;
  readonly message: string;
}

/** An expected "no". The same object reaches form, API and event. Nothing was changed when one is returned. */
export type Refusal =
  | { readonly code: 'invalid'; readonly message: string; readonly issues: readonly FieldIssue[] }
  | { readonly code: 'not-found'; readonly message: string }
  | { readonly code: 'not-allowed'; readonly message: string; readonly role: Role }
  /** The state, a hold or a rule forbids it. */
  | {
      readonly code: 'refused';
      readonly reason: PolicyReason | 'nothing-to-do' | 'moved-on';
      readonly message: string;
      readonly also: readonly string[];
      readonly holder: Holder | null;
    }
  /** A race was lost between reading and writing: the winner, and how far apart the two were. */
  | {
      readonly code: 'conflict';
      readonly message: string;
      readonly holder: Holder | null;
      readonly expectedState: ClusterState;
      readonly foundState: ClusterState;
      readonly gapMs: number | null;
    }
  /** The cloud says no, or did not answer in time; asked before acceptance. */
  | { readonly code: 'cloud'; readonly message: string }
  | { readonly code: 'unavailable'; readonly message: string };

/** HTTP status of a refusal in the API (design section 9). */
export const refusalStatus: Readonly<Record<Refusal['code'], number>> = {
  invalid: 422,
  'not-found': 404,
  'not-allowed': 403,
  refused: 409,
  conflict: 409,
  cloud: 409,
  unavailable: 503,
};

/** "Upgrade by Ana, on server-2, since 12:01:07 UTC". */
export function holderText(holder: Holder): string {
  const where = holder.serverName === null ? '' : `, on ${holder.serverName}`;
  return `${operations[holder.kind].label} by ${holder.actorName}${where}, since ${holder.since.slice(11, 19)} UTC`;
}

/** The words of a reason: one text, whoever asks. */
export function reasonText(
  reason: PolicyReason,
  about: { kind: OperationKind; state: ClusterState; holder: Holder | null; role: Role },
): string {
  const { kind, state, holder, role } = about;
  const heldBy = holder === null ? 'Another operation holds this cluster.' : `Held: ${holderText(holder)}.`;
  switch (reason) {
    case 'gone':
      return 'This cluster has been deleted; it can only be read.';
    case 'role':
      return `Needs the role ${role}.`;
    case 'no-live-server':
      return 'No server is up to run it.';
    case 'draining':
      return 'This server is draining and takes no new work. Ask another one.';
    case 'protected':
      return 'Protected against deletion. An admin can lift the protection in its settings.';
    case 'held':
      return heldBy;
    case 'orphaned':
      return 'Its last operation lost its server. The next recovery pass frees it.';
    case 'already':
      return alreadyText(kind, state, holder);
    case 'legacy-job':
      return 'A job of an older server names this cluster. See Recovery.';
    case 'being-deleted':
      return 'It is being deleted. Only the delete can be retried.';
    case 'create-failed':
      return 'Its creation failed. Start it again or delete it.';
    case 'needs-running':
      return state === 'Stopped' || state === 'Created'
        ? 'Needs a running cluster. Start it first.'
        : `Not possible in ${stateLabels[state]}.`;
    case 'needs-health-check':
      return 'Needs Running. The next health check may bring it back; check now, or start it.';
    case 'no-external-nodes':
      return 'Only added machines can be removed, and it has none.';
    case 'autoscale-paused':
      return 'Autoscaling is paused: the cluster is in Alert. It goes on when the cluster is Running again.';
    case 'scanner-only':
      return 'Only a recovery pass does this.';
  }
}

function alreadyText(kind: OperationKind, state: ClusterState, holder: Holder | null): string {
  if (holder !== null) return `Already ${operations[kind].doing}: ${holderText(holder)}.`;
  return `It is ${stateLabels[state].toLowerCase()} already.`;
}
