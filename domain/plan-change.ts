/*
 * Plans of the operations that change a cluster which is built: scale, autoscale, upgrade, add and remove nodes. What is wanted is
 * recorded first ("kept as size"): after a failure size, node rows, machines and page agree, and the next operation completes it.
 */
import type { NodeFact, NodeRole } from './nodes';
import { componentSteps, joinSteps } from './plan-build';
import {
  type Common,
  isJoining,
  type NodePlace,
  nodeStep,
  type PlanFacts,
  type PlannedStep,
  wantedPlaces,
} from './plan-steps';

const failing: Common = { failure: 'OperationFailed', timeoutSeconds: 900 };

/** What every way to Running ends with: all nodes Ready and of one version, all wanted components there (I17). */
function healthSteps(facts: PlanFacts): readonly PlannedStep[] {
  return [
    {
      ...failing,
      step: 'wait-nodes',
      key: 'wait-nodes',
      label: 'Wait until every node is Ready',
      timeoutSeconds: 3000,
    },
    { ...failing, step: 'detach-iso', key: 'detach-iso', label: 'Take the binaries ISO out' },
    { ...failing, step: 'mark-nodes', key: 'mark-nodes', label: 'Mark the nodes' },
    ...componentSteps(facts.components, failing),
  ];
}

/**
 * Growing: offering, then size; shrinking: size, then offering (cluster-semantics 2.4). A stopped cluster only changes its machines'
 * offering. SCL-9: nothing to do is refused before acceptance, so a plan always has something to do.
 */
export function planScale(facts: PlanFacts): readonly PlannedStep[] {
  const { wanted } = facts;
  const offering = offeringSteps(facts);
  if (facts.fromState === 'Stopped') return offering;
  const leaving = leavingNodes(facts);
  const staying = { ...facts, nodes: facts.nodes.filter((node) => !leaving.includes(node)) };
  const workerCount = wanted.workerCount ?? facts.counts.worker - leaving.length;
  if (leaving.length === 0) {
    const grows = wanted.workerCount !== undefined || isUnfinished(staying);
    return [...offering, ...(grows ? growSteps(staying, workerCount) : []), ...healthSteps(facts)];
  }
  const finish = isUnfinished(staying) ? growSteps(staying, workerCount) : [];
  return [...shrinkSteps(leaving), ...finish, ...offering, ...healthSteps(facts)];
}

/** An earlier growth broke off: what stays of it is completed by any scale, because nothing is Running without it. */
function isUnfinished({ nodes }: PlanFacts): boolean {
  return nodes.some((node) => node.role === 'worker' && !node.external && node.stage !== 'ready');
}

/** Named nodes, or workers that are not external down to the wanted size: first those that never got ready, then the newest. */
export function leavingNodes(facts: Pick<PlanFacts, 'wanted' | 'nodes'>): readonly NodeFact[] {
  const { wanted, nodes } = facts;
  if (wanted.nodeIds !== undefined) return nodes.filter((node) => wanted.nodeIds?.includes(node.id));
  if (wanted.workerCount === undefined) return [];
  const workers = nodes.filter((node) => node.role === 'worker' && !isJoining(node));
  const surplus = Math.max(0, workers.length - wanted.workerCount);
  return workers
    .filter((node) => !node.external)
    .sort((a, b) => Number(a.stage === 'ready') - Number(b.stage === 'ready') || b.ordinal - a.ordinal)
    .slice(0, surplus);
}

function shrinkSteps(leaving: readonly NodeFact[]): readonly PlannedStep[] {
  return leaving.flatMap((node) => [
    nodeStep('drain-node', 'Drain', node, failing),
    nodeStep('remove-node', 'Remove', node, failing),
  ]);
}

function growSteps(facts: PlanFacts, workerCount: number): readonly PlannedStep[] {
  const places = wantedPlaces({ counts: { ...facts.counts, worker: workerCount }, nodes: facts.nodes });
  const unbuilt = places.filter((place) => place.role === 'worker' && !hasStage(facts, place, ['built', 'ready']));
  const unready = places.filter((place) => place.role === 'worker' && !hasStage(facts, place, ['ready']));
  return [
    { ...failing, step: 'record-size', key: 'record-size', label: `Record the size ${workerCount}` },
    { ...failing, step: 'plan-nodes', key: 'plan-nodes', label: 'Record the planned nodes' },
    { ...failing, step: 'template-permission', key: 'template-permission', label: 'Permission to use the template' },
    ...joinSteps(unbuilt, unready, failing),
  ];
}

