import {
  countStrays,
  heldClusters,
  isStillStray,
  recordSwept,
  ripeStrays,
  type Stray,
  unnamedMachines,
} from '@/db/stray-machines';
import type { PassDecision } from '@/domain/passes';
import { CloudError, type Machine } from '@/infrastructure/cloud';
import { looseCall } from '@/worker/catalogue';
import { taggedCluster } from '@/worker/tagged-machines';
import { bounded } from './bounded';
import type { Checked, CloudCheck } from './cloud-check';

/** A mistake in what counts as stray must not empty a cloud in one pass. */
const mostAtOnce = 20;

/**
 * Machines with our tags that no node row names, by id or name, on clusters that nobody owns or that are gone (design 7.9): what a
 * late call of a lost worker left. Destroyed when found twice and known for longer than any call may take, with an event.
 */
export async function sweep(
  check: CloudCheck,
  passId: number,
  machines: readonly Machine[],
  known: ReadonlySet<string>,
): Promise<readonly Checked[]> {
  const { db } = check.scanner.worker;
  const ours = ourMachines(check, machines, known);
  const unnamed = await unnamedMachines(db, ours);
  const held = await heldClusters(db, [
    ...new Set(unnamed.flatMap(({ clusterId }) => (clusterId === null ? [] : [clusterId]))),
  ]);
  const strays = unnamed.filter(({ clusterId }) => clusterId === null || !held.has(clusterId));
  const { strayAfterMs } = check.scanner;
  if (check.isPreview) return (await ripeStrays(db, strays, strayAfterMs)).map((stray) => told(stray, null));
  const ripe = await countStrays(db, strays, strayAfterMs);
  const swept: Checked[] = [];
  for (const stray of ripe.slice(0, mostAtOnce)) {
    if (check.signal.aborted) break;
    swept.push(await destroy(check, passId, stray));
  }
  return swept;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Added machines are never tagged by us, so they cannot be taken for ours; both tags must be there. */
function ourMachines(check: CloudCheck, machines: readonly Machine[], known: ReadonlySet<string>): readonly Stray[] {
  return machines.flatMap((machine) => {
    const clusterId = taggedCluster(check.scanner.worker, machine);
    if (clusterId === undefined || machine.deleteProtected || known.has(machine.id)) return [];
    return [{ id: machine.id, name: machine.name, clusterId: uuid.test(clusterId) ? clusterId : null }];
  });
}

class NotStray extends Error {}

async function destroy(check: CloudCheck, passId: number, stray: Stray): Promise<Checked> {
  const { db, cloud, log } = check.scanner.worker;
  const authorize = async () => {
    if (!(await isStillStray(db, stray))) throw new NotStray();
  };
  try {
    await bounded(cloud.destroyMachine({ ...looseCall(check.signal, 'sweep'), authorize }, stray.id), check.signal);
  } catch (error) {
    if (error instanceof NotStray) return told(stray, 'missed');
    if (!(error instanceof CloudError) && !check.signal.aborted) throw error;
    log('warning', 'a left-over machine could not be destroyed; the next pass tries again', {
      machine: stray.name,
      error: String(error),
    });
    return told(stray, 'failed');
  }
  await recordSwept(db, stray, { passId, serverId: check.serverId });
  return told(stray, 'done');
}

function told(stray: Stray, result: PassDecision['result']): Checked {
  return {
    tally: 'swept',
    decision: {
      clusterId: stray.clusterId,
      clusterName: `machine ${stray.name}`,
      jobId: null,
      state: null,
      seenSeq: null,
      decision: 'recover',
      code: 'DRIFT',
      reason: 'It carries our tag and belongs to no node; it is destroyed.',
      becomes: null,
      result,
    },
  };
}
