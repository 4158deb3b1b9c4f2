import { randomUUID } from 'node:crypto';
import { type DecisionFacts, decisionFacts } from '@/db/clusters';
import { enterOperation } from '@/db/entry';
import { violatesUnique } from '@/db/errors';
import { jobByIdempotencyKey, type NewJob } from '@/db/jobs';
import { serverAvailability } from '@/db/servers';
import { changeCreatedSettings } from '@/db/settings-of-created';
import { queueStop } from '@/db/waiting-stop';
import type { Actor } from '@/domain/actor';
import { type OperationKind, operations } from '@/domain/operations';
import { byState, decide, type PolicyFacts, type Verdict } from '@/domain/policy';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import { checkChange } from './check-change';
import type { WorkerContext } from './context';
import { checkRefusal, conflictRefusal, movedOnRefusal, policyRefusal, recordRefusal } from './refuse';
import { dispatch } from './run-operation';
import { afterUnclearCommit } from './unclear-commit';

export interface OperationRequest {
  readonly kind: Exclude<OperationKind, 'create'>;
  readonly clusterId: string;
  /** Parsed by the operation's schema. */
  readonly input: Record<string, unknown>;
  readonly note: string | null;
  /** The `operation_seq` that the asker saw; older than the present one means "moved on". */
  readonly expectedSeq?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly continuesJobId?: string | undefined;
}

/** A request whose check has said which way it goes; that chooses the event of a scale. */
type Directed = OperationRequest & { readonly direction: 'up' | 'down' };

type Allowed = Exclude<Verdict, { kind: 'refused' }>;

export interface Accepted {
  readonly jobId: string;
  readonly clusterId: string;
  /** A stop that waits for the running start. */
  readonly waiting: boolean;
  /** An earlier request with the same key, or the stop that waits already, made this job. */
  readonly repeated: boolean;
}

/**
 * Accepts an operation and enters it, in one transaction, then starts its worker; answers in milliseconds. Checks that need the cloud
 * come before and are the caller's. Refusals move nothing and leave one event (ENT-2 to ENT-5). May be called twice with one
 * idempotency key: one job.
 */
export async function acceptOperation(
  worker: WorkerContext,
  actor: Actor,
  request: OperationRequest,
): Promise<Result<Accepted, Refusal>> {
  const repeated = await repeatedRequest(worker, request);
  if (repeated !== undefined) return repeated;
  const startedAt = worker.clock.now();
  const facts = await decisionFacts(worker.db, request.clusterId);
  if (facts === undefined) return refused({ code: 'not-found', message: 'There is no such cluster.' });
  const verdict = decide(request.kind, await policyFacts(worker, facts), actor);
  // The same form sent twice at once: what refuses the second is the first, which has entered meanwhile.
  const refuse = async (refusal: Refusal) =>
    (await repeatedRequest(worker, request)) ??
    (await recordRefusal(worker, actor, { ...request, clusterName: facts.name }, refusal));
  if (verdict.kind === 'refused') return refuse(await policyRefusal(worker.db, request.kind, facts, verdict));
  if (request.expectedSeq !== undefined && request.expectedSeq !== facts.asRead.operationSeq) {
    return refuse(await movedOnRefusal(worker.db, facts));
  }
  const check = await checkChange(worker, request, actor);
  if (check !== undefined && check.kind !== 'fine') {
    // What the check found may be the work of an operation that entered meanwhile: then that is the answer (ENT-2).
    const now = await decisionFacts(worker.db, request.clusterId);
    if (now !== undefined && now.asRead.operationSeq !== facts.asRead.operationSeq)
      return refuse(await conflictRefusal(worker.db, facts, worker.clock.now() - startedAt));
    return refuse(checkRefusal(check));
  }
  const directed = { ...request, direction: check?.direction ?? 'up' };
  try {
    const outcome = await take(
      worker,
      directed,
      facts,
      directedVerdict(verdict, directed, facts),
      newJob(actor, request),
    );
    if (outcome !== undefined) return accepted(outcome);
  } catch (error) {
    if (!violatesUnique(error, 'jobs_idempotency')) throw error;
  }
  return refuse(await conflictRefusal(worker.db, facts, worker.clock.now() - startedAt));
}

