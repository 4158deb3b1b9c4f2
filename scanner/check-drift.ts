import { keepFinding, takeToAlert } from '@/db/cloud-findings';
import type { ScannedCluster } from '@/db/cloud-scan';
import { type DriftFound, machineDrift, recordedDrift, type SeenNode } from '@/domain/drift';
import { act, type Checked, type CloudCheck, leaveAlone } from './cloud-check';

/**
 * Running and Stopped (design 7.6): what the records show counts at once, what the cloud shows when the next pass finds the same.
 * Undefined: all is as it should be.
 */
export async function checkDrift(
  check: CloudCheck,
  cluster: ScannedCluster,
  seen: readonly SeenNode[],
): Promise<Checked | undefined> {
  const state = cluster.state === 'Running' ? 'Running' : 'Stopped';
  const recorded = state === 'Running' ? recordedDrift(cluster) : null;
  const finding = machineDrift(state, seen);
  if (recorded === null && finding === null) return forget(check, cluster);
  const legacy = (await check.gate()).naming(cluster.id);
  if (legacy !== undefined) {
    return leaveAlone(check, cluster, {
      code: 'NAMED_BY_LEGACY_JOB',
      reason: `Job ${legacy.id} of an older server names it.`,
    });
  }
  if (recorded !== null) return alert(check, cluster, recorded);
  if (finding === cluster.driftFinding) {
    return alert(check, cluster, { code: 'drift-machines', text: `It should be ${state.toLowerCase()}. ${finding}.` });
  }
  const kept = check.isPreview || (await keepFinding(check.scanner.worker.db, cluster, finding));
  if (!kept) return missed(check, cluster);
  return leaveAlone(check, cluster, {
    code: 'DRIFT',
    reason: `${finding}. Seen once; if the next pass finds the same it goes to Alert.`,
  });
}

async function forget(check: CloudCheck, cluster: ScannedCluster): Promise<undefined> {
  // Missed: it moved on, and with that its finding is forgotten anyway.
  if (cluster.driftFinding !== null && !check.isPreview) await keepFinding(check.scanner.worker.db, cluster, null);
}

async function alert(check: CloudCheck, cluster: ScannedCluster, found: DriftFound): Promise<Checked> {
  const attention = { ...found, jobId: null, at: new Date().toISOString() };
  const moved = check.isPreview || (await takeToAlert(check.scanner.worker.db, cluster, attention, check.serverId));
  if (!moved) return missed(check, cluster);
  return act(check, cluster, { code: 'DRIFT', reason: found.text, becomes: 'Alert', tally: 'alerted' });
}

function missed(check: CloudCheck, cluster: ScannedCluster): Checked {
  return leaveAlone(check, cluster, {
    code: 'MOVED_ON',
    reason: 'It changed between the reading and the write.',
    result: 'missed',
  });
}
