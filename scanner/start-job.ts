import { latestJobs, noteCheck } from '@/db/cloud-findings';
import type { ScannedCluster } from '@/db/cloud-scan';
import { decisionFacts } from '@/db/clusters';
import { scannerActor } from '@/domain/actor';
import type { HealthCheck } from '@/domain/attention';
import { operations } from '@/domain/operations';
import { type DecisionCode, decisionCodes } from '@/domain/orphans';
import { decide } from '@/domain/policy';
import { reasonText } from '@/domain/refusals';
import type { ClusterState } from '@/domain/states';
import { acceptOperation } from '@/worker/accept';
import { failuresInARow, waitWords } from './attempts';
import { act, type Checked, type CloudCheck, leaveAlone } from './cloud-check';

export interface WantedJob {
  readonly kind: 'recover' | 'stop' | 'delete';
  readonly code: DecisionCode;
  readonly reason: string;
  readonly becomes: ClusterState | null;
  /** What was found; an attempt that failed is not repeated on the same facts before its back-off is over. */
  readonly facts: string;
  /** The cluster's own mark that facts changed since the last failure, or that the wait is over. */
  readonly isDue: boolean;
  readonly verdict: HealthCheck['verdict'];
}

/**
 * Sets a job of this server going, as anybody's request would be: same policy, same entry, on the cluster as the pass read it
 * (SCN-1, SCN-2). The pass does not wait for it. Asks the policy first, so that a standing "no" leaves no event with each pass.
 */
export async function startJob(check: CloudCheck, cluster: ScannedCluster, wanted: WantedJob): Promise<Checked> {
  const { worker, backOffMs } = check.scanner;
  const { kind, code, reason, becomes, facts } = wanted;
  const failures = failuresInARow(await latestJobs(worker.db, cluster.id), kind, facts, backOffMs);
  if (failures.leftMs > 0 && !wanted.isDue && !check.forced) return waitLonger(check, cluster, wanted, failures);
  const refusal = await refusalNow(check, cluster, kind);
  if (refusal !== undefined) return refusal;
  if (check.isPreview) return act(check, cluster, { code, reason, becomes, tally: 'jobsStarted' });
  const answer = await acceptOperation(worker, scannerActor, {
    kind,
    clusterId: cluster.id,
    input: { facts, ...(check.forced ? { forced: true } : {}) },
    note: reason,
    expectedSeq: cluster.asRead.operationSeq,
  });
  if (answer.ok) return act(check, cluster, { code, reason, becomes, jobId: answer.value.jobId, tally: 'jobsStarted' });
  const lost = answer.refusal.code === 'conflict' || answer.refusal.code === 'refused';
  return leaveAlone(check, cluster, {
    code: 'MOVED_ON',
    reason: answer.refusal.message,
    result: lost ? 'missed' : 'failed',
  });
}

/** Undefined: nothing speaks against it. */
async function refusalNow(
  check: CloudCheck,
  cluster: ScannedCluster,
  kind: WantedJob['kind'],
): Promise<Checked | undefined> {
  const now = await decisionFacts(check.scanner.worker.db, cluster.id);
  const { state, operationId, operationSeq } = cluster.asRead;
  const same =
    now?.asRead.state === state && now.asRead.operationSeq === operationSeq && now.asRead.operationId === operationId;
  if (!same) return leaveAlone(check, cluster, { code: 'MOVED_ON', reason: decisionCodes.MOVED_ON, result: 'missed' });
  const { available, draining } = check.work;
  const verdict = decide(kind, { ...now, state, serverAvailable: available, draining }, scannerActor);
  if (verdict.kind !== 'refused') return undefined;
  const reason = reasonText(verdict.reason, { kind, state, holder: null, role: operations[kind].role });
  return leaveAlone(check, cluster, {
    code: verdict.reason === 'legacy-job' ? 'NAMED_BY_LEGACY_JOB' : 'STILL_MISSING',
    reason,
  });
}

async function waitLonger(
  check: CloudCheck,
  cluster: ScannedCluster,
  wanted: WantedJob,
  failures: { count: number; leftMs: number },
): Promise<Checked> {
  const label = operations[wanted.kind].label;
  const times = failures.count === 1 ? 'failed' : `failed ${failures.count} times in a row`;
  const reason = `${label} ${times}; the next attempt is in ${waitWords(failures.leftMs)}.`;
  const known = cluster.nextCheckAt !== null && cluster.checkFailures === failures.count && !cluster.nextCheckIsDue;
  if (!check.isPreview && !known) {
    const advice = 'The scanner tries again by itself, sooner when facts change. "Check now" tries at once.';
    const healthCheck = { at: new Date().toISOString(), verdict: wanted.verdict, missing: [], advice } as const;
    const noted = await noteCheck(check.scanner.worker.db, cluster, {
      healthCheck,
      checkFailures: failures.count,
      waitMs: failures.leftMs,
    });
    if (!noted)
      return leaveAlone(check, cluster, { code: 'MOVED_ON', reason: decisionCodes.MOVED_ON, result: 'missed' });
  }
  return leaveAlone(check, cluster, { code: 'WAITING_BACK_OFF', reason });
}
