/** Which node a pod may run on: selector, affinity, taints, cordon, room. */
import { isObject, type JsonObject, objectsAt, pick, textAt, textsAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { isTerminating, type KubeObject, labelsOf, nameOf, part, withCondition } from '@/simulator/kubernetes/objects';
import { nodes, pods } from '@/simulator/kubernetes/resources';
import { matchesExpression } from '@/simulator/kubernetes/selectors';
import { isFinished } from './owned-pods';

function tolerates(pod: KubeObject, taint: JsonObject): boolean {
  return objectsAt(pod, 'spec', 'tolerations').some((toleration) => {
    const key = toleration['key'];
    const effect = toleration['effect'];
    if (effect !== undefined && effect !== '' && effect !== taint['effect']) return false;
    if (key === undefined || key === '') return toleration['operator'] === 'Exists';
    if (key !== taint['key']) return false;
    return toleration['operator'] === 'Exists' || (toleration['value'] ?? '') === (taint['value'] ?? '');
  });
}

function matchesTerm(term: JsonObject, node: KubeObject): boolean {
  const fields = { 'metadata.name': nameOf(node) };
  return (
    objectsAt(term, 'matchExpressions').every((expression) => matchesExpression(expression, labelsOf(node))) &&
    objectsAt(term, 'matchFields').every((expression) => matchesExpression(expression, fields))
  );
}

/** Selector, required node affinity and taints; not the cordon, which is a taint as well, nor the room. */
export function fitsNode(pod: KubeObject, node: KubeObject): boolean {
  const labels = labelsOf(node);
  if (!Object.entries(textsAt(pod, 'spec', 'nodeSelector')).every(([key, value]) => labels[key] === value))
    return false;
  const required = pick(pod, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (isObject(required) && !objectsAt(required, 'nodeSelectorTerms').some((term) => matchesTerm(term, node)))
    return false;
  const hard = objectsAt(node, 'spec', 'taints').filter((taint) => taint['effect'] !== 'PreferNoSchedule');
  return hard.every((taint) => tolerates(pod, taint));
}

/** `500m`, `2`, `1Gi`, `128Mi` as a number. */
export function quantity(text: string | undefined): number {
  const parts = /^(\d+(?:\.\d+)?)(m|Ki|Mi|Gi|Ti|k|M|G)?$/.exec(text ?? '');
  if (parts === null) return 0;
  const units: Record<string, number> = {
    m: 0.001,
    Ki: 1_024,
    Mi: 1_048_576,
    Gi: 1_073_741_824,
    Ti: 1_099_511_627_776,
    k: 1_000,
    M: 1_000_000,
    G: 1_000_000_000,
  };
  return Number(parts[1]) * (units[parts[2] ?? ''] ?? 1);
}

function requested(pod: KubeObject, resource: string): number {
  return objectsAt(pod, 'spec', 'containers').reduce(
    (sum, container) => sum + quantity(textAt(container, 'resources', 'requests', resource)),
    0,
  );
}

function hasRoom(runtime: ClusterRuntime, pod: KubeObject, node: KubeObject): boolean {
  const there = runtime.store
    .list(pods)
    .filter((other) => textAt(other, 'spec', 'nodeName') === nameOf(node) && !isFinished(other));
  if (there.length >= 110) return false;
  return ['cpu', 'memory'].every((resource) => {
    const used = there.reduce((sum, other) => sum + requested(other, resource), 0);
    return used + requested(pod, resource) <= quantity(textAt(node, 'status', 'allocatable', resource));
  });
}

const isCordoned = (node: KubeObject): boolean => pick(node, 'spec', 'unschedulable') === true;
const unschedulableTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function choose(runtime: ClusterRuntime, pod: KubeObject): KubeObject | undefined {
  const load = (node: KubeObject) =>
    runtime.store.list(pods).filter((other) => textAt(other, 'spec', 'nodeName') === nameOf(node)).length;
  const fitting = runtime.store
    .list(nodes)
    .filter(
      (node) =>
        fitsNode(pod, node) && (!isCordoned(node) || tolerates(pod, unschedulableTaint)) && hasRoom(runtime, pod, node),
    );
  return fitting.sort((a, b) => load(a) - load(b))[0];
}

export function runScheduler(runtime: ClusterRuntime): void {
  const now = runtime.world.clock.iso();
  for (const pod of runtime.store.list(pods)) {
    if (textAt(pod, 'spec', 'nodeName') !== undefined || isTerminating(pod) || isFinished(pod)) continue;
    const node = choose(runtime, pod);
    if (node === undefined) {
      const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node fits' };
      runtime.store.setStatus(pods, pod, { conditions: withCondition(pod, now, condition) });
      continue;
    }
    runtime.store.change(pods, pod, (draft) => {
      part(draft, 'spec')['nodeName'] = nameOf(node);
      part(draft, 'status')['conditions'] = withCondition(pod, now, {
        type: 'PodScheduled',
        status: 'True',
        reason: 'Scheduled',
      });
    });
  }
}
