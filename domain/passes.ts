import type { Decision, DecisionCode } from './orphans';
import type { ClusterState } from './states';

export const passModes = ['preview', 'apply'] as const;
export type PassMode = (typeof passModes)[number];

export const passTriggers = ['cron', 'hand', 'test'] as const;
export type PassTrigger = (typeof passTriggers)[number];

/** What a pass decided about one cluster (or left-over machine), and what came of it. */
export interface PassDecision {
  readonly clusterId: string | null;
  readonly clusterName: string;
  /** The job that holds it, that lost it, or that the pass set going. */
  readonly jobId: string | null;
  readonly state: ClusterState | null;
  /** The token as read. A selection of a preview's rows is compared with it. */
  readonly seenSeq: number | null;
  /** `recover`: the pass acts. `leave`: it does not. `blocked`: it may act on nothing. */
  readonly decision: Decision;
  readonly code: DecisionCode;
  /** One sentence for people. */
  readonly reason: string;
  /** The state it gets; null where its state stays. */
  readonly becomes: ClusterState | null;
  /** Null in a preview. `missed`: it moved on first, and its new state was kept. */
  readonly result: 'done' | 'missed' | 'failed' | 'none' | null;
}

export interface PassCounts {
  /** Clusters decided on, both halves. */
  readonly lookedAt: number;
  /** Orphans freed. */
  readonly recovered: number;
  readonly left: number;
  readonly missed: number;
  readonly errors: number;
  /** Servers found departed. */
  readonly departed: number;
  /** Clusters that drift took to Alert. */
  readonly alerted: number;
  /** Recoveries, stops and deletes that the pass set going. */
  readonly jobsStarted: number;
  /** Left-over machines destroyed. */
  readonly swept: number;
}

export interface PassReport {
  readonly id: number;
  readonly mode: PassMode;
  /** Why no orphan could be recovered; null unless the legacy gate held (MIX-2). */
  readonly gate: string | null;
  /** `running`: it goes on after this answer. `skipped`: that of an earlier pass is still under way. */
  readonly cloud: 'running' | 'done' | 'skipped' | 'failed';
  readonly cloudNote: string | null;
  readonly counts: PassCounts;
  readonly decisions: readonly PassDecision[];
}

export type PassOutcome =
  | { readonly kind: 'done'; readonly report: PassReport }
  /** Another pass is under way; nothing was done by this one. */
  | { readonly kind: 'already-running'; readonly passId: number }
  /** This server may not run one: its lease is over, or it is stopping. Ask another. */
  | { readonly kind: 'unavailable'; readonly message: string };
