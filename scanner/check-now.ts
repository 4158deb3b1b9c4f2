import { clustersToScan, type ScannedCluster } from '@/db/cloud-scan';
import { candidateNow } from '@/db/scan';
import { type Actor, scannerActor } from '@/domain/actor';
import type { PassDecision } from '@/domain/passes';
import { CloudError } from '@/infrastructure/cloud';
import { looseCall } from '@/worker/catalogue';
import { listTaggedMachines } from '@/worker/tagged-machines';
import { bounded } from './bounded';
import { noteUnreachable } from './check-health';
import type { CloudCheck } from './cloud-check';
import { checkOne, openCheck } from './cloud-pass';
import type { ScannerContext } from './context';
import { runPass } from './run-pass';

export type CheckedNow =
  /** What the check decided, and did. */
  | { readonly kind: 'decided'; readonly decision: PassDecision }
  /** Machines and records are as its state says. */
  | { readonly kind: 'as-it-should-be' }
  /** Created or Destroyed: nothing is there to check. */
  | { readonly kind: 'nothing-to-check' };

/**
 * *Check now*, in every state: what the next pass would do with this one cluster, at once and without back-off. An owned cluster is
 * judged as an orphan, one at rest against its machines. Bounded like a pass. May be called at any time, twice too.
 */
export async function checkCluster(
  scanner: ScannerContext,
  clusterId: string,
  actor: Actor = scannerActor,
): Promise<CheckedNow> {
  const { worker } = scanner;
  const candidate = await candidateNow(worker.db, clusterId);
  if (candidate !== undefined) return recoverOnly(scanner, clusterId, candidate.asRead.operationSeq, actor);
  const [cluster] = await clustersToScan(worker.db, [clusterId]);
  if (cluster === undefined) return { kind: 'nothing-to-check' };
  const check = await openCheck(scanner, {
    serverId: worker.lease.serverId,
    isPreview: false,
    forced: true,
    wouldDepart: new Set(),
  });
  const checked = await look(check, cluster);
  return checked === undefined ? { kind: 'as-it-should-be' } : { kind: 'decided', decision: checked.decision };
}

/** Through a pass, so that it is on record and never beside another one. */
async function recoverOnly(
  scanner: ScannerContext,
  clusterId: string,
  seenSeq: number,
  actor: Actor,
): Promise<CheckedNow> {
  const outcome = await runPass(scanner, { mode: 'apply', trigger: 'hand', actor, only: [{ clusterId, seenSeq }] });
  const found =
    outcome.kind === 'done' ? outcome.report.decisions.find((decision) => decision.clusterId === clusterId) : undefined;
  return found === undefined ? { kind: 'as-it-should-be' } : { kind: 'decided', decision: found };
}

async function look(check: CloudCheck, cluster: ScannedCluster) {
  const call = looseCall(check.signal, 'check-now');
  try {
    const machines = await bounded(listTaggedMachines(check.scanner.worker, call, cluster.id), check.signal);
    return await checkOne(check, call, cluster, new Map(machines.map((machine) => [machine.id, machine])));
  } catch (error) {
    if (!check.signal.aborted && !(error instanceof CloudError)) throw error;
    const why =
      error instanceof CloudError
        ? `The cloud could not be asked: ${error.message}`
        : 'The cloud did not answer in time.';
    return noteUnreachable(check, cluster, why);
  }
}
