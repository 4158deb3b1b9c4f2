/** The operations that faults are put into: how each is prepared on a lane's cluster, asked for, and completed after a failure. */
import type { ClusterFacts } from '@/db/clusters';
import { listVersions } from '@/db/catalogue';
import { operations, type OperationKind } from '@/domain/operations';
import { planOperation } from '@/domain/plan';
import type { PlannedStep } from '@/domain/plan-steps';
import type { ClusterState } from '@/domain/states';
import { memoryIds } from '@/infrastructure/memory/catalogue';
import type { OperationRequest } from '@/worker/accept';
import { planFacts } from '@/worker/plan-facts';
import { uniqueName } from '../support/fixtures';
import { type Lane, offeringAt, versionAt } from '../support/lane';
import type { TestServer } from '../support/server';

type Input = Record<string, unknown>;
type Kind = OperationRequest['kind'];

export interface FaultedOperation {
  readonly title: string;
  readonly kind: Kind;
  readonly from: Extract<ClusterState, 'Created' | 'Running' | 'Stopped'>;
  /** Where its success leads. */
  readonly to: Extract<ClusterState, 'Running' | 'Stopped' | 'Destroyed'>;
  /** Brings a cluster in `from` to where the operation has something to do. */
  readonly prepare?: (lane: Lane, server: TestServer, clusterId: string) => Promise<void>;
  readonly input: (facts: ClusterFacts, lane: Lane) => Promise<Input> | Input;
}

const noInput = () => ({});

export const faultedOperations: readonly FaultedOperation[] = [
  { title: 'create', kind: 'start', from: 'Created', to: 'Running', input: noInput },
  { title: 'start', kind: 'start', from: 'Stopped', to: 'Running', input: noInput },
  { title: 'stop', kind: 'stop', from: 'Running', to: 'Stopped', input: noInput },
  {
    title: 'scale up',
    kind: 'scale',
    from: 'Running',
    to: 'Running',
    input: ({ cluster }) => ({ workerCount: cluster.workerCount + 1 }),
  },
  {
    title: 'scale down',
    kind: 'scale',
    from: 'Running',
    to: 'Running',
    prepare: async (lane, server, id) => {
      const { cluster } = await lane.facts(id);
      if (cluster.workerCount < 2) await lane.run(server, 'scale', id, { workerCount: 3 });
    },
    input: ({ cluster }) => ({ workerCount: cluster.workerCount - 1 }),
  },
  { title: 'scale offering', kind: 'scale', from: 'Running', to: 'Running', input: nextOffering },
  { title: 'scale offering of a stopped cluster', kind: 'scale', from: 'Stopped', to: 'Stopped', input: nextOffering },
  {
    title: 'upgrade',
    kind: 'upgrade',
    from: 'Running',
    to: 'Running',
    input: async ({ version }, lane) => {
      const rung = Number(version.split('.')[1]) - 31;
      const next = (await listVersions(lane.handle.db)).find((each) => each.version === versionAt(rung + 1));
      return { kubernetesVersionId: next?.id ?? '' };
    },
  },
  {
    title: 'autoscale on',
    kind: 'autoscale',
    from: 'Running',
    to: 'Running',
    prepare: async (lane, server, id) => {
      const { cluster } = await lane.facts(id);
      if (cluster.autoscaleEnabled) await lane.run(server, 'autoscale', id, { enabled: false });
    },
    input: () => ({ enabled: true, minSize: 1, maxSize: 6 }),
  },
  {
    title: 'autoscale off',
    kind: 'autoscale',
    from: 'Running',
    to: 'Running',
    prepare: async (lane, server, id) => {
      const { cluster } = await lane.facts(id);
      if (!cluster.autoscaleEnabled) await lane.run(server, 'autoscale', id, { enabled: true, minSize: 1, maxSize: 6 });
    },
    input: () => ({ enabled: false }),
  },
  { title: 'add nodes', kind: 'add-nodes', from: 'Running', to: 'Running', input: foreignMachine },
  {
    title: 'remove nodes',
    kind: 'remove-nodes',
    from: 'Running',
    to: 'Running',
    prepare: async (lane, server, id) => {
      const facts = await lane.facts(id);
      if (facts.nodes.every((node) => !node.external)) await lane.run(server, 'add-nodes', id, foreignMachine(facts, lane));
    },
    input: ({ nodes }) => ({ nodeIds: nodes.filter((node) => node.external).map((node) => node.id).slice(0, 1) }),
  },
  { title: 'delete', kind: 'delete', from: 'Running', to: 'Destroyed', prepare: takeOthersOut, input: noInput },
];

