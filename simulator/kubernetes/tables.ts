/** Lists as tables, for `kubectl get`. */
import { isObject, type JsonObject, listAt, numberAt, objectsAt, pick, textAt } from '@/simulator/core/json';
import { conditionOf, isTerminating, type KubeObject, labelsOf, nameOf } from './objects';
import type { Resource } from './resources';

type Cell = string | number;
type Column = readonly [name: string, cell: (object: KubeObject) => Cell];

export const wantsTable = (accept: string): boolean => /as=Table/.test(accept);

function age(object: KubeObject): string {
  const created = Date.parse(textAt(object, 'metadata', 'creationTimestamp') ?? '');
  if (Number.isNaN(created)) return '<unknown>';
  const seconds = Math.max(0, Math.floor((Date.now() - created) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

function nodeStatus(node: KubeObject): string {
  const ready = conditionOf(node, 'Ready')?.['status'] === 'True' ? 'Ready' : 'NotReady';
  return pick(node, 'spec', 'unschedulable') === true ? `${ready},SchedulingDisabled` : ready;
}

function nodeRoles(node: KubeObject): string {
  const roles = Object.keys(labelsOf(node))
    .filter((label) => label.startsWith('node-role.kubernetes.io/'))
    .map((label) => label.slice(24));
  return roles.length === 0 ? '<none>' : roles.sort().join(',');
}

function podReady(pod: KubeObject): string {
  const containers = objectsAt(pod, 'status', 'containerStatuses');
  return `${containers.filter((container) => container['ready'] === true).length}/${listAt(pod, 'spec', 'containers').length}`;
}

function podStatus(pod: KubeObject): string {
  if (isTerminating(pod)) return 'Terminating';
  const waiting = objectsAt(pod, 'status', 'containerStatuses')
    .map((status) => textAt(status, 'state', 'waiting', 'reason'))
    .find((reason) => reason !== undefined);
  const phase = textAt(pod, 'status', 'phase') ?? 'Unknown';
  return waiting ?? (phase === 'Succeeded' ? 'Completed' : phase);
}

const count = (object: KubeObject, ...path: string[]): number => numberAt(object, ...path) ?? 0;
const restarts: Column = ['Restarts', () => 0];

const columns: Readonly<Record<string, readonly Column[]>> = {
  Node: [
    ['Status', nodeStatus],
    ['Roles', nodeRoles],
    ['Age', age],
    ['Version', (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? ''],
  ],
  Pod: [['Ready', podReady], ['Status', podStatus], restarts, ['Age', age]],
  Deployment: [
    ['Ready', (object) => `${count(object, 'status', 'readyReplicas')}/${count(object, 'spec', 'replicas')}`],
    ['Up-to-date', (object) => count(object, 'status', 'updatedReplicas')],
    ['Available', (object) => count(object, 'status', 'availableReplicas')],
    ['Age', age],
  ],
  DaemonSet: [
    ['Desired', (object) => count(object, 'status', 'desiredNumberScheduled')],
    ['Current', (object) => count(object, 'status', 'currentNumberScheduled')],
    ['Ready', (object) => count(object, 'status', 'numberReady')],
    ['Age', age],
  ],
  ReplicaSet: [
    ['Desired', (object) => count(object, 'spec', 'replicas')],
    ['Current', (object) => count(object, 'status', 'replicas')],
    ['Ready', (object) => count(object, 'status', 'readyReplicas')],
    ['Age', age],
  ],
  Job: [
    ['Completions', (object) => `${count(object, 'status', 'succeeded')}/${count(object, 'spec', 'completions')}`],
    ['Age', age],
  ],
  Namespace: [
    ['Status', (object) => textAt(object, 'status', 'phase') ?? ''],
    ['Age', age],
  ],
  PodDisruptionBudget: [
    ['Min Available', (object) => String(pick(object, 'spec', 'minAvailable') ?? 'N/A')],
    ['Max Unavailable', (object) => String(pick(object, 'spec', 'maxUnavailable') ?? 'N/A')],
    ['Allowed Disruptions', (object) => count(object, 'status', 'disruptionsAllowed')],
    ['Age', age],
  ],
};

/** A `Table` of these objects. */
export function tableOf(resource: Resource, objects: readonly KubeObject[], version: string): JsonObject {
  const shown: readonly Column[] = [['Name', nameOf], ...(columns[resource.kind] ?? ([['Age', age]] as const))];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: version },
    columnDefinitions: shown.map(([name]) => ({
      name,
      type: 'string',
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: 0,
    })),
    rows: objects.map((object) => ({
      cells: shown.map(([, cell]) => cell(object)),
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: isObject(object['metadata']) ? object['metadata'] : {},
      },
    })),
  };
}
