/*
 * Plans come from recorded facts, not from the kind of operation alone: a start includes every create step that is not done, a
 * resume is a new plan over the same facts.
 */
import type { ComponentFact, ComponentName } from './components';
import type { NodeFact, NodeRole } from './nodes';
import type { OperationKind } from './operations';
import type { ClusterEvent, ClusterState } from './states';

export const stepNames = [
  'prepare-access',
  'plan-nodes',
  'network',
  'address',
  'firewall',
  'egress',
  'load-balancer',
  'template-permission',
  'build-node',
  'start-node',
  'assign-node',
  'wait-api',
  'wait-nodes',
  'detach-iso',
  'kubeconfig',
  'mark-nodes',
  'install-component',
  'scrub-user-data',
  'stop-node',
  'verify-stopped',
  'delete-volumes',
  'destroy-node',
  'sweep-machines',
  'release-network',
  'forget-secrets',
] as const;
export type StepName = (typeof stepNames)[number];

export interface NodePlace {
  readonly role: NodeRole;
  readonly ordinal: number;
}

export interface PlannedStep {
  readonly step: StepName;
  /** The node it works on, where it works on one. */
  readonly node?: NodePlace;
  readonly component?: ComponentName;
  /** Unique in the plan: `build-node worker-2`. */
  readonly key: string;
  readonly label: string;
  /** Fired when it fails while its server lives; null leaves the state alone (start from Error, delete). */
  readonly failure: ClusterEvent | null;
  readonly timeoutSeconds: number;
  /** Neighbours with the same group run at the same time. */
  readonly group?: string;
}

/** What a plan is made from. */
export interface PlanFacts {
  readonly state: ClusterState;
  readonly fromState: ClusterState;
  readonly counts: Readonly<Record<NodeRole, number>>;
  readonly nodes: readonly NodeFact[];
  readonly components: readonly ComponentFact[];
  readonly network: {
    readonly networkId: string | null;
    readonly networkOwned: boolean;
    readonly addressId: string | null;
    readonly loadBalancerRuleId: string | null;
    readonly endpoint: string | null;
  };
  readonly hasAccess: boolean;
}

export const placeName = (place: NodePlace): string => `${place.role}-${place.ordinal}`;

/** Every node the cluster is to have: those recorded and those still missing, control first, etcd before it. */
export function wantedPlaces(facts: Pick<PlanFacts, 'counts' | 'nodes'>): readonly NodePlace[] {
  return (['etcd', 'control', 'worker'] as const).flatMap((role) => {
    const recorded = facts.nodes.filter((node) => node.role === role).map((node) => node.ordinal);
    const missing = Math.max(0, facts.counts[role] - recorded.length);
    const ordinals = [...recorded];
    for (let next = 1; ordinals.length < recorded.length + missing; next += 1) {
      if (!recorded.includes(next)) ordinals.push(next);
    }
    return ordinals.sort((a, b) => a - b).map((ordinal) => ({ role, ordinal }));
  });
}

export function planOperation(kind: OperationKind, facts: PlanFacts): readonly PlannedStep[] {
  switch (kind) {
    case 'create':
    case 'start':
      return planStart(facts);
    case 'stop':
      return planStop(facts);
    case 'delete':
      return planDelete(facts);
    case 'recover':
      return planRecovery(facts);
    case 'scale':
    case 'autoscale':
    case 'upgrade':
    case 'add-nodes':
    case 'remove-nodes':
      return [];
  }
}

/**
 * Failure targets (cluster-semantics 2.1, 2.2): building fires CreateFailed from a create or a start of Created; what follows the
 * nodes fires OperationFailed; a start from Error leaves Error whatever happens (ENT-8).
 */
function failureOf(facts: PlanFacts, phase: 'build' | 'finish'): ClusterEvent | null {
  if (facts.fromState === 'Error') return null;
  return facts.fromState === 'Created' && phase === 'build' ? 'CreateFailed' : 'OperationFailed';
}

