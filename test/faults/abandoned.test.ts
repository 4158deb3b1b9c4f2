/** A worker is abandoned at every step of create, start, stop and delete: its server dies and says nothing (issue 2). */
import { afterAll, describe, expect, test } from 'vitest';
import type { ComponentFact } from '@/domain/components';
import { type NodeFact, nodeRoles } from '@/domain/nodes';
import { failureTarget } from '@/domain/orphans';
import { planOperation } from '@/domain/plan';
import type { PlanFacts } from '@/domain/plan-steps';
import { isNodeReady } from '@/infrastructure/memory/cluster';
import { disagreements, lateEffects, leftOf, unnamed } from '../support/agreement';
import { granted, type Lane } from '../support/lane';
import { openLanes, type Place } from '../support/lanes';
import { untilIdle } from '../support/server';
import { bringTo, deleteWhatIsLeft, type FaultedOperation, faultedOperations, stateDuring } from './operations';

const titles = ['create', 'start', 'stop', 'delete'];
const lanes = openLanes(5);

describe.concurrent.each(faultedOperations.filter(({ title }) => titles.includes(title)))('$title', (operation) => {
  test.each(momentsOf(operation))(
    'REC-4 OUT-4 I15 abandoned at %s, it is Alert with a reason, and then well again',
    { timeout: 120_000 },
    (moment) => lanes.use((place) => abandon(place, operation, moment)),
  );
});

afterAll(() => deleteWhatIsLeft(lanes), 60_000);

async function abandon(place: Place, operation: FaultedOperation, moment: string): Promise<void> {
  const { lane, server } = place;
  const id = await bringTo(lane, server, operation, place.clusterId);
  const { jobId } = await abandonedAt(lane, id, operation, moment);

  await lane.pass(server);
  expect(await lane.job(jobId)).toMatchObject({
    status: 'failed',
    reason: 'server-departed',
    message: expect.stringMatching(/departed/),
  });
  const recovery = (await lane.transitions(id)).find((each) => each.jobId === jobId && each.cause === 'recovery');
  if (operation.kind === 'delete') expect(recovery).toBeUndefined();
  else {
    const during = stateDuring(operation);
    expect(recovery).toMatchObject({
      fromState: during,
      toState: failureTarget(during, null),
      reason: expect.stringMatching(/departed/),
    });
  }
  expect(await unnamed(lane, id)).toEqual([]);
  expect(await lane.violations()).toEqual([]);

  const expected = operation.kind === 'delete' ? 'Destroyed' : await whereItHeals(lane, id);
  await lane.pass(server);
  await lane.pass(server);
  expect(await lane.state(id)).toBe(expected);
  expect(await lane.violations()).toEqual([]);

  if (expected === 'Alert') await lane.run(server, 'start', id);
  const { cluster } = await lane.facts(id);
  if (expected !== 'Destroyed') expect(await disagreements(lane, id)).toEqual([]);
  if (operation.title === 'create') {
    if (cluster.state === 'Stopped') await lane.run(server, 'start', id);
    await lane.run(server, 'delete', id);
  }
  const gone = operation.title === 'create' || operation.kind === 'delete';
  if (gone) expect(leftOf(lane, cluster)).toEqual([]);
  place.clusterId = gone ? undefined : id;
  expect(await lateEffects(lane, id)).toEqual([]);
  expect(await lane.violations()).toEqual([]);
  expect(lane.servers.flatMap((each) => each.errors)).toEqual([]);
}

/** The operation on a server of its own, whose worker never gets past the moment; then that server dies. */
async function abandonedAt(lane: Lane, clusterId: string, operation: FaultedOperation, moment: string) {
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const doomed = await lane.server({
    atMoment: (now) => {
      if (now !== moment) return Promise.resolve();
      reach();
      return new Promise(() => undefined);
    },
  });
  const accepted = granted(await lane.ask(doomed, operation.kind, clusterId));
  const missed = untilIdle(doomed).then(() => Promise.reject(new Error(`it never came to ${moment}`)));
  await Promise.race([reached, missed]);
  await doomed.die();
  return accepted;
}

/** Alert heals by itself where every planned node runs and is Ready, or where every machine is stopped; else it stays (SCN-1, OUT-4). */
async function whereItHeals(lane: Lane, clusterId: string): Promise<'Running' | 'Stopped' | 'Alert'> {
  const { cluster, nodes } = await lane.facts(clusterId);
  const counts = { control: cluster.controlCount, worker: cluster.workerCount, etcd: cluster.etcdCount };
  const complete = nodeRoles.every(
    (role) => nodes.filter((node) => node.role === role && node.machineId !== null).length === counts[role],
  );
  const machines = nodes.map((node) => lane.machineOf(node.machineId));
  if (!complete) return 'Alert';
  if (machines.every((machine) => machine?.state === 'stopped')) return 'Stopped';
  const api = await lane.api(clusterId);
  const ready = nodes.every((node) => {
    const seen = api?.nodes.get(node.name);
    return seen !== undefined && isNodeReady(lane.control.world, seen);
  });
  return ready ? 'Running' : 'Alert';
}

/** From the plan itself, so that a new step is abandoned too. */
function momentsOf(operation: FaultedOperation): readonly string[] {
  const steps = planOperation(operation.kind, factsFor(operation));
  return [...steps.flatMap(({ key }) => [`begin ${key}`, `end ${key}`]), 'finish'];
}

function factsFor({ from }: FaultedOperation): PlanFacts {
  const built = from !== 'Created';
  const places = [
    { role: 'control', ordinal: 1 },
    { role: 'worker', ordinal: 1 },
  ] as const;
  const rest = {
    generation: 1,
    stage: 'ready',
    offeringId: 'small',
    version: '1.31.4',
    ip: '10.1.1.1',
    external: false,
    manualUpgrade: false,
  } as const;
  const nodes: readonly NodeFact[] = places.map((place) => {
    const name = `${place.role}-${place.ordinal}`;
    return { ...place, ...rest, id: name, name, machineId: name };
  });
  const components: readonly ComponentFact[] = (['dashboard', 'cloud-provider', 'csi-driver'] as const).map(
    (component) => ({
      component,
      wanted: true,
      installed: built,
    }),
  );
  const known = built ? 'known' : null;
  return {
    state: from,
    fromState: from,
    counts: { control: 1, worker: 1, etcd: 0 },
    nodes: built ? nodes : [],
    components,
    network: { networkId: known, networkOwned: true, addressId: known, loadBalancerRuleId: known, endpoint: known },
    hasAccess: built,
    wanted: {},
  };
}
