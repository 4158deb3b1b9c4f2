/** What a browser gets to know of a cluster. Types only, so that client files may import them. */
import type { Attention, HealthCheck } from '@/domain/attention';
import type { ComponentName } from '@/domain/components';
import type { EventResult, EventType } from '@/domain/events';
import type { JobReason, JobStatus, TransitionCause } from '@/domain/jobs';
import type { NodeRole, NodeStage } from '@/domain/nodes';
import type { OperationKind } from '@/domain/operations';
import type { PolicyReason } from '@/domain/policy';
import type { Holder } from '@/domain/refusals';
import type { ClusterEvent, ClusterState } from '@/domain/states';
import type { ServerHealth } from './reader';

/** One operation of the menu, as the policy sees it now for this actor. */
export interface OperationChoice {
  readonly kind: OperationKind;
  /** What asking would do; null when it is refused. */
  readonly verdict: 'enter' | 'go-ahead' | 'settings' | 'wait' | null;
  /** The state it would take the cluster to. */
  readonly to: ClusterState | null;
  readonly reason: PolicyReason | null;
  /** Why not, in the words of the server action and the API. */
  readonly text: string | null;
  readonly also: readonly string[];
}

export interface HolderView extends Holder {
  readonly serverId: string | null;
  readonly serverHealth: ServerHealth | null;
  readonly lastBeatAt: string | null;
  readonly leaseUntil: string | null;
  readonly deadlineAt: string | null;
  readonly note: string | null;
}

export interface RoleCount {
  readonly ready: number;
  readonly total: number;
}

export interface ClusterRow {
  readonly id: string;
  readonly name: string;
  readonly state: ClusterState;
  readonly stateSince: string;
  readonly operationSeq: number;
  readonly version: string;
  /** Versions that its nodes run; more than one means mixed. */
  readonly nodeVersions: readonly string[];
  readonly isUpgradeOffered: boolean;
  readonly nodes: Readonly<Record<NodeRole, RoleCount>>;
  readonly autoscale: { readonly min: number; readonly max: number } | null;
  readonly zoneName: string;
  readonly protected: boolean;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly holder: HolderView | null;
  /** In an operation, or owned, and nobody alive works on it. */
  readonly isOrphaned: boolean;
  readonly waitingStopId: string | null;
  readonly attention: Attention | null;
  readonly nextCheckAt: string | null;
  readonly lastEvent: { readonly at: string; readonly summary: string } | null;
  readonly operations: readonly OperationChoice[];
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

export const clusterPresets = ['all', 'attention', 'operating', 'orphaned', 'stopped', 'mine'] as const;
export type ClusterPreset = (typeof clusterPresets)[number];

export interface ClusterList {
  readonly rows: readonly ClusterRow[];
  readonly nextCursor: string | null;
  /** All that match, on every page. */
  readonly total: number;
  readonly presets: Readonly<Record<ClusterPreset, number>>;
  /** Each counted with the other filters applied. */
  readonly states: readonly Facet[];
  readonly versions: readonly Facet[];
  readonly zones: readonly Facet[];
}

export interface NodeView {
  readonly id: string;
  readonly role: NodeRole;
  readonly ordinal: number;
  readonly name: string;
  readonly stage: NodeStage;
  readonly version: string | null;
  readonly ip: string | null;
  readonly offeringId: string;
  readonly external: boolean;
  readonly manualUpgrade: boolean;
  readonly machineId: string | null;
  readonly createdAt: string;
  readonly readyAt: string | null;
}

export interface ComponentView {
  readonly component: ComponentName;
  readonly wanted: boolean;
  readonly installedAt: string | null;
}

export interface JobLine {
  readonly id: string;
  /** A kind of ours, or one of another server's. */
  readonly kind: string;
  readonly status: JobStatus;
  readonly actorName: string;
  readonly serverId: string | null;
  readonly serverName: string | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly currentStep: string | null;
  readonly acceptedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly reason: JobReason | null;
  readonly message: string | null;
  readonly lateResultAt: string | null;
}

export interface EventLine {
  readonly id: number;
  readonly at: string;
  readonly type: EventType;
  readonly result: EventResult;
  readonly actorName: string;
  readonly actorKind: string;
  readonly summary: string;
  readonly jobId: string | null;
}

export interface TransitionLine {
  readonly seq: number;
  readonly at: string;
  readonly from: ClusterState;
  readonly to: ClusterState;
  readonly event: ClusterEvent | null;
  readonly cause: TransitionCause;
  readonly reason: string | null;
  readonly jobId: string | null;
  readonly jobKind: string | null;
  readonly actorName: string | null;
}

export interface ClusterDetail extends ClusterRow {
  readonly description: string;
  readonly removedAt: string | null;
  readonly editVersion: number;
  readonly endpoint: string | null;
  readonly publicIp: string | null;
  readonly networkId: string | null;
  readonly zoneId: string;
  readonly controlOfferingId: string;
  readonly workerOfferingId: string;
  readonly etcdOfferingId: string | null;
  readonly templateId: string;
  readonly rootDiskGb: number;
  readonly sshKeyPair: string | null;
  readonly csiEnabled: boolean;
  readonly kubernetesVersionId: string;
  readonly healthCheck: HealthCheck | null;
  readonly checkFailures: number;
  readonly hasKubeconfig: boolean;
  readonly nodeList: readonly NodeView[];
  readonly components: readonly ComponentView[];
  readonly jobs: readonly JobLine[];
  readonly events: readonly EventLine[];
  readonly transitions: readonly TransitionLine[];
  /** Names of offerings by id, as far as the catalogue knows them. */
  readonly offeringNames: Readonly<Record<string, string>>;
  /** How long a successful operation of the holder's kind takes: half of them at most this. Null: too few yet. */
  readonly usualMs: number | null;
  /** What a recovery pass would make of it, were its server lost now. */
  readonly recoveredTo: ClusterState | null;
  /** A server counts as gone this long after its last beat; a recovery pass is asked for this often. */
  readonly timing: { readonly leaseMs: number; readonly cronPeriodMs: number };
  readonly mayDownload: boolean;
  readonly mayProtect: boolean;
}
