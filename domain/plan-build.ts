import type { ComponentFact, ComponentName } from './components';
import { type Common, type NodePlace, nodeStep, type PlanFacts, type PlannedStep, wantedPlaces } from './plan-steps';
import type { ClusterEvent } from './states';

/**
 * Failure targets (cluster-semantics 2.1, 2.2): building fires CreateFailed from a create or a start of Created; what follows the
 * nodes fires OperationFailed; a start from Error leaves Error whatever happens (ENT-8).
 */
function failureOf(facts: PlanFacts, phase: 'build' | 'finish'): ClusterEvent | null {
  if (facts.fromState === 'Error') return null;
  return facts.fromState === 'Created' && phase === 'build' ? 'CreateFailed' : 'OperationFailed';
}

export function planStart(facts: PlanFacts): readonly PlannedStep[] {
  const build = { failure: failureOf(facts, 'build'), timeoutSeconds: 600 };
  const finish = { failure: failureOf(facts, 'finish'), timeoutSeconds: 900 };
  const places = wantedPlaces(facts);
  const isBuilt = (place: NodePlace) =>
    facts.nodes.some((node) => node.role === place.role && node.ordinal === place.ordinal && node.stage !== 'planned');
  const unbuilt = places.some((place) => !isBuilt(place));
  const steps: (PlannedStep | false)[] = [
    !facts.hasAccess && {
      ...build,
      step: 'prepare-access',
      key: 'prepare-access',
      label: 'Prepare certificates and access',
    },
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
    unbuilt && {
      ...build,
      step: 'template-permission',
      key: 'template-permission',
      label: 'Permission to use the template',
    },
    ...nodeSteps(places, isBuilt, build),
    { ...build, step: 'wait-nodes', key: 'wait-nodes', label: 'Wait until every node is Ready', timeoutSeconds: 3000 },
    { ...build, step: 'detach-iso', key: 'detach-iso', label: 'Take the binaries ISO out', failure: finish.failure },
    { ...finish, step: 'kubeconfig', key: 'kubeconfig', label: 'Administrator access' },
    { ...finish, step: 'mark-nodes', key: 'mark-nodes', label: 'Mark the nodes' },
    ...componentSteps(facts.components, finish),
  ];
  return steps.filter((step) => step !== false);
}

/** Etcd before control; the first control node alone, then its API; further ones one at a time; workers together. */
function nodeSteps(
  places: readonly NodePlace[],
  isBuilt: (place: NodePlace) => boolean,
  common: Common,
): PlannedStep[] {
  const etcd = places.filter((place) => place.role === 'etcd');
  const control = places.filter((place) => place.role === 'control');
  const workers = places.filter((place) => place.role === 'worker');
  const build = (place: NodePlace, group?: string): PlannedStep =>
    nodeStep('build-node', 'Build', place, common, group);
  const start = (place: NodePlace, group?: string): PlannedStep =>
    nodeStep('start-node', 'Start', place, common, group);
  const assign = (place: NodePlace): PlannedStep => nodeStep('assign-node', 'Send API traffic to', place, common);
  const waitApi: PlannedStep = {
    ...common,
    step: 'wait-api',
    key: 'wait-api',
    label: 'Wait for the Kubernetes API',
    timeoutSeconds: 1800,
  };
  const [first, ...furtherControl] = control;
  return [
    ...etcd.filter((place) => !isBuilt(place)).map((place) => build(place, 'build etcd')),
    ...etcd.map((place) => start(place, 'start etcd')),
    ...(first === undefined ? [] : [...(isBuilt(first) ? [] : [build(first)]), start(first), assign(first)]),
    ...furtherControl.filter(isBuilt).flatMap((place) => [start(place, 'start control'), assign(place)]),
    waitApi,
    ...furtherControl
      .filter((place) => !isBuilt(place))
      .flatMap((place) => [build(place), start(place), assign(place)]),
    ...workers.filter((place) => !isBuilt(place)).map((place) => build(place, 'build workers')),
    ...workers.map((place) => start(place, 'start workers')),
  ];
}

/** Workers that join a cluster which runs: built together, then started together. */
export function joinSteps(
  unbuilt: readonly NodePlace[],
  unready: readonly NodePlace[],
  common: Common,
): readonly PlannedStep[] {
  return [
    ...unbuilt.map((place) => nodeStep('build-node', 'Build', place, common, 'build workers')),
    ...unready.map((place) => nodeStep('start-node', 'Start', place, common, 'start workers')),
  ];
}

/** Components that are wanted and not installed, the dashboard first. */
export function componentSteps(components: readonly ComponentFact[], common: Common): PlannedStep[] {
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
      step: name === 'autoscaler' ? 'deploy-autoscaler' : 'install-component',
      component: name,
      key: `install-component ${name}`,
      label: labels[name],
    }));
}
