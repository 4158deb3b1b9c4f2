/*
 * Plans come from recorded facts, not from the kind of operation alone: a start includes every create step that is not done, a
 * resume is a new plan over the same facts.
 */
import type { ComponentFact, ComponentName } from './components';
import type { NodeFact, NodeRole } from './nodes';
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
  'stop-node',
  'verify-stopped',
  'delete-volumes',
  'destroy-node',
  'sweep-machines',
  'release-network',
  'forget-secrets',
  'record-size',
  'record-offering',
  'resize-node',
  'drain-node',
  'remove-node',
  'attach-iso',
  'upgrade-node',
  'uncordon-node',
  'record-version',
  'deploy-autoscaler',
  'record-autoscale',
  'import-node',
  'release-node',
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
  /** The machine that is to become the node, where a request named it. */
  readonly machineId?: string;
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
  /** What a change asks for; empty for operations that only restore what is recorded. */
  readonly wanted: WantedChange;
}

/** The part of a request that decides the plan, with ids resolved. */
export interface WantedChange {
  readonly workerCount?: number;
  /** Nodes to take away, by node id. */
  readonly nodeIds?: readonly string[];
  readonly offerings?: Partial<Readonly<Record<NodeRole, string>>>;
  /** Target version of an upgrade, without `v`. */
  readonly version?: string;
  readonly autoscale?: boolean;
  /** Machines to add, in the order of the ordinals they get. */
  readonly machineIds?: readonly string[];
}

export type Common = Pick<PlannedStep, 'failure' | 'timeoutSeconds'>;

export function nodeStep(step: StepName, verb: string, place: NodePlace, common: Common, group?: string): PlannedStep {
  const name = placeName(place);
  return {
    ...common,
    step,
    node: { role: place.role, ordinal: place.ordinal },
    key: `${step} ${name}`,
    label: `${verb} ${name}`,
    ...(group === undefined ? {} : { group }),
  };
}

export const placeName = (place: NodePlace): string => `${place.role}-${place.ordinal}`;

/** An added machine that has not become Ready: it does not count toward the size, and only adding or removing deals with it. */
export function isJoining(node: Pick<NodeFact, 'external' | 'stage'>): boolean {
  return node.external && node.stage !== 'ready';
}

/** Every node the cluster is to have: those recorded and those still missing, control first, etcd before it. */
export function wantedPlaces(facts: Pick<PlanFacts, 'counts' | 'nodes'>): readonly NodePlace[] {
  return (['etcd', 'control', 'worker'] as const).flatMap((role) => {
    const recorded = facts.nodes.filter((node) => node.role === role && !isJoining(node)).map((node) => node.ordinal);
    const taken = facts.nodes.filter((node) => node.role === role).map((node) => node.ordinal);
    const missing = Math.max(0, facts.counts[role] - recorded.length);
    const ordinals = [...recorded];
    for (let next = 1; ordinals.length < recorded.length + missing; next += 1) {
      if (!taken.includes(next)) ordinals.push(next);
    }
    return ordinals.sort((a, b) => a - b).map((ordinal) => ({ role, ordinal }));
  });
}