/** Machines that are not ours keep a network from being deleted. */
async function takeOthersOut(lane: Lane, server: TestServer, id: string): Promise<void> {
  const { nodes } = await lane.facts(id);
  const added = nodes.filter((node) => node.external).map((node) => node.id);
  if (added.length > 0) await lane.run(server, 'remove-nodes', id, { nodeIds: added });
  for (const machine of [...lane.control.world.machines.values()]) {
    if (machine.tags.size === 0) lane.control.destroyMachine(machine.id);
  }
}

function nextOffering({ cluster }: ClusterFacts): Input {
  const rung = Number(cluster.workerOfferingId.slice(-12));
  return { workerOfferingId: offeringAt(rung + 1) };
}

/** A machine in the cluster's network that somebody else made. */
export function foreignMachine({ cluster }: ClusterFacts, lane: Lane): Input {
  const id = lane.control.addMachine({
    name: uniqueName('theirs'),
    networkId: cluster.networkId ?? '',
    offeringId: offeringAt(0),
    templateId: memoryIds.template,
    zoneId: memoryIds.zone,
  });
  return { machineIds: [id], manualUpgrade: false, wipeConfirmed: true };
}

/** The steps it is going to take, as its worker will plan them. */
export async function planOf(lane: Lane, server: TestServer, clusterId: string, kind: OperationKind, input: Input): Promise<readonly PlannedStep[]> {
  const facts = await lane.facts(clusterId);
  return planOperation(kind, await planFacts(server.worker, facts, { fromState: facts.cluster.state, input }));
}

export function stateDuring(operation: FaultedOperation): ClusterState {
  if (operation.kind === 'scale' && operation.from === 'Stopped') return 'ScalingStoppedCluster';
  const states: Partial<Record<Kind, ClusterState>> = {
    start: 'Starting',
    stop: 'Stopping',
    scale: 'Scaling',
    autoscale: 'Scaling',
    upgrade: 'Upgrading',
    'add-nodes': 'Importing',
    'remove-nodes': 'RemovingNodes',
    delete: 'Destroying',
  };
  const state = states[operation.kind];
  if (state === undefined) throw new Error(`${operations[operation.kind].label} takes no cluster`);
  return state;
}

/** A cluster of the lane in the state that the operation starts from, with something to do. */
export async function bringTo(lane: Lane, server: TestServer, operation: FaultedOperation, present: string | undefined): Promise<string> {
  const id = (await reusable(lane, server, operation, present)) ?? (await lane.create(server, { startNow: operation.from !== 'Created' }));
  const wanted = operation.from;
  const state = await lane.state(id);
  if (wanted === 'Running' && state === 'Stopped') await lane.run(server, 'start', id);
  if (wanted === 'Stopped' && state === 'Running') await lane.run(server, 'stop', id);
  if (operation.kind === 'scale' && (await lane.facts(id)).cluster.autoscaleEnabled) {
    await lane.run(server, 'autoscale', id, { enabled: false });
  }
  await operation.prepare?.(lane, server, id);
  return id;
}

/** The lane's cluster as long as it is well and not too large; a create and a delete have their own. */
async function reusable(lane: Lane, server: TestServer, operation: FaultedOperation, present: string | undefined): Promise<string | undefined> {
  if (present === undefined) return undefined;
  const { cluster, nodes } = await lane.facts(present);
  const rests = cluster.state === 'Running' || cluster.state === 'Stopped';
  if (rests && operation.from !== 'Created' && nodes.length < 6) return present;
  if (cluster.state !== 'Destroyed') {
    if (cluster.state === 'Stopped') await lane.run(server, 'start', present);
    await takeOthersOut(lane, server, present);
    await lane.run(server, 'delete', present);
  }
  return undefined;
}