/** Facts for the policy, read outside any transaction; the entry's own conditions decide. */
async function policyFacts(worker: WorkerContext, facts: DecisionFacts): Promise<PolicyFacts> {
  const { available, draining } = await serverAvailability(worker.db, worker.lease.serverId);
  return {
    state: facts.asRead.state,
    held: facts.held,
    orphaned: facts.orphaned,
    protected: facts.protected,
    externalNodeCount: facts.externalNodeCount,
    interruptedUpgrade: facts.interruptedUpgrade,
    legacyHold: facts.legacyHold,
    serverAvailable: available,
    draining: draining || worker.running.stopping,
  };
}

function newJob(actor: Actor, request: OperationRequest): NewJob {
  return {
    id: randomUUID(),
    kind: request.kind,
    clusterId: request.clusterId,
    actor,
    input: request.input,
    note: request.note,
    continuesJobId: request.continuesJobId ?? null,
    idempotencyKey: request.idempotencyKey ?? null,
    timeoutSeconds: operations[request.kind].timeoutSeconds,
  };
}

function directedVerdict(verdict: Allowed, request: Directed, facts: DecisionFacts): Allowed {
  const directed = verdict.kind === 'enter' ? byState(request.kind, facts.asRead.state, request.direction) : verdict;
  return directed.kind === 'refused' ? verdict : directed;
}

/** Undefined: the race was lost. */
async function take(
  worker: WorkerContext,
  request: Directed,
  facts: DecisionFacts,
  verdict: Allowed,
  job: NewJob,
): Promise<Accepted | undefined> {
  const answer = { clusterId: request.clusterId, jobId: job.id, waiting: false, repeated: false };
  try {
    if (verdict.kind === 'wait') return await waitForStart(worker, facts, job);
    if (verdict.kind === 'settings') {
      const changed = await changeCreatedSettings(worker.db, facts, job);
      return changed ? answer : undefined;
    }
    worker.running.claim(job.id);
    const hold = await enterOperation(worker.db, {
      asRead: facts.asRead,
      clusterName: facts.name,
      job,
      serverId: worker.lease.serverId,
      move: verdict.kind === 'enter' ? { event: verdict.event, to: verdict.to } : null,
      failureEvent: failureEventOf(request.kind, facts, verdict),
      unlessProtected: request.kind === 'delete',
    });
    if (hold === undefined) {
      worker.running.release(job.id);
      return undefined;
    }
    dispatch(worker, hold);
    return answer;
  } catch (error) {
    const entry = verdict.kind === 'wait' || verdict.kind === 'settings' ? 'stored' : 'claimed';
    return await afterUnclearCommit(worker, error, job, entry);
  }
}

/** A second stop gets the one that waits already, also when that one was quicker by a moment (OUT-1 closed). */
async function waitForStart(worker: WorkerContext, facts: DecisionFacts, job: NewJob): Promise<Accepted | undefined> {
  const answer = { clusterId: job.clusterId, waiting: true };
  if (facts.nextOperationId !== null) return { ...answer, jobId: facts.nextOperationId, repeated: true };
  if (await queueStop(worker.db, facts.asRead, facts.name, job)) return { ...answer, jobId: job.id, repeated: false };
  const now = await decisionFacts(worker.db, job.clusterId);
  const waits = now?.asRead.operationId === facts.asRead.operationId ? now?.nextOperationId : null;
  return waits ? { ...answer, jobId: waits, repeated: true } : undefined;
}

/** A go-ahead operation stores none (its state stays); a recovery taken from Error goes back there. */
function failureEventOf(kind: OperationKind, facts: DecisionFacts, verdict: Verdict) {
  if (verdict.kind !== 'enter' || kind === 'delete') return null;
  if (kind === 'recover' && facts.asRead.state === 'Error') return 'CreateFailed' as const;
  return operations[kind].failed;
}

async function repeatedRequest(
  worker: WorkerContext,
  request: OperationRequest,
): Promise<Result<Accepted, Refusal> | undefined> {
  if (request.idempotencyKey === undefined) return undefined;
  const made = await jobByIdempotencyKey(worker.db, request.idempotencyKey);
  if (made === undefined) return undefined;
  if (made.clusterId !== request.clusterId || made.kind !== request.kind) {
    return refused({
      code: 'invalid',
      message: 'This idempotency key was used for another request.',
      issues: [{ field: 'idempotencyKey', message: 'Used for another request.' }],
    });
  }
  return accepted({ jobId: made.id, clusterId: request.clusterId, waiting: made.status === 'waiting', repeated: true });
}
