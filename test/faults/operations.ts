/** The operations that faults are put into: how each is prepared on a lane's cluster, asked for, and completed after a failure. */
import { expect } from 'vitest';
import { listVersions } from '@/db/catalogue';
import type { ClusterFacts } from '@/db/clusters';
import { type OperationKind, operations } from '@/domain/operations';
import { planOperation } from '@/domain/plan';
import type { PlannedStep } from '@/domain/plan-steps';
import type { ClusterState } from '@/domain/states';
import { memoryIds } from '@/infrastructure/memory/catalogue';
import type { OperationRequest } from '@/worker/accept';
import { planFacts } from '@/worker/plan-facts';
import { leftOf } from '../support/agreement';
import { uniqueName } from '../support/fixtures';
import { type Lane, offeringAt, versionAt } from '../support/lane';
import type { Lanes } from '../support/lanes';
import { type TestServer, untilIdle } from '../support/server';

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
      if (facts.nodes.every((node) => !node.external))
        await lane.run(server, 'add-nodes', id, foreignMachine(facts, lane));
    },
    input: ({ nodes }) => ({
      nodeIds: nodes
        .filter((node) => node.external)
        .map((node) => node.id)
        .slice(0, 1),
    }),
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

/** For the end of a file: the clusters of its lanes go, and nothing of them is left in the cloud. */
export async function deleteWhatIsLeft(lanes: Lanes): Promise<void> {
  for (const { lane, server, clusterId } of lanes.all()) {
    if (clusterId === undefined || (await lane.state(clusterId)) === 'Destroyed') continue;
    const { cluster } = await lane.facts(clusterId);
    if (cluster.state === 'Stopped') await lane.run(server, 'start', clusterId);
    await takeOthersOut(lane, server, clusterId);
    await lane.run(server, 'delete', clusterId);
    expect(leftOf(lane, cluster)).toEqual([]);
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
export async function planOf(
  lane: Lane,
  server: TestServer,
  clusterId: string,
  kind: OperationKind,
  input: Input,
): Promise<readonly PlannedStep[]> {
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
export async function bringTo(
  lane: Lane,
  server: TestServer,
  operation: FaultedOperation,
  present: string | undefined,
): Promise<string> {
  const id =
    (await reusable(lane, server, operation, present)) ??
    (await lane.create(server, { startNow: operation.from !== 'Created' }));
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
async function reusable(
  lane: Lane,
  server: TestServer,
  operation: FaultedOperation,
  present: string | undefined,
): Promise<string | undefined> {
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

/** Asks for the same again until it is done; where that is refused because its own part is done, a start or a pass does the rest. */
export async function complete(
  lane: Lane,
  server: TestServer,
  clusterId: string,
  operation: FaultedOperation,
  input: Input,
): Promise<void> {
  for (let round = 1; round <= 6; round += 1) {
    const state = await lane.state(clusterId);
    const isDone = await reached(lane, clusterId, operation, input);
    if (state === operation.to && isDone && round > 1) return;
    if (state === 'Error') {
      await lane.run(server, 'start', clusterId);
      await lane.pass(server);
      continue;
    }
    if (operation.to === 'Stopped' && state === 'Alert') await lane.pass(server);
    const answer = await lane.ask(server, operation.kind, clusterId, input);
    await untilIdle(server);
    if (answer.ok) {
      const job = await lane.job(answer.value.jobId);
      if (job.status !== 'succeeded')
        throw new Error(`asked again, ${job.kind} ended as ${job.status}: ${job.message}`);
    } else if (state === 'Alert') await lane.run(server, 'start', clusterId);
    else if (state === operation.to && isDone) return settleIsos(lane, server, clusterId, operation);
    else throw new Error(`asked again in ${state}, it is refused: ${JSON.stringify(answer.refusal)}`);
  }
  throw new Error(`it is ${await lane.state(clusterId)} and not complete after six rounds`);
}

/** An add or remove that fails leaves Running, perhaps with an ISO in a drive, which the next operation takes out (REC-12). */
async function settleIsos(
  lane: Lane,
  server: TestServer,
  clusterId: string,
  operation: FaultedOperation,
): Promise<void> {
  if (operation.kind !== 'add-nodes' && operation.kind !== 'remove-nodes') return;
  await lane.run(server, 'stop', clusterId);
  await lane.run(server, 'start', clusterId);
}

async function reached(lane: Lane, clusterId: string, operation: FaultedOperation, input: Input): Promise<boolean> {
  const { cluster, nodes } = await lane.facts(clusterId);
  const listed = (ids: unknown): readonly string[] => (Array.isArray(ids) ? ids.map(String) : []);
  switch (operation.kind) {
    case 'scale':
      return 'workerCount' in input
        ? cluster.workerCount === input['workerCount'] && nodes.every((node) => node.stage === 'ready')
        : cluster.workerOfferingId === input['workerOfferingId'] &&
            nodes.every(
              (node) => node.role !== 'worker' || node.external || node.offeringId === input['workerOfferingId'],
            );
    case 'autoscale':
      return cluster.autoscaleEnabled === input['enabled'];
    case 'upgrade':
      return cluster.kubernetesVersionId === input['kubernetesVersionId'];
    case 'add-nodes':
      return listed(input['machineIds']).every((id) =>
        nodes.some((node) => node.machineId === id && node.stage === 'ready'),
      );
    case 'remove-nodes':
      return listed(input['nodeIds']).every((id) => nodes.every((node) => node.id !== id));
    default:
      return cluster.state === operation.to;
  }
}
