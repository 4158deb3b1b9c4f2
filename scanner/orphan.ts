import type { OrphanRecovery } from '@/db/orphan-recovery';
import { type Candidate, type CandidateJob, candidateNow, jobsOfCandidates } from '@/db/scan';
import { operationKinds, operations } from '@/domain/operations';
import { type DecisionCode, decideOrphan, decisionCodes, failureTarget } from '@/domain/orphans';
import type { PassDecision } from '@/domain/passes';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import type { ScannerContext } from './context';
import type { LegacyGate } from './legacy-gate';
import type { PassRun } from './pass-run';
import { recoverAndDispatch } from './recover';

/** What every candidate of a pass is judged with. */
export interface Surroundings {
  readonly gate: LegacyGate;
  /** In a preview: boots that an apply would have marked departed by now. */
  readonly departed: ReadonlySet<string>;
}

/** A candidate with its jobs and what is to be done with it. */
export interface Examined {
  readonly candidate: Candidate;
  readonly decision: PassDecision;
  readonly event: ClusterEvent | null;
  /** A job of a departed server that is still in progress: it must have ended before its cluster is recovered (I8). */
  readonly lostJobId: string | null;
}

/** Decides on a candidate from jobs that were read after it (REC-7). `listed`: its owner when the list was made. */
export function examine(
  candidate: Candidate,
  jobs: readonly CandidateJob[],
  surroundings: Surroundings,
  listed: { operationId: string | null } = candidate.asRead,
): Examined {
  const { clusterId, state, operationId, operationSeq } = candidate.asRead;
  const running = jobs.find((job) => job.status === 'in_progress' && job.clusterId === clusterId);
  const owner = jobs.find((job) => job.id === operationId);
  const hasDeparted = (job: CandidateJob) =>
    job.serverDeparted || (job.serverId !== null && surroundings.departed.has(job.serverId));
  const naming = surroundings.gate.naming(clusterId);
  const decided = decideOrphan({
    state,
    operationId,
    inProgressJob:
      running === undefined
        ? null
        : { id: running.id, serverDeparted: hasDeparted(running), serverSilent: running.serverSilent },
    ownerLostServer: owner?.reason === 'server-departed',
    failureEvent: owner?.failureEvent ?? null,
    namedByLegacyJob: naming !== undefined,
    legacyJobWithoutCluster: surroundings.gate.holdsAll !== null,
  });
  const gained = decided.code === 'JOB_IN_PROGRESS' && running?.id !== listed.operationId;
  const code: DecisionCode = gained ? 'GAINED_JOB' : decided.code;
  const { event, becomes, takesOver } = failureOf(candidate, owner?.failureEvent ?? null);
  const isRecovered = decided.decision === 'recover';
  const job = running ?? owner;
  return {
    candidate,
    event,
    lostJobId: isRecovered && running !== undefined ? running.id : null,
    decision: {
      clusterId,
      clusterName: candidate.name,
      jobId: naming?.id ?? job?.id ?? null,
      state,
      seenSeq: operationSeq,
      decision: decided.decision,
      code,
      reason:
        reasonFor(code, job, surroundings.gate.holdsAll) +
        (isRecovered && takesOver ? ' A stop waited for it and takes over.' : ''),
      becomes: isRecovered ? becomes : null,
      result: null,
    },
  };
}

/** REC-4: where a lost operation leads, and the event that leads there. A waiting stop takes the cluster instead. */
export function failureOf(
  { asRead: { state }, nextOperationId }: Candidate,
  stored: ClusterEvent | null,
): { readonly event: ClusterEvent | null; readonly becomes: ClusterState | null; readonly takesOver: boolean } {
  if (nextOperationId !== null && state === 'Starting')
    return { event: 'StopRequested', becomes: 'Stopping', takesOver: true };
  const becomes = failureTarget(state, stored);
  if (becomes === null) return { event: null, becomes, takesOver: false };
  const event = stored !== null && nextState(state, stored) !== undefined ? stored : 'OperationFailed';
  return { event, becomes, takesOver: false };
}

function reasonFor(code: DecisionCode, job: CandidateJob | undefined, gate: string | null): string {
  const words = decisionCodes[code];
  if (code === 'LEGACY_JOB_WITHOUT_CLUSTER') return gate ?? words;
  if (job === undefined) return words;
  const known = operationKinds.find((kind) => kind === job.kind);
  const what = `${known === undefined ? job.kind : operations[known].label} by ${job.actorName}`;
  const server = job.serverName ?? 'no server';
  const beat = job.beatAgeSeconds === null ? '' : `, last beat ${Math.round(job.beatAgeSeconds)} s ago`;
  switch (code) {
    case 'JOB_ON_DEAD_SERVER':
      return `${what} ran on ${server}, which has departed.`;
    case 'JOB_ENDED':
      return `${what} has ended without releasing it.`;
    case 'JOB_IN_PROGRESS':
    case 'GAINED_JOB':
      return `${what} is in progress on ${server}${beat}.`;
    case 'WITHIN_GRACE':
      return `${what} runs on ${server}, which is silent${beat}; its lease is not over.`;
    default:
      return words;
  }
}

/** REC-7: the cluster again, then its job again, then the decision. Undefined: its operation has ended (REC-9). */
export async function lookAgain(
  scanner: ScannerContext,
  listed: Candidate,
  surroundings: Surroundings,
): Promise<Examined | undefined> {
  const { db } = scanner.worker;
  const candidate = await candidateNow(db, listed.asRead.clusterId);
  if (candidate === undefined) return undefined;
  const jobs = await jobsOfCandidates(db, [candidate], scanner.beatMs);
  return examine(candidate, jobs, surroundings, listed.asRead);
}

/** Detaches no ISO (REC-12) and repairs nothing else (REC-6). */
export async function recoverExamined(
  scanner: ScannerContext,
  run: PassRun,
  examined: Examined,
): Promise<'done' | 'missed'> {
  const outcome = await recoverAndDispatch(scanner, recoveryOf(run, examined));
  return outcome === 'missed' ? 'missed' : 'done';
}

function recoveryOf(run: PassRun, { candidate, decision, event }: Examined): OrphanRecovery {
  return {
    asRead: candidate.asRead,
    clusterName: candidate.name,
    becomes: decision.becomes,
    event,
    cause: 'recovery',
    actor: run.request.actor,
    serverId: run.serverId,
    reason: decision.reason,
    passId: run.id,
    waitingStopId: candidate.nextOperationId,
  };
}
