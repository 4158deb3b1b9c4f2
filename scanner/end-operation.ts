import { decisionFacts } from '@/db/clusters';
import { recordEvent } from '@/db/events';
import { type CandidateJob, candidateNow, jobsOfCandidates } from '@/db/scan';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { ClusterState } from '@/domain/states';
import { movedOnRefusal } from '@/worker/refuse';
import type { ScannerContext } from './context';
import { failureOf } from './orphan';
import { recoverAndDispatch } from './recover';

export interface EndRequest {
  readonly clusterId: string;
  /** The operation that the page showed as owner, and the token it showed. */
  readonly operationId: string;
  readonly seenSeq: number;
  readonly reason: string;
}

/**
 * *End this operation* (design section 6): the same conditional write as recovery, on the token that the page showed, by an admin with
 * a reason. The job ends in the same transaction; its worker, wherever it is, finds its cluster gone and stops. Refused when the
 * cluster has moved on since.
 */
export async function endOperationByHand(
  scanner: ScannerContext,
  actor: Actor,
  request: EndRequest,
): Promise<Result<{ becomes: ClusterState | null }, Refusal>> {
  const { worker } = scanner;
  const candidate = await candidateNow(worker.db, request.clusterId);
  const same =
    candidate?.asRead.operationId === request.operationId && candidate.asRead.operationSeq === request.seenSeq;
  if (candidate === undefined || !same) return refuseAsMovedOn(scanner, actor, request);
  const jobs = await jobsOfCandidates(worker.db, [candidate], scanner.beatMs);
  const owner = jobs.find((job) => job.id === request.operationId);
  const { event, becomes } = failureOf(candidate, owner?.failureEvent ?? null);
  const reason = `Ended by ${actor.name}: ${request.reason}`;
  const outcome = await recoverAndDispatch(scanner, {
    asRead: candidate.asRead,
    clusterName: candidate.name,
    becomes,
    event,
    cause: 'admin-end',
    actor,
    serverId: worker.lease.serverId,
    reason,
    passId: null,
    waitingStopId: candidate.nextOperationId,
    ...(isOpen(owner)
      ? { endJobToo: { jobId: owner.id, end: { status: 'failed', reason: 'ended-by-admin', message: reason } } }
      : {}),
  });
  if (outcome === 'missed') return refuseAsMovedOn(scanner, actor, request);
  worker.running.abort(request.operationId, 'lost');
  return accepted({ becomes });
}

function isOpen(job: CandidateJob | undefined): job is CandidateJob {
  return job?.status === 'in_progress';
}

async function refuseAsMovedOn(
  scanner: ScannerContext,
  actor: Actor,
  request: EndRequest,
): Promise<Result<never, Refusal>> {
  const { db, lease } = scanner.worker;
  const facts = await decisionFacts(db, request.clusterId);
  if (facts === undefined) return refused({ code: 'not-found', message: 'There is no such cluster.' });
  const refusal = await movedOnRefusal(db, facts);
  await recordEvent(db, {
    type: 'operation.refused',
    result: 'refused',
    actor,
    clusterId: request.clusterId,
    clusterName: facts.name,
    jobId: request.operationId,
    serverId: lease.serverId,
    summary: `End of an operation of ${facts.name} refused: ${refusal.message}`,
    detail: { refusal, reason: request.reason },
  });
  return refused(refusal);
}
