/** The edges of the machine as the diagram and the table show them. Pure. */
import { operationKinds, operations } from '@/domain/operations';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import { allEdges, type Edge } from '@/domain/transitions';
import type { EdgeKey } from './machine-layout';

/** What makes a cluster take an edge; each has a line of its own kind, not only a colour. */
export const edgeKinds = ['requested', 'success', 'failure', 'reconciliation'] as const;
export type EdgeKind = (typeof edgeKinds)[number];

export function edgeKind(event: ClusterEvent): EdgeKind {
  switch (event) {
    case 'OperationSucceeded':
      return 'success';
    case 'OperationFailed':
    case 'CreateFailed':
      return 'failure';
    case 'FaultsDetected':
    case 'RecoveryRequested':
      return 'reconciliation';
    default:
      return 'requested';
  }
}

/** Edges between the same two states are one line. */
export interface EdgeGroup {
  readonly key: EdgeKey;
  readonly from: ClusterState;
  readonly to: ClusterState;
  readonly events: readonly ClusterEvent[];
  readonly kind: EdgeKind;
}

export function edgeGroups(): readonly EdgeGroup[] {
  const byKey = new Map<EdgeKey, Edge[]>();
  for (const edge of allEdges()) {
    const key: EdgeKey = `${edge.from}>${edge.to}`;
    byKey.set(key, [...(byKey.get(key) ?? []), edge]);
  }
  return [...byKey].flatMap(([key, edges]) => {
    const [first] = edges;
    if (first === undefined) return [];
    return [
      { key, from: first.from, to: first.to, events: edges.map((edge) => edge.event), kind: edgeKind(first.event) },
    ];
  });
}

/** "Start requested" of StartRequested: words beside the raw name. */
export function eventLabel(event: ClusterEvent): string {
  const words = event.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words;
}

/** Who makes a cluster take an edge: operations that enter with its event, the worker at its end, or a pass. */
export function askedBy({ from, event }: Edge): string {
  if (event === 'FaultsDetected') return 'a pass that finds drift';
  if (event === 'RecoveryRequested') return 'a pass that finds every node healthy';
  if (from === 'Starting' && event === 'StopRequested') return 'Stop, when the start gives way';
  const kinds = operationKinds.filter(
    (kind) => operations[kind].entries.includes(event) && (kind !== 'create' || from === 'Created'),
  );
  if (kinds.length > 0) return kinds.map((kind) => operations[kind].label).join(', ');
  return event === 'OperationSucceeded' ? 'its worker, at the end' : 'its worker, or a pass when its server died';
}

export interface Neighbours {
  readonly out: readonly EdgeGroup[];
  readonly in: readonly EdgeGroup[];
}

export function neighboursOf(groups: readonly EdgeGroup[], state: ClusterState): Neighbours {
  return { out: groups.filter((group) => group.from === state), in: groups.filter((group) => group.to === state) };
}
