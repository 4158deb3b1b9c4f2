import { clustersToScan, type ScannedCluster } from '@/db/cloud-scan';
import { databaseIsAway } from '@/db/errors';
import { serverAvailability } from '@/db/servers';
import { type CallContext, CloudError, type Machine } from '@/infrastructure/cloud';
import { looseCall } from '@/worker/catalogue';
import { listTaggedMachines } from '@/worker/tagged-machines';
import { bounded } from './bounded';
import { checkDrift } from './check-drift';
import { checkHealth, noteUnreachable } from './check-health';
import { type Checked, type CloudCheck, leaveAlone } from './cloud-check';
import type { ScannerContext } from './context';
import { inParallel } from './in-parallel';
import { type LegacyGate, legacyGate } from './legacy-gate';
import { type MachineIndex, seeMachines } from './machines';
import type { PassRun } from './pass-run';
import { retryDelete } from './retry-delete';
import { sweep } from './sweep';

/**
 * The half that asks the cloud (design 7.6 to 7.9): one bulk listing for all clusters, then each cluster by itself, each wait bounded.
 * Clusters are read before the cloud is asked, so whatever was found is older than no write of it (as REC-7). Answers null, or why
 * nothing could be concluded.
 */
export async function cloudPass(scanner: ScannerContext, run: PassRun): Promise<string | null> {
  const { worker } = scanner;
  const only = run.request.only;
  const seqs = only === undefined ? undefined : new Map(only.map(({ clusterId, seenSeq }) => [clusterId, seenSeq]));
  const listed = await clustersToScan(
    worker.db,
    only?.map(({ clusterId }) => clusterId),
  );
  const clusters =
    seqs === undefined ? listed : listed.filter((cluster) => seqs.get(cluster.id) === cluster.asRead.operationSeq);
  const { serverId, isPreview, wouldDepart } = run;
  const check = await openCheck(scanner, { serverId, isPreview, wouldDepart, forced: false });
  const call = looseCall(check.signal, 'scan');
  const machines = await listOrWhy(scanner, call);
  if (typeof machines === 'string') {
    // Running and Stopped wait for nothing: the pass's own note says it once for all of them.
    for (const cluster of clusters.filter(awaitsSomething)) add(run, await noteUnreachable(check, cluster, machines));
    return machines;
  }
  const index = new Map(machines.map((machine) => [machine.id, machine]));
  const checked = await inParallel(inOrder(clusters, run.id), scanner.concurrency, (cluster) =>
    checkOne(check, call, cluster, index),
  );
  for (const each of checked) add(run, each);
  if (only !== undefined) return null;
  const known = new Set(
    clusters.flatMap(({ nodes }) => nodes.flatMap(({ machineId }) => (machineId === null ? [] : [machineId]))),
  );
  for (const each of await sweep(check, run.id, machines, known)) add(run, each);
  return null;
}

function awaitsSomething({ state }: ScannedCluster): boolean {
  return state !== 'Running' && state !== 'Stopped';
}

function add(run: PassRun, checked: Checked | undefined): void {
  if (checked !== undefined) run.add(checked.decision, checked.tally);
}

/**
 * First those that the listing settles, then those whose own API is asked: these may use up the time of a pass, so each pass begins
 * with another one, and none is always the last.
 */
function inOrder(clusters: readonly ScannedCluster[], passId: number): readonly ScannedCluster[] {
  const asked = clusters.filter(({ state }) => state === 'Alert' || state === 'Error');
  const settled = clusters.filter(({ state }) => state !== 'Alert' && state !== 'Error');
  const from = asked.length === 0 ? 0 : (passId * orderStride) % asked.length;
  return [...settled, ...asked.slice(from), ...asked.slice(0, from)];
}

/** Any prime larger than what one pass gets through, so that starting points wander over the whole list. */
const orderStride = 101;

export async function openCheck(
  scanner: ScannerContext,
  wanted: { serverId: string; isPreview: boolean; forced: boolean; wouldDepart: ReadonlySet<string> },
): Promise<CloudCheck> {
  const { serverId, isPreview, forced, wouldDepart } = wanted;
  const { db, running } = scanner.worker;
  const { available, draining } = await serverAvailability(db, serverId);
  let gate: Promise<LegacyGate> | undefined;
  return {
    scanner,
    serverId,
    isPreview,
    forced,
    gate: () => (gate ??= legacyGate(db, wouldDepart)),
    work: { available, draining: draining || running.stopping },
    signal: AbortSignal.timeout(scanner.cloudBudgetMs),
  };
}

/** The bulk listing, or in words why there is none. */
async function listOrWhy(scanner: ScannerContext, call: CallContext): Promise<readonly Machine[] | string> {
  try {
    return await bounded(listTaggedMachines(scanner.worker, call), call.signal);
  } catch (error) {
    if (!call.signal.aborted && !(error instanceof CloudError)) throw error;
    return unreachableWords(error, scanner.cloudBudgetMs);
  }
}

function unreachableWords(error: unknown, budgetMs: number): string {
  return error instanceof CloudError
    ? `The cloud could not be asked: ${error.message}`
    : `The cloud did not answer within ${budgetMs / 1000} s.`;
}

/** One cluster, isolated: what it meets, or how long it takes, is no other cluster's matter. Undefined: all is well. */
export async function checkOne(
  check: CloudCheck,
  call: CallContext,
  cluster: ScannedCluster,
  index: MachineIndex,
): Promise<Checked | undefined> {
  const { worker, cloudBudgetMs } = check.scanner;
  try {
    if (check.signal.aborted) {
      return leaveAlone(check, cluster, {
        code: 'UNREACHABLE',
        reason: 'This pass had no time left for it; the next one looks.',
      });
    }
    if (cluster.state === 'Destroying') return await retryDelete(check, cluster, index);
    const seen = await seeMachines(worker.cloud, call, cluster, index);
    if (cluster.state === 'Running' || cluster.state === 'Stopped') return await checkDrift(check, cluster, seen);
    return await checkHealth(check, cluster, seen);
  } catch (error) {
    if (databaseIsAway(error)) throw error;
    if (error instanceof CloudError || check.signal.aborted) {
      return await noteUnreachable(check, cluster, unreachableWords(error, cloudBudgetMs));
    }
    worker.log('error', 'a cluster could not be checked', { cluster: cluster.name, error: String(error) });
    const reason = 'An unexpected error; the server log has it. The next pass tries again.';
    return leaveAlone(check, cluster, { code: 'UNREACHABLE', reason, result: 'failed' });
  }
}
