import { forgetNodes, planNodes, recordNode } from '@/db/facts';
import type { NodeFact, NodeRole } from '@/domain/nodes';
import { isJoining, placeName, wantedPlaces } from '@/domain/plan-steps';
import { clusterTags, machineName, nodeTags, tagKeys } from '@/infrastructure/bootstrap/names';
import type { Machine } from '@/infrastructure/cloud';
import { allowJoins, isFirstControl, nodeUserData } from '../node-user-data';
import { type Step, type StepContext, StepFailed } from '../step';
import { clearMachine } from './external';
import { existingMachine, machineOf, plannedNode, required } from './nodes-of';

/** Rows before machines: what is planned is known even if the server dies in the first call. */
export const planNodesStep: Step = async (step) => {
  const { cluster, nodes } = await step.facts();
  const counts = { control: cluster.controlCount, worker: cluster.workerCount, etcd: cluster.etcdCount };
  const offerings: Readonly<Record<NodeRole, string | null>> = {
    control: cluster.controlOfferingId,
    worker: cluster.workerOfferingId,
    etcd: cluster.etcdOfferingId,
  };
  const missing = wantedPlaces({ counts, nodes }).filter(
    (place) => !nodes.some((node) => node.role === place.role && node.ordinal === place.ordinal),
  );
  await step.write((tx) =>
    planNodes(
      tx,
      cluster.id,
      missing.map((place) => ({
        ...place,
        generation: 1,
        name: machineName({ clusterName: cluster.name, clusterId: cluster.id, ...place, generation: 1 }),
        offeringId: required(offerings[place.role], `The offering of ${placeName(place)}`),
      })),
    ),
  );
  return { planned: missing.map(placeName) };
};

/** Its machine: made stopped, tagged, with the binaries ISO in its drive. A machine in error is replaced by the next generation. */
export const buildNode: Step = async (step) => {
  const facts = await step.facts();
  let node = plannedNode(step, facts);
  const { cloud } = step.worker;
  const found = await machineOf(step, facts, node);
  if (found?.state === 'error') {
    await step.note('warning', `${node.name} is in error; it is replaced.`);
    await cloud.destroyMachine(step.call, found.id);
    node = await nextGeneration(step, facts.cluster, node);
  }
  const machine = await cloud.ensureMachine(step.call, {
    name: node.name,
    zoneId: facts.cluster.zoneId,
    networkId: required(facts.cluster.networkId, 'The network'),
    offeringId: node.offeringId,
    templateId: facts.cluster.templateId,
    rootDiskGb: facts.cluster.rootDiskGb,
    sshKeyPair: facts.cluster.sshKeyPair,
    userData: await nodeUserData(step, facts, node),
    tags: { ...clusterTags(step.worker.settings.installationId, facts.cluster.id), ...nodeTags(placeName(node)) },
  });
  await step.write((tx) => recordNode(tx, node.id, { machineId: machine.id, ip: machine.ip }));
  await cloud.ensureIso(step.call, { machineId: machine.id, isoId: facts.isoId });
  await step.write((tx) => recordNode(tx, node.id, { stage: 'built' }));
  await step.report(`${node.name} built`);
  return { machineId: machine.id, name: node.name };
};

async function nextGeneration(
  step: StepContext,
  cluster: { id: string; name: string },
  node: NodeFact,
): Promise<NodeFact> {
  const generation = node.generation + 1;
  const name = machineName({
    clusterName: cluster.name,
    clusterId: cluster.id,
    role: node.role,
    ordinal: node.ordinal,
    generation,
  });
  await step.write((tx) => recordNode(tx, node.id, { generation, name, machineId: null, ip: null, stage: 'planned' }));
  return { ...node, generation, name, machineId: null, ip: null, stage: 'planned' };
}

/** Powers it on and waits until it runs. A node that was never Ready gets its ISO back first: its bootstrap may still need it. */
export const startNode: Step = async (step) => {
  const facts = await step.facts();
  const node = plannedNode(step, facts);
  const { cloud } = step.worker;
  const machine = await existingMachine(step, facts, node);
  if (node.stage !== 'ready') {
    await cloud.ensureIso(step.call, { machineId: machine.id, isoId: facts.isoId });
    if (node.role !== 'etcd' && !isFirstControl(facts, node)) await allowJoins(step, facts.cluster.id);
    const etcdPeersKnown = node.role === 'etcd' && machine.state === 'stopped';
    if (etcdPeersKnown)
      await cloud.setUserData(step.call, { machineId: machine.id, userData: await nodeUserData(step, facts, node) });
  }
  if (machine.state !== 'running') await cloud.startMachine(step.call, machine.id);
  await untilState(step, machine, 'running');
  return { machineId: machine.id };
};

