import type { ScannedCluster } from '@/db/cloud-scan';
import type { DecisionCode } from '@/domain/orphans';
import type { PassDecision } from '@/domain/passes';
import type { ClusterState } from '@/domain/states';
import type { ScannerContext } from './context';
import type { LegacyGate } from './legacy-gate';

/** What each cluster's check of a cloud half is made with. */
export interface CloudCheck {
  readonly scanner: ScannerContext;
  readonly serverId: string;
  readonly isPreview: boolean;
  /** Ends every wait of this half. */
  readonly signal: AbortSignal;
  /** Asked only when something was found (REC-11). */
  readonly gate: () => Promise<LegacyGate>;
  /** Whether this server may set jobs going now, and why not. */
  readonly work: { readonly available: boolean; readonly draining: boolean };
  /** Somebody asked: no back-off. */
  readonly forced: boolean;
}

export interface Checked {
  readonly decision: PassDecision;
  readonly tally?: 'alerted' | 'jobsStarted' | 'swept';
}

/** A decision that leaves the cluster as it is. */
export function leaveAlone(
  check: Pick<CloudCheck, 'isPreview'>,
  cluster: ScannedCluster,
  why: { code: DecisionCode; reason: string; result?: 'none' | 'missed' | 'failed' },
): Checked {
  const result = check.isPreview ? null : (why.result ?? 'none');
  return {
    decision: { ...about(cluster), decision: 'leave', code: why.code, reason: why.reason, becomes: null, result },
  };
}

/** A decision to act; `result` is null in a preview. */
export function act(
  check: Pick<CloudCheck, 'isPreview'>,
  cluster: ScannedCluster,
  what: {
    code: DecisionCode;
    reason: string;
    becomes: ClusterState | null;
    jobId?: string;
    tally: 'alerted' | 'jobsStarted';
  },
): Checked {
  const { code, reason, becomes, jobId, tally } = what;
  const result = check.isPreview ? null : 'done';
  return {
    tally,
    decision: { ...about(cluster), jobId: jobId ?? null, decision: 'recover', code, reason, becomes, result },
  };
}

function about({ id, name, state, asRead }: ScannedCluster) {
  return { clusterId: id, clusterName: name, jobId: null, state, seenSeq: asRead.operationSeq };
}