function planStart(facts: PlanFacts): readonly PlannedStep[] {
  const build = { failure: failureOf(facts, 'build'), timeoutSeconds: 600 };
  const finish = { failure: failureOf(facts, 'finish'), timeoutSeconds: 900 };
  const places = wantedPlaces(facts);
  const isBuilt = (place: NodePlace) =>
    facts.nodes.some((node) => node.role === place.role && node.ordinal === place.ordinal && node.stage !== 'planned');
  const unbuilt = places.some((place) => !isBuilt(place));
  const steps: (PlannedStep | false)[] = [
    !facts.hasAccess && { ...build, step: 'prepare-access', key: 'prepare-access', label: 'Prepare certificates and access' },
    unbuilt && { ...build, step: 'plan-nodes', key: 'plan-nodes', label: 'Record the planned nodes' },
    (facts.network.networkId === null || unbuilt) && { ...build, step: 'network', key: 'network', label: 'Network' },
    facts.network.addressId === null && { ...build, step: 'address', key: 'address', label: 'Public address' },
    unbuilt && { ...build, step: 'firewall', key: 'firewall', label: 'Firewall rule for the API' },
    unbuilt && { ...build, step: 'egress', key: 'egress', label: 'Outgoing traffic' },
    (facts.network.loadBalancerRuleId === null || unbuilt) && {
      ...build,
      step: 'load-balancer',
      key: 'load-balancer',
      label: 'Load balancer rule for the API',
    },
    unbuilt && { ...build, step: 'template-permission', key: 'template-permission', label: 'Permission to use the template' },
    ...nodeSteps(places, isBuilt, build),
    { ...build, step: 'wait-nodes', key: 'wait-nodes', label: 'Wait until every node is Ready', timeoutSeconds: 3000 },
    { ...build, step: 'detach-iso', key: 'detach-iso', label: 'Take the binaries ISO out', failure: finish.failure },
    { ...finish, step: 'kubeconfig', key: 'kubeconfig', label: 'Administrator access' },
    { ...finish, step: 'mark-nodes', key: 'mark-nodes', label: 'Mark the nodes' },
    ...componentSteps(facts.components, finish),
    unbuilt && { ...finish, step: 'scrub-user-data', key: 'scrub-user-data', label: 'Remove secrets from user data' },
  ];
  return steps.filter((step) => step !== false);
}

type Common = Pick<PlannedStep, 'failure' | 'timeoutSeconds'>;

/** Etcd before control; the first control node alone, then its API; further ones one at a time; workers together. */
function nodeSteps(places: readonly NodePlace[], isBuilt: (place: NodePlace) => boolean, common: Common): PlannedStep[] {
  const etcd = places.filter((place) => place.role === 'etcd');
  const control = places.filter((place) => place.role === 'control');
  const workers = places.filter((place) => place.role === 'worker');
  const build = (place: NodePlace, group?: string): PlannedStep => nodeStep('build-node', 'Build', place, common, group);
  const start = (place: NodePlace, group?: string): PlannedStep => nodeStep('start-node', 'Start', place, common, group);
  const assign = (place: NodePlace): PlannedStep => nodeStep('assign-node', 'Send API traffic to', place, common);
  const waitApi: PlannedStep = { ...common, step: 'wait-api', key: 'wait-api', label: 'Wait for the Kubernetes API', timeoutSeconds: 1800 };
  const [first, ...furtherControl] = control;
  return [
    ...etcd.filter((place) => !isBuilt(place)).map((place) => build(place, 'build etcd')),
    ...etcd.map((place) => start(place, 'start etcd')),
    ...(first === undefined ? [] : [...(isBuilt(first) ? [] : [build(first)]), start(first), assign(first)]),
    ...furtherControl.filter(isBuilt).flatMap((place) => [start(place, 'start control'), assign(place)]),
    waitApi,
    ...furtherControl.filter((place) => !isBuilt(place)).flatMap((place) => [build(place), start(place), assign(place)]),
    ...workers.filter((place) => !isBuilt(place)).map((place) => build(place, 'build workers')),
    ...workers.map((place) => start(place, 'start workers')),
  ];
}