export const assignNode: Step = async (step) => {
  const facts = await step.facts();
  const machine = await existingMachine(step, facts, plannedNode(step, facts));
  const ruleId = required(facts.cluster.loadBalancerRuleId, 'The load balancer rule');
  await step.worker.cloud.ensureAssigned(step.call, { ruleId, machineId: machine.id });
  return undefined;
};

/** Not forced, like CKS. A planned node whose machine was never made has nothing to stop. */
export const stopNode: Step = async (step) => {
  const facts = await step.facts();
  const node = plannedNode(step, facts);
  const machine =
    node.stage === 'planned' ? await machineOf(step, facts, node) : await existingMachine(step, facts, node);
  if (machine === null) return { nothing: 'it has no machine' };
  if (machine.state !== 'stopped') await step.worker.cloud.stopMachine(step.call, machine.id);
  await untilState(step, machine, 'stopped');
  return { machineId: machine.id };
};

/** Every machine that carries the cluster's tag must be stopped, recorded or not; and every recorded one, because added ones carry none. */
export const verifyStopped: Step = async (step) => {
  const { cluster, nodes } = await step.facts();
  const tagged = await step.worker.cloud.listMachines(step.call, { tag: { key: tagKeys.cluster, value: cluster.id } });
  const machines = [...tagged];
  const missing: NodeFact[] = [];
  for (const node of nodes) {
    if (isJoining(node) || tagged.some((machine) => machine.id === node.machineId)) continue;
    const machine = node.machineId === null ? null : await step.worker.cloud.getMachine(step.call, node.machineId);
    if (machine !== null) machines.push(machine);
    else if (node.stage !== 'planned') missing.push(node);
  }
  const running = machines.filter((machine) => machine.state !== 'stopped');
  if (running.length > 0)
    throw new StepFailed(`still not stopped: ${running.map((machine) => machine.name).join(', ')}.`);
  if (missing.length > 0) throw new StepFailed(`machines are missing: ${missing.map((node) => node.name).join(', ')}.`);
  return { stopped: machines.length };
};

/** The machine goes for good, then its row. Gone already is fine, in whatever stage the node was. */
export const destroyNode: Step = async (step) => {
  const facts = await step.facts();
  const place = step.planned.node;
  const node = facts.nodes.find((each) => each.role === place?.role && each.ordinal === place.ordinal);
  if (node === undefined) return { nothing: 'it is gone already' };
  if (node.external) return leaveMachine(step, node);
  const machine = await machineOf(step, facts, node);
  if (machine?.deleteProtected === true)
    throw new StepFailed(`${node.name} is protected against deletion in the cloud.`);
  if (machine !== null) await step.worker.cloud.destroyMachine(step.call, machine.id);
  await step.write(async (tx) => void (await forgetNodes(tx, [node.id])));
  await step.report(`${node.name} destroyed`);
  return { machineId: machine?.id ?? null };
};

/** A machine that was added is not ours to destroy: it is cleared and stays in the cloud. */
async function leaveMachine(step: StepContext, node: NodeFact): Promise<Record<string, unknown>> {
  await clearMachine(step, step.call, node);
  await step.write(async (tx) => void (await forgetNodes(tx, [node.id])));
  await step.note('warning', `${node.name} was added, not made by Holdfast; its machine stays in the cloud.`);
  return { left: node.machineId };
}

/** What an interrupted attempt left: machines with our tag that no row names any more. */
export const sweepMachines: Step = async (step) => {
  const { cluster } = await step.facts();
  const left = await step.worker.cloud.listMachines(step.call, { tag: { key: tagKeys.cluster, value: cluster.id } });
  for (const machine of left) {
    await step.note('warning', `${machine.name} was left over; it is destroyed.`);
    await step.worker.cloud.destroyMachine(step.call, machine.id);
  }
  return { swept: left.map((machine) => machine.name) };
};

async function untilState(step: StepContext, machine: Machine, wanted: 'running' | 'stopped'): Promise<void> {
  let seen: string = machine.state;
  await step.waitFor(
    async () => {
      const now = await step.worker.cloud.getMachine(step.call, machine.id);
      if (now === null) throw new StepFailed(`${machine.name} vanished while it was waited for.`);
      seen = now.state;
      return now.state === wanted ? true : undefined;
    },
    () => `${machine.name} did not get ${wanted}; it is ${seen}.`,
  );
}
