/** Evictions: a delete that asks the disruption budgets first. */
import { isObject, type JsonObject, numberAt, objectAt, pick, textAt } from '@/simulator/core/json';
import { readOptions } from './bodies';
import { checkNamespace, effect } from './changes';
import type { ClusterRuntime } from './cluster-runtime';
import { deleteObject } from './deletion';
import { conditionOf, isTerminating, type KubeObject, labelsOf, nameOf, namespaceOf } from './objects';
import type { Reply } from './reply';
import type { ApiRequest, Target } from './request';
import { budgets, pods } from './resources';
import { matchesSelector } from './selectors';
import { StatusError, success } from './status';

function blocked(message: string, retryAfter?: number): StatusError {
  const details: JsonObject = { causes: [{ reason: 'DisruptionBudget', message }] };
  const text = "Cannot evict pod as it would violate the pod's disruption budget.";
  return new StatusError(429, text, { details, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

/** A budget that a test holds shut, for some evictions or for ever. */
function checkHeld(runtime: ClusterRuntime, key: string): void {
  for (const name of [key, '*']) {
    const left = runtime.heldBudgets.get(name);
    if (left === undefined) continue;
    if (left !== null && left <= 0) {
      runtime.heldBudgets.delete(name);
      continue;
    }
    if (left !== null) runtime.heldBudgets.set(name, left - 1);
    throw blocked(`The disruption budget ${key} allows no eviction now`);
  }
}

function takeFrom(runtime: ClusterRuntime, budget: KubeObject, pod: KubeObject): void {
  const name = nameOf(budget);
  if ((numberAt(budget, 'status', 'observedGeneration') ?? 0) < (numberAt(budget, 'metadata', 'generation') ?? 0)) {
    throw blocked(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const healthy = numberAt(budget, 'status', 'currentHealthy') ?? 0;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  const ready = conditionOf(pod, 'Ready')?.['status'] === 'True';
  const always = textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow';
  if (!ready && (always || (healthy >= desired && desired > 0))) return;
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed') ?? 0;
  if (allowed <= 0)
    throw blocked(`The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`);
  const disrupted = { ...objectAt(budget, 'status', 'disruptedPods'), [nameOf(pod)]: runtime.world.clock.iso() };
  runtime.store.setStatus(budgets, budget, { disruptionsAllowed: allowed - 1, disruptedPods: disrupted });
}

/** Pods that do not run, or leave already, pass without a look at budgets. */
function passesFreely(pod: KubeObject): boolean {
  return isTerminating(pod) || ['Pending', 'Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '');
}

/** 201 when the pod will go; 429 when a budget forbids it now; 404, 409 when it is gone or another one. */
export function evict(request: ApiRequest, target: Target): Reply {
  const { runtime } = request;
  const body = readOptions(request);
  const version = textAt(body, 'apiVersion');
  if (textAt(body, 'kind') !== 'Eviction' || (version !== 'policy/v1' && version !== 'policy/v1beta1'))
    throw new StatusError(400, `no kind "Eviction" is registered for version "${version ?? ''}"`);
  const pod = runtime.store.get(pods, target.namespace, target.name);
  checkNamespace(request, pods, target.namespace);
  const given = pick(body, 'deleteOptions');
  const options = isObject(given) ? given : {};
  const uid = textAt(options, 'preconditions', 'uid');
  if (uid !== undefined && uid !== textAt(pod, 'metadata', 'uid'))
    throw new StatusError(409, "Precondition failed: the UID is another pod's");
  if (!passesFreely(pod)) {
    checkHeld(runtime, `${target.namespace}/${target.name}`);
    const matching = runtime.store
      .list(budgets, target.namespace)
      .filter((budget) => matchesSelector(pick(budget, 'spec', 'selector'), labelsOf(pod)));
    if (matching.length > 1)
      throw new StatusError(
        500,
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    const [budget] = matching;
    if (budget !== undefined) {
      checkHeld(runtime, `${namespaceOf(budget)}/${nameOf(budget)}`);
      takeFrom(runtime, budget, pod);
    }
  }
  deleteObject(runtime, pods, pod, options);
  effect(request, 'pod evicted', pods, pod);
  return { status: 201, body: success() };
}
