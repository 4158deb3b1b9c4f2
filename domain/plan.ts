import type { OperationKind } from './operations';
import { componentSteps, planStart } from './plan-build';
import { planAddNodes, planAutoscale, planRemoveNodes, planScale, planUpgrade } from './plan-change';
import { type Common, isJoining, nodeStep, type PlanFacts, type PlannedStep } from './plan-steps';

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
      return planScale(facts);
    case 'autoscale':
      return planAutoscale(facts);
    case 'upgrade':
      return planUpgrade(facts);
    case 'add-nodes':
      return planAddNodes(facts);
    case 'remove-nodes':
      return planRemoveNodes(facts);
  }
}

/** Workers, then control nodes, then etcd, so that the API outlives what depends on it. */
function planStop(facts: PlanFacts): readonly PlannedStep[] {
  const common: Common = { failure: isAhead(facts) ? null : 'OperationFailed', timeoutSeconds: 600 };
  const withMachine = facts.nodes.filter(
    (node) => (node.machineId !== null || node.stage !== 'planned') && !isJoining(node),
  );
  const stops = (['worker', 'control', 'etcd'] as const).flatMap((role) =>
    withMachine
      .filter((node) => node.role === role)
      .map((node) => nodeStep('stop-node', 'Stop', node, common, `stop ${role}`)),
  );
  if (stops.length === 0) return [];
  return [
    ...stops,
    { ...common, step: 'verify-stopped', key: 'verify-stopped', label: 'See that every machine is stopped' },
  ];
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
      facts.nodes
        .filter((node) => node.role === role)
        .map((node) => nodeStep('destroy-node', 'Destroy', node, common, `destroy ${role}`)),
    ),
    { ...common, step: 'sweep-machines', key: 'sweep-machines', label: 'Look for machines left over' },
    { ...common, step: 'release-network', key: 'release-network', label: 'Release network, address and rules' },
    { ...common, step: 'forget-secrets', key: 'forget-secrets', label: 'Forget certificates and keys' },
  ];
  return steps.filter((step) => step !== false);
}

/** A recovery changes no machine: it looks again, installs what is missing and completes (design 7.7). */
function planRecovery(facts: PlanFacts): readonly PlannedStep[] {
  const common: Common = {
    failure: facts.fromState === 'Error' ? 'CreateFailed' : 'OperationFailed',
    timeoutSeconds: 300,
  };
  return [
    { ...common, step: 'wait-api', key: 'wait-api', label: 'See that the Kubernetes API answers' },
    { ...common, step: 'wait-nodes', key: 'wait-nodes', label: 'See that every node is Ready' },
    { ...common, step: 'detach-iso', key: 'detach-iso', label: 'Take the binaries ISO out' },
    { ...common, step: 'kubeconfig', key: 'kubeconfig', label: 'Administrator access' },
    { ...common, step: 'mark-nodes', key: 'mark-nodes', label: 'Mark the nodes' },
    ...componentSteps(facts.components, common),
  ];
}
