import { databaseIsAway } from '@/db/errors';
import { recordEvent } from '@/db/events';
import { failJobsOfDeparted } from '@/db/jobs';
import { PassLost } from '@/db/passes';
import { type Candidate, type CandidateJob, jobsOfCandidates, orphanCandidates, wouldMarkDeparted } from '@/db/scan';
import { scannerActor } from '@/domain/actor';
import { decisionCodes } from '@/domain/orphans';
import type { PassDecision } from '@/domain/passes';
import type { ScannerContext } from './context';
import { inParallel } from './in-parallel';
import { legacyGate } from './legacy-gate';
import { type Examined, examine, lookAgain, recoverExamined, type Surroundings } from './orphan';
import type { PassRun, Selected } from './pass-run';

/**
 * Database only: fails the jobs of departed servers, then frees orphans (REC-1 to REC-12, MIX-1, MIX-2). Each cluster is isolated from
 * the others' errors; only a database that is away ends the pass.
 */
export async function ownershipPass(scanner: ScannerContext, run: PassRun): Promise<void> {
  const { db } = scanner.worker;
  const departed = await departedServers(scanner, run);
  run.wouldDepart = departed;
  const candidates = await orphanCandidates(db);
  const selected =
    run.request.only === undefined ? undefined : new Map(run.request.only.map((row) => [row.clusterId, row]));
  // REC-11: with no candidate no job is looked up.
  if (candidates.length > 0) {
    const surroundings = { departed, gate: await legacyGate(db, departed) };
    if (surroundings.gate.holdsAll !== null) run.holdAll(surroundings.gate.holdsAll);
    const jobs = jobsByCluster(candidates, await jobsOfCandidates(db, candidates, scanner.beatMs));
    const decided = await inParallel(candidates, scanner.concurrency, (candidate) =>
      isolated(scanner, candidate, () =>
        decideOne(scanner, run, candidate, jobs.get(candidate.asRead.clusterId) ?? [], surroundings, selected),
      ),
    );
    for (const decision of decided) run.add(decision, 'recovered');
  }
}

/**
 * Ends what departed boots left in progress, whenever they departed (also with a goodbye). In a preview: who an apply would have
 * marked by now, since nothing is written.
 */
async function departedServers(scanner: ScannerContext, run: PassRun): Promise<ReadonlySet<string>> {
  const { worker, leaseMs, beatMs } = scanner;
  if (run.isPreview) {
    const judge = { serverId: run.serverId, leaseMs, beatMs };
    return new Set((await wouldMarkDeparted(worker.db, judge)).map((server) => server.id));
  }
  await worker.db.transaction(async (tx) => {
    const lost = await failJobsOfDeparted(tx, run.id);
    for (const job of lost.filter(({ clusterId }) => clusterId === null)) {
      await recordEvent(tx, {
        type: 'operation.ended',
        result: 'failed',
        actor: scannerActor,
        jobId: job.id,
        serverId: run.serverId,
        summary: `Job ${job.id} (${job.kind}) of an older server was failed: its server has departed`,
        detail: { passId: run.id },
      });
    }
  });
  return new Set();
}

/** Jobs of each candidate: those that run on it and the one that owns it. */
function jobsByCluster(
  candidates: readonly Candidate[],
  jobs: readonly CandidateJob[],
): ReadonlyMap<string, readonly CandidateJob[]> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const running = new Map(
    jobs.flatMap((job) => (job.status === 'in_progress' && job.clusterId !== null ? [[job.clusterId, job]] : [])),
  );
  return new Map(
    candidates.map(({ asRead }) => {
      const owner = asRead.operationId === null ? undefined : byId.get(asRead.operationId);
      const both = [running.get(asRead.clusterId), owner].filter((job) => job !== undefined);
      return [asRead.clusterId, [...new Set(both)]];
    }),
  );
}

/** From the list first; what that says is an orphan is looked at again by itself before anything is written (REC-7). */
async function decideOne(
  scanner: ScannerContext,
  run: PassRun,
  listed: Candidate,
  jobs: readonly CandidateJob[],
  surroundings: Surroundings,
  selected: ReadonlyMap<string, Selected> | undefined,
): Promise<PassDecision> {
  const first = examine(listed, jobs, surroundings);
  if (selected !== undefined) {
    const row = selected.get(listed.asRead.clusterId);
    if (row === undefined) return leave(first, 'NOT_SELECTED', 'none');
    if (row.seenSeq !== listed.asRead.operationSeq) return leave(first, 'MOVED_ON', 'missed');
  }
  if (first.decision.decision !== 'recover') return { ...first.decision, result: run.isPreview ? null : 'none' };
  const now = await withItsJobEnded(scanner, run, listed, surroundings);
  if (now === undefined) return leave(first, 'MOVED_ON', 'missed');
  if (run.isPreview) return now.decision;
  if (now.decision.decision !== 'recover') return { ...now.decision, result: 'none' };
  if (now.lostJobId !== null)
    return { ...now.decision, decision: 'leave', reason: stillWriting, becomes: null, result: 'missed' };
  const outcome = await recoverExamined(scanner, run, now);
  return outcome === 'done' ? { ...now.decision, result: 'done' } : leave(now, 'MOVED_ON', 'missed');
}

const stillWriting = 'A write of its lost worker is still under way; the next pass recovers it.';

/** Looked at again by itself. A lost job that a write of its worker kept open is ended now, or left to the next pass. */
async function withItsJobEnded(
  scanner: ScannerContext,
  run: PassRun,
  listed: Candidate,
  surroundings: Surroundings,
): Promise<Examined | undefined> {
  const now = await lookAgain(scanner, listed, surroundings);
  if (run.isPreview || now === undefined || now.lostJobId === null) return now;
  await scanner.worker.db.transaction((tx) => failJobsOfDeparted(tx, run.id));
  return lookAgain(scanner, listed, surroundings);
}

function leave(examined: Examined, code: 'NOT_SELECTED' | 'MOVED_ON', result: 'none' | 'missed'): PassDecision {
  return { ...examined.decision, decision: 'leave', code, reason: decisionCodes[code], becomes: null, result };
}

/** One cluster's unexpected error must not stop the pass; a database that is away stops it for all. */
async function isolated(
  scanner: ScannerContext,
  listed: Candidate,
  work: () => Promise<PassDecision>,
): Promise<PassDecision> {
  try {
    return await work();
  } catch (error) {
    if (databaseIsAway(error) || error instanceof PassLost) throw error;
    scanner.worker.log('error', 'a candidate of recovery failed', { cluster: listed.name, error: String(error) });
    const { clusterId, state, operationId, operationSeq } = listed.asRead;
    return {
      clusterId,
      clusterName: listed.name,
      jobId: operationId,
      state,
      seenSeq: operationSeq,
      decision: 'leave',
      code: 'UNREACHABLE',
      reason: 'An unexpected error; the server log has it. The next pass tries again.',
      becomes: null,
      result: 'failed',
    };
  }
}
