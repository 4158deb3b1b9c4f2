import { forgetNodes, recordNode } from '@/db/facts';
import { changeOfferings, changeSize } from '@/db/size';
import { placeName } from '@/domain/plan-steps';
import { drainNode } from '../drain';
import { planFacts } from '../plan-facts';
import { type Step, type StepContext, StepFailed } from '../step';
import { existingMachine, machineOf, plannedNode } from './nodes-of';

async function wanted(step: StepContext) {
  const facts = await step.facts();
  return (await planFacts(step.worker, facts, { fromState: facts.cluster.state, input: step.input })).wanted;
}

/** What is wanted is recorded before any machine is asked for ("kept as size"): whatever fails later, the next operation completes it. */
export const recordSize: Step = async (step) => {
  const { workerCount } = await wanted(step);
  if (workerCount === undefined) return undefined;
  await step.write((tx) => changeSize(tx, step.hold.clusterId, { to: workerCount }));
  return { workerCount };
};

export const recordOffering: Step = async (step) => {
  const { offerings = {} } = await wanted(step);
  await step.write((tx) => changeOfferings(tx, step.hold.clusterId, offerings));
  return { offerings };
};

export const resizeNode: Step = async (step) => {
  const facts = await step.facts();
  const node = plannedNode(step, facts);
  const offeringId = {
    control: facts.cluster.controlOfferingId,
    worker: facts.cluster.workerOfferingId,
    etcd: facts.cluster.etcdOfferingId,
  }[node.role];
  if (offeringId === null) throw new StepFailed('no offering is recorded for it.');
  const machine = await existingMachine(step, facts, node);
  if (machine.offeringId !== offeringId)
    await step.worker.cloud.changeOffering(step.call, { machineId: machine.id, offeringId });
  await step.write((tx) => recordNode(tx, node.id, { offeringId }));
  return { offeringId };
};

/**
 * Whom the cluster does not know has nothing to drain: it never joined, or is gone. A node that is dead cannot let its pods go in order;
 * waiting for them would keep it for ever (B031).
 */
export const drainStep: Step = async (step) => {
  const facts = await step.facts();
  const place = step.planned.node;
  const node = facts.nodes.find((each) => each.role === place?.role && each.ordinal === place.ordinal);
  if (node === undefined || (node.stage === 'planned' && node.machineId === null))
    return { nothing: 'it was never built' };
  const api = await step.kubernetes();
  const seen = (await api.listNodes(step.call)).find((each) => each.name === node.name.toLowerCase());
  if (seen === undefined) return { nothing: 'it is not in the cluster' };
  if (!seen.ready) {
    await step.note(
      'warning',
      `${placeName(node)} is not Ready: it is not drained, and what ran on it starts elsewhere.`,
    );
    return { nothing: 'it is not Ready' };
  }
  return drainNode(step, api, seen.name);
};

/** Node, machine, then row and size together: an interruption never leaves a size that its rows deny. */
export const removeNode: Step = async (step) => {
  const facts = await step.facts();
  const place = step.planned.node;
  const node = facts.nodes.find((each) => each.role === place?.role && each.ordinal === place.ordinal);
  if (node === undefined) return { nothing: 'it is gone already' };
  // A node may have joined without having been seen Ready.
  if (node.stage !== 'planned') await (await step.kubernetes()).deleteNode(step.call, node.name);
  const machine = await machineOf(step, facts, node);
  if (machine !== null) await step.worker.cloud.destroyMachine(step.call, machine.id);
  await step.write(async (tx) => {
    // Counted by the row that went, so that a write which is repeated after an unclear commit counts once.
    const gone = await forgetNodes(tx, [node.id]);
    if (gone > 0) await changeSize(tx, facts.cluster.id, { by: -1 });
  });
  await step.report(`${node.name} removed`);
  return { machineId: machine?.id ?? null };
};
