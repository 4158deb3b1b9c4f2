/** Why a cluster needs attention: written with the transition that took it to Alert or Error (interface B16). */
export const attentionCodes = [
  'operation-failed',
  'create-failed',
  'orphan-recovered',
  'ended-by-admin',
  'drift-machines',
  'drift-components',
  'drift-versions',
  'drift-nodes',
  'foreign-write',
  'delete-failed',
] as const;
export type AttentionCode = (typeof attentionCodes)[number];

export interface Attention {
  readonly code: AttentionCode;
  /** One sentence: what happened. */
  readonly text: string;
  readonly jobId: string | null;
  /** ISO time. */
  readonly at: string;
}

/** What the last health check of an unowned Alert, Error or Destroying cluster found. */
export interface HealthCheck {
  readonly at: string;
  readonly verdict: 'healthy' | 'all-stopped' | 'not-yet' | 'unreachable';
  /** What is missing, a line each: "worker-2: machine stopped". Empty when nothing is. */
  readonly missing: readonly string[];
  /** What an admin can do about it. */
  readonly advice: string;
}