function hasStage(facts: PlanFacts, place: NodePlace, stages: readonly NodeFact['stage'][]): boolean {
  return facts.nodes.some(
    (node) => node.role === place.role && node.ordinal === place.ordinal && stages.includes(node.stage),
  );
}

/** The new offering is recorded first, so that nodes which are built meanwhile get it; then machines change one by one. */
function offeringSteps(facts: PlanFacts): readonly PlannedStep[] {
  const offerings = facts.wanted.offerings ?? {};
  const roles = (['control', 'etcd', 'worker'] as const).filter((role: NodeRole) => offerings[role] !== undefined);
  if (roles.length === 0) return [];
  const changing = facts.nodes.filter(
    (node) =>
      roles.includes(node.role) &&
      node.machineId !== null &&
      !node.external &&
      node.offeringId !== offerings[node.role],
  );
  return [
    { ...failing, step: 'record-offering', key: 'record-offering', label: 'Record the offering' },
    ...changing.map((node) => nodeStep('resize-node', 'Resize', node, failing)),
  ];
}

export function planAutoscale(facts: PlanFacts): readonly PlannedStep[] {
  const on = facts.wanted.autoscale === true;
  return [
    {
      ...failing,
      step: 'deploy-autoscaler',
      key: 'deploy-autoscaler',
      label: on ? 'Deploy the cluster autoscaler' : 'Remove the cluster autoscaler',
    },
    { ...failing, step: 'record-autoscale', key: 'record-autoscale', label: 'Record the bounds' },
    ...healthSteps({ ...facts, components: facts.components.filter((fact) => fact.component !== 'autoscaler') }),
  ];
}

/** Nodes that have the target already are not in the plan: that is how an interrupted upgrade resumes. First control node first. */
export function planUpgrade(facts: PlanFacts): readonly PlannedStep[] {
  const target = facts.wanted.version;
  const pending = (['control', 'worker'] as const).flatMap((role) =>
    facts.nodes
      .filter((node) => node.role === role && !node.manualUpgrade && !isJoining(node) && node.version !== target)
      .sort((a, b) => a.ordinal - b.ordinal),
  );
  const common: Common = { failure: 'OperationFailed', timeoutSeconds: 1200 };
  return [
    ...pending.map((node) => nodeStep('attach-iso', 'Give the new ISO to', node, common, 'attach')),
    ...pending.flatMap((node) => [
      nodeStep('drain-node', 'Drain', node, common),
      nodeStep('upgrade-node', 'Upgrade', node, common),
      nodeStep('uncordon-node', 'Open', node, common),
    ]),
    {
      ...common,
      step: 'record-version',
      key: 'record-version',
      label: `See that every node has ${target}, and record it`,
    },
    ...healthSteps(facts),
  ];
}

/** Importing is entered before the ISO is attached (ADD-1). A machine that fails is given back and the others go on. */
export function planAddNodes(facts: PlanFacts): readonly PlannedStep[] {
  const taken = facts.nodes.filter((node) => node.role === 'worker').map((node) => node.ordinal);
  const places = (facts.wanted.machineIds ?? []).map((machineId) => {
    const recorded = facts.nodes.find((node) => node.machineId === machineId);
    let ordinal = recorded?.ordinal ?? 1;
    while (recorded === undefined && taken.includes(ordinal)) ordinal += 1;
    taken.push(ordinal);
    return { machineId, place: { role: 'worker', ordinal } as const };
  });
  return [
    ...places.map(({ machineId, place }) => ({
      ...nodeStep('import-node', 'Add', place, { ...failing, timeoutSeconds: 3000 }, 'import'),
      machineId,
    })),
    ...healthSteps(facts),
  ];
}

export function planRemoveNodes(facts: PlanFacts): readonly PlannedStep[] {
  const leaving = facts.nodes.filter((node) => facts.wanted.nodeIds?.includes(node.id));
  return [
    ...leaving.flatMap((node) => [
      ...(isJoining(node) ? [] : [nodeStep('drain-node', 'Drain', node, failing)]),
      nodeStep('release-node', 'Release', node, failing),
    ]),
    ...healthSteps(facts),
  ];
}
