import { noteCheck } from '@/db/cloud-findings';
import type { ScannedCluster } from '@/db/cloud-scan';
import type { HealthCheck } from '@/domain/attention';
import { allStopped, machineFaults, missingComponents, type SeenNode } from '@/domain/drift';
import { adviceFor, saysSomethingNew } from '@/domain/health-advice';
import { decisionCodes } from '@/domain/orphans';
import { type Fault, kubernetesFault } from './check-kubernetes';
import { type Checked, type CloudCheck, leaveAlone } from './cloud-check';
import { startJob } from './start-job';

/** An unchanged finding is written again after this long, so that a page can say when it was last checked. */
const refreshMs = 60_000;
const longestReason = 400;

/**
 * Alert, and Error whose every create step is done (design 7.7). Checks that change nothing come first, the cheap ones before those that
 * ask the cluster; only when all pass does a Recovering job begin, which installs what is missing and completes (OUT-4 closed).
 */
export async function checkHealth(
  check: CloudCheck,
  cluster: ScannedCluster,
  seen: readonly SeenNode[],
): Promise<Checked> {
  const common = { facts: factsOf(cluster, seen), isDue: cluster.nextCheckIsDue };
  if (cluster.state === 'Alert' && allStopped(cluster, seen)) {
    const words = {
      code: 'ALL_STOPPED',
      reason: 'Every planned machine is stopped.',
      becomes: 'Stopping',
      verdict: 'all-stopped',
    } as const;
    return startJob(check, cluster, { ...common, ...words, kind: 'stop' });
  }
  const fault = recordedFault(cluster, seen) ?? (await kubernetesFault(check, cluster));
  if (fault !== null) return stillMissing(check, cluster, fault);
  const lacking = missingComponents(cluster.components);
  const reason = `Every planned node runs and is Ready.${lacking.length === 0 ? '' : ` To be installed: ${lacking.join(', ')}.`}`;
  return startJob(check, cluster, {
    ...common,
    code: 'HEALTHY',
    reason,
    becomes: 'Recovering',
    verdict: 'healthy',
    kind: 'recover',
  });
}

/** What records and machines say against it, before its own API is asked. */
function recordedFault(cluster: ScannedCluster, seen: readonly SeenNode[]): Fault | null {
  if (cluster.state === 'Error') {
    const undone = undoneSteps(cluster);
    if (undone.length > 0) return { fault: 'steps', missing: undone };
  }
  const missing = machineFaults(cluster, seen);
  if (missing.length === 0) return null;
  const onlyStopped = missing.every((line) => line.endsWith('machine stopped'));
  return { fault: onlyStopped ? 'some-stopped' : 'machines', missing };
}

/** ENT-8: from Error the scanner recovers only what a start has built to its end, components included. */
function undoneSteps(cluster: ScannedCluster): readonly string[] {
  return [
    ...(cluster.addressId === null ? ['It has no public address'] : []),
    ...(cluster.loadBalancerRuleId === null ? ['It has no load balancer rule for its API'] : []),
    ...(cluster.nodes.length === 0 ? ['No node is recorded'] : []),
    ...cluster.nodes
      .filter((node) => node.stage !== 'ready')
      .map((node) => `${node.role}-${node.ordinal}: never seen Ready`),
    ...missingComponents(cluster.components).map((label) => `Not installed: ${label}`),
  ];
}

async function stillMissing(check: CloudCheck, cluster: ScannedCluster, { fault, missing }: Fault): Promise<Checked> {
  const healthCheck: HealthCheck = {
    at: new Date().toISOString(),
    verdict: 'not-yet',
    missing,
    advice: adviceFor(fault, cluster.state),
  };
  const noted = await note(check, cluster, healthCheck);
  if (!noted) return leaveAlone(check, cluster, { code: 'MOVED_ON', reason: decisionCodes.MOVED_ON, result: 'missed' });
  return leaveAlone(check, cluster, { code: 'STILL_MISSING', reason: missing.join('; ').slice(0, longestReason) });
}

/** After failed attempts a finding that something is missing ends their back-off: once it is well again, the facts have changed. */
async function note(check: CloudCheck, cluster: ScannedCluster, healthCheck: HealthCheck): Promise<boolean> {
  const endsBackOff = cluster.checkFailures > 0 && !cluster.nextCheckIsDue;
  if (check.isPreview || (!endsBackOff && !saysSomethingNew(cluster.healthCheck, healthCheck, refreshMs))) return true;
  const { checkFailures } = cluster;
  return noteCheck(check.scanner.worker.db, cluster, {
    healthCheck,
    checkFailures,
    waitMs: checkFailures > 0 ? 0 : null,
  });
}

/** The cloud says nothing, so nothing is concluded; the page shows since when. */
export async function noteUnreachable(check: CloudCheck, cluster: ScannedCluster, why: string): Promise<Checked> {
  const isChecked = cluster.state === 'Alert' || cluster.state === 'Error';
  if (isChecked && !check.isPreview) {
    const advice = 'Nothing was concluded and nothing changed. Each pass asks again.';
    const healthCheck: HealthCheck = { at: new Date().toISOString(), verdict: 'unreachable', missing: [why], advice };
    if (saysSomethingNew(cluster.healthCheck, healthCheck, refreshMs)) {
      const { checkFailures } = cluster;
      await noteCheck(check.scanner.worker.db, cluster, { healthCheck, checkFailures, waitMs: 'keep' });
    }
  }
  return leaveAlone(check, cluster, { code: 'UNREACHABLE', reason: why });
}

/** A failed attempt is repeated early when any of this is different. */
function factsOf(cluster: ScannedCluster, seen: readonly SeenNode[]): string {
  const machines = seen
    .map(({ node, machine }) => `${node.machineId ?? node.name}=${machine}/${node.version ?? '-'}`)
    .sort();
  const components = cluster.components
    .map(({ component, wanted, installed }) => `${component}=${wanted}/${installed}`)
    .sort();
  return [cluster.version, ...machines, ...components].join(' ');
}
