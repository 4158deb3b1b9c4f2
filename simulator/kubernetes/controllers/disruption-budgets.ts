/** Disruption budgets: how many healthy pods there are, must be, and may go. */
import { type Json, numberAt, objectAt, pick } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { isTerminating, labelsOf, nameOf, namespaceOf } from '@/simulator/kubernetes/objects';
import { budgets, pods } from '@/simulator/kubernetes/resources';
import { matchesSelector } from '@/simulator/kubernetes/selectors';
import { isFinished, isReady } from './owned-pods';

function amount(value: Json | undefined, total: number): number | undefined {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(typeof value === 'string' ? value : '')?.[1];
  return percent === undefined ? undefined : Math.ceil((Number(percent) / 100) * total);
}

export function runDisruptionBudgets(runtime: ClusterRuntime): void {
  for (const budget of runtime.store.list(budgets)) {
    const matching = runtime.store
      .list(pods, namespaceOf(budget))
      .filter((pod) => !isFinished(pod) && matchesSelector(pick(budget, 'spec', 'selector'), labelsOf(pod)));
    const disrupted = objectAt(budget, 'status', 'disruptedPods');
    const leaving = Object.fromEntries(
      Object.entries(disrupted).filter(([name]) => matching.some((pod) => nameOf(pod) === name && !isTerminating(pod))),
    );
    const expectedPods = matching.filter((pod) => !isTerminating(pod)).length;
    const currentHealthy = matching.filter((pod) => isReady(pod) && leaving[nameOf(pod)] === undefined).length;
    const minimum = amount(pick(budget, 'spec', 'minAvailable'), expectedPods);
    const most = amount(pick(budget, 'spec', 'maxUnavailable'), expectedPods);
    const desiredHealthy = minimum ?? Math.max(0, expectedPods - (most ?? 1));
    runtime.store.setStatus(budgets, budget, {
      observedGeneration: numberAt(budget, 'metadata', 'generation'),
      expectedPods,
      currentHealthy,
      desiredHealthy,
      disruptionsAllowed: expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0,
      disruptedPods: leaving,
    });
  }
}
