import { z } from 'zod';
import { forgetNodes, markReady, planNodes, recordNode } from '@/db/facts';
import { changeSize } from '@/db/size';
import type { NodeFact } from '@/domain/nodes';
import { isJoining, placeName } from '@/domain/plan-steps';
import type { CallContext, Machine } from '@/infrastructure/cloud';
import { allowJoins, nodeUserData, scrubUserData } from '../node-user-data';
import { Stopped } from '../running-jobs';
import { HoldLost, type Step, type StepContext, StepFailed } from '../step';
import { inWords, mayHelp } from '../step-failure';
import { nodesSeen, required } from './nodes-of';

const input = z.object({ manualUpgrade: z.boolean().default(false) });

/**
 * An existing machine becomes a worker: row first, then ISO and user data, then a fresh root disk that finds both (cloud.md C.8). It
 * counts toward the size when it is Ready. A machine that cannot be added is given back as it is: no ISO, no row.
 */
export const importNode: Step = async (step) => {
  const machineId = step.planned.machineId;
  if (machineId === undefined) throw new Error('import-node was planned without a machine');
  const machine = await step.worker.cloud.getMachine(step.call, machineId);
  if (machine === null) throw new StepFailed('the machine is gone.');
  const node = await recordExternal(step, machine);
  if (node.stage === 'ready') return { nothing: 'it is in the cluster already' };
  try {
    await join(step, machine, node);
  } catch (error) {
    await giveBackIfOver(step, error, node);
  }
  return { machineId, name: node.name };
};

async function recordExternal(step: StepContext, machine: Machine): Promise<NodeFact> {
  const place = required(step.planned.node ?? null, 'The place of the node');
  const { manualUpgrade } = input.parse(step.input);
  await step.write((tx) =>
    planNodes(tx, step.hold.clusterId, [
      {
        ...place,
        generation: 1,
        name: machine.name,
        offeringId: machine.offeringId,
        machineId: machine.id,
        ip: machine.ip,
        external: true,
        manualUpgrade,
      },
    ]),
  );
  const node = (await step.facts()).nodes.find((each) => each.machineId === machine.id);
  if (node === undefined) throw new StepFailed(`${machine.name} could not be recorded: its place is taken.`);
  return node;
}

async function join(step: StepContext, machine: Machine, node: NodeFact): Promise<void> {
  const facts = await step.facts();
  const { cloud } = step.worker;
  if (machine.networkId !== facts.cluster.networkId)
    throw new StepFailed(`${machine.name} is not in the cluster's network.`);
  await allowJoins(step, facts.cluster.id);
  if (node.stage === 'planned') {
    await cloud.setUserData(step.call, { machineId: machine.id, userData: await nodeUserData(step, facts, node) });
    await cloud.ensureIso(step.call, { machineId: machine.id, isoId: facts.isoId });
    await cloud.restoreMachine(step.call, machine.id);
    await step.write((tx) => recordNode(tx, node.id, { stage: 'built' }));
  }
  const now = await cloud.getMachine(step.call, machine.id);
  if (now?.state === 'stopped') await cloud.startMachine(step.call, machine.id);
  const api = await step.kubernetes();
  await step.report(`${machine.name} is restored; waiting until it is Ready`);
  const seen = await step.waitFor(
    async () => (await nodesSeen(step, api)).find((each) => each.name === node.name.toLowerCase() && each.ready),
    () => `${machine.name} did not get Ready.`,
  );
  await scrubUserData(step, step.call, machine.id);
  await step.write(async (tx) => {
    // Counted with its own change, so that a write which is repeated after an unclear commit counts once.
    const joined = await markReady(tx, node.id, seen.kubeletVersion);
    if (joined) await changeSize(tx, facts.cluster.id, { by: 1 });
  });
}

/** Gives the machine back when this was the last attempt, and fails the step with words for both. What may get better is passed on. */
async function giveBackIfOver(step: StepContext, error: unknown, node: NodeFact): Promise<never> {
  const { signal } = step.call;
  const cause: unknown = signal.aborted && !(error instanceof StepFailed) ? signal.reason : error;
  if (cause instanceof HoldLost || cause instanceof Stopped) throw cause;
  const failure = inWords(cause);
  if (!(failure instanceof StepFailed) || (mayHelp(failure) && step.attemptsLeft > 0)) throw failure;
  const outcome = await step
    .afterwards((call) => giveBack(step, call, node))
    .then(
      () => `${node.name} was given back; machines that were added stay.`,
      (late: unknown) => {
        if (late instanceof HoldLost || late instanceof Stopped) throw late;
        return `${node.name} could not be given back (${inWords(late).message}); add it again, or remove it.`;
      },
    );
  throw new StepFailed(`${failure.message} ${outcome}`, { cause });
}

async function giveBack(step: StepContext, call: CallContext, node: NodeFact): Promise<void> {
  await clearMachine(step, call, node);
  await (await step.kubernetes()).deleteNode(call, node.name);
  await step.write(async (tx) => void (await forgetNodes(tx, [node.id])));
  await step.note('warning', `${placeName(node)} (${node.name}) was given back.`);
}

/** Takes out of somebody else's machine what was put in: ISO and keys. Fine when it is gone. */
export async function clearMachine(step: StepContext, call: CallContext, node: NodeFact): Promise<void> {
  const { cloud } = step.worker;
  const machine = node.machineId === null ? null : await cloud.getMachine(call, node.machineId);
  if (machine === null) return;
  await cloud.ensureNoIso(call, machine.id);
  if (node.stage !== 'ready') await scrubUserData(step, call, machine.id);
}

/** The node leaves, its machine stays: it was not ours. Works for a node in any stage, and twice. */
export const releaseNode: Step = async (step) => {
  const facts = await step.facts();
  const place = step.planned.node;
  const node = facts.nodes.find((each) => each.role === place?.role && each.ordinal === place.ordinal);
  if (node === undefined) return { nothing: 'it is gone already' };
  await (await step.kubernetes()).deleteNode(step.call, node.name);
  await clearMachine(step, step.call, node);
  await step.write(async (tx) => {
    const gone = await forgetNodes(tx, [node.id]);
    if (gone > 0 && !isJoining(node)) await changeSize(tx, facts.cluster.id, { by: -1 });
  });
  await step.report(`${node.name} released; its machine stays in the cloud`);
  return { machineId: node.machineId };
};
