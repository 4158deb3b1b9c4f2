/*
 * worker/ — what is done: accept an operation, run it step by step, hand over, finish. One small file a step.
 * It knows the contracts of cloud and Kubernetes, never a driver.
 */
import type { Database } from '@/db/client';
import type { Hold } from '@/db/holds';
import type { Cloud } from '@/infrastructure/cloud';
import type { ConnectKubernetes } from '@/infrastructure/kubernetes';
import type { RunningJobs } from './running-jobs';

/** Time as workers see it; tests bring one that does not wait. Never compared with another process's time. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Encrypts and decrypts what `cluster_secrets` keeps. */
export interface Sealer {
  seal(plain: string): Buffer;
  open(sealed: Buffer): string;
}

/** This boot's lease, by its own monotonic clock: it may only make the boot stop earlier than the database would. */
export interface Lease {
  readonly serverId: string;
  readonly serverName: string;
  /** Resolves at once while trusted; otherwise waits for the next good beat. Rejects when the signal aborts. */
  whenTrusted(signal: AbortSignal): Promise<void>;
}

export interface WorkerContext {
  readonly db: Database;
  readonly cloud: Cloud;
  readonly connectKubernetes: ConnectKubernetes;
  readonly lease: Lease;
  readonly running: RunningJobs;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly holdCheck: (hold: Hold) => Promise<{ held: boolean; stopWaits: boolean }>;
  readonly settings: WorkerSettings;
  /**
   * Named moments of a worker's loop, for tests that must stop a worker exactly there: `begin <step>`, `end <step>`, `finish`. Awaited;
   * absent in production.
   */
  readonly atMoment?: (moment: string, jobId: string) => Promise<void>;
  readonly log: (level: 'info' | 'warning' | 'error', text: string, detail?: Record<string, unknown>) => void;
}

export interface WorkerSettings {
  readonly installationId: string;
  /** How often a step looks again while it waits. */
  readonly pollMs: number;
  /** Attempts of one step on transient errors, the first included. */
  readonly stepAttempts: number;
  /** Wait before the second attempt; doubles, up to thirty times itself. */
  readonly retryMs: number;
  /** Where autoscalers call back: Holdfast's own CloudStack-shaped facade. */
  readonly autoscalerApiUrl: string;
  /** What clusters are told to call the cloud with (cloud provider, CSI driver). */
  readonly cloudAccess: { readonly apiUrl: string; readonly apiKey: string; readonly secretKey: string };
}