function nodeStep(step: StepName, verb: string, place: NodePlace, common: Common, group?: string): PlannedStep {
  const name = placeName(place);
  return { ...common, step, node: place, key: `${step} ${name}`, label: `${verb} ${name}`, ...(group === undefined ? {} : { group }) };
}

/** Components that are wanted and not installed, the dashboard first. */
function componentSteps(components: readonly ComponentFact[], common: Common): PlannedStep[] {
  const order: readonly ComponentName[] = ['dashboard', 'cloud-provider', 'csi-driver', 'autoscaler'];
  const labels: Readonly<Record<ComponentName, string>> = {
    dashboard: 'Wait for the dashboard',
    'cloud-provider': 'Install the cloud provider',
    'csi-driver': 'Install the CSI driver',
    autoscaler: 'Install the cluster autoscaler',
  };
  return order
    .filter((name) => components.some((fact) => fact.component === name && fact.wanted && !fact.installed))
    .map((name) => ({
      ...common,
      step: 'install-component',
      component: name,
      key: `install-component ${name}`,
      label: labels[name],
    }));
}

/** Workers, then control nodes, then etcd, so that the API outlives what depends on it. */
function planStop(facts: PlanFacts): readonly PlannedStep[] {
  const common: Common = { failure: isAhead(facts) ? null : 'OperationFailed', timeoutSeconds: 600 };
  const withMachine = facts.nodes.filter((node) => node.machineId !== null || node.stage !== 'planned');
  const stops = (['worker', 'control', 'etcd'] as const).flatMap((role) =>
    withMachine.filter((node) => node.role === role).map((node) => nodeStep('stop-node', 'Stop', node, common, `stop ${role}`)),
  );
  if (stops.length === 0) return [];
  return [...stops, { ...common, step: 'verify-stopped', key: 'verify-stopped', label: 'See that every machine is stopped' }];
}

function isAhead(facts: PlanFacts): boolean {
  return facts.state === 'Created' || facts.state === 'Error';
}

/** Nothing here has a failure event: Destroying has none, and the delete is tried again (cluster-semantics 2.8). */
function planDelete(facts: PlanFacts): readonly PlannedStep[] {
  const common: Common = { failure: null, timeoutSeconds: 600 };
  const csi = facts.components.some((fact) => fact.component === 'csi-driver' && fact.installed);
  const steps: (PlannedStep | false)[] = [
    csi && { ...common, step: 'delete-volumes', key: 'delete-volumes', label: 'Delete the volumes of its workloads' },
    ...(['worker', 'control', 'etcd'] as const).flatMap((role) =>
      facts.nodes.filter((node) => node.role === role).map((node) => nodeStep('destroy-node', 'Destroy', node, common, `destroy ${role}`)),
    ),
    { ...common, step: 'sweep-machines', key: 'sweep-machines', label: 'Look for machines left over' },
    { ...common, step: 'release-network', key: 'release-network', label: 'Release network, address and rules' },
    { ...common, step: 'forget-secrets', key: 'forget-secrets', label: 'Forget certificates and keys' },
  ];
  return steps.filter((step) => step !== false);
}

/** A recovery changes no machine: it looks again, installs what is missing and completes (design 7.7). */
function planRecovery(facts: PlanFacts): readonly PlannedStep[] {
  const common: Common = { failure: facts.fromState === 'Error' ? 'CreateFailed' : 'OperationFailed', timeoutSeconds: 300 };
  return [
    { ...common, step: 'wait-api', key: 'wait-api', label: 'See that the Kubernetes API answers' },
    { ...common, step: 'wait-nodes', key: 'wait-nodes', label: 'See that every node is Ready' },
    { ...common, step: 'detach-iso', key: 'detach-iso', label: 'Take the binaries ISO out' },
    { ...common, step: 'kubeconfig', key: 'kubeconfig', label: 'Administrator access' },
    { ...common, step: 'mark-nodes', key: 'mark-nodes', label: 'Mark the nodes' },
    ...componentSteps(facts.components, common),
  ];
}
