import type { HealthCheck } from './attention';
import type { ClusterState } from './states';

/** Which check stopped a cluster from being called healthy, in the order in which they are made. */
export type FaultKind = 'machines' | 'some-stopped' | 'no-access' | 'api' | 'nodes' | 'versions' | 'steps';

const advice: Readonly<Record<FaultKind, string>> = {
  machines:
    'A start builds planned machines that were never made. A machine that is gone can be scaled away; otherwise delete the cluster.',
  'some-stopped': 'Start it to power on what is off, or stop it to power off the rest. Each pass looks again.',
  'no-access': 'It was never built far enough to be reached. Start it to go on building, or delete it.',
  api: 'Each pass asks again. If it stays so, start it: a start waits for the API and says what keeps it away.',
  nodes: 'Each pass asks again. If it stays so, start it, or scale the node away.',
  versions: 'An upgrade was interrupted. Resume it; nodes that have the version are skipped.',
  steps: 'Its creation did not get to the end. Start it again, or delete it.',
};

/** What an admin can do about it, in one or two sentences. */
export function adviceFor(fault: FaultKind, state: ClusterState): string {
  return state === 'Error' && fault !== 'steps'
    ? `${advice[fault]} It was being created; a start goes on where that ended.`
    : advice[fault];
}

/** Whether a check says something new; the same finding is written again only when it is old, since each write wakes every page. */
export function saysSomethingNew(before: HealthCheck | null, now: HealthCheck, refreshMs: number): boolean {
  if (before === null) return true;
  if (before.verdict !== now.verdict || before.advice !== now.advice) return true;
  if (before.missing.join('\n') !== now.missing.join('\n')) return true;
  return Date.parse(now.at) - Date.parse(before.at) >= refreshMs;
}
