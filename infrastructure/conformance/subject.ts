/*
 * conformance/ — what every driver of the two contracts is held to. The cases know contracts only; a subject says which cloud
 * they run against and, where it can, makes that cloud fail.
 */
import type { CallContext, Cloud } from '@/infrastructure/cloud';
import type { ConnectKubernetes } from '@/infrastructure/kubernetes';

export interface ContractSubject {
  readonly cloud: Cloud;
  readonly connectKubernetes: ConnectKubernetes;
  readonly offered: Offered;
  /** Null where nobody can make the cloud fail; the cases that need it are skipped then. */
  readonly faults: ContractFaults | null;
  /** Between two looks while something gets ready. */
  readonly pollMs: number;
  /** How long a cluster may take to get ready. */
  readonly bootstrapMs: number;
  stop(): Promise<void>;
}

/** Things that the cloud has before the first case. */
export interface Offered {
  readonly zoneId: string;
  /** Isolated, egress denied unless opened. */
  readonly networkOfferingId: string;
  readonly offeringId: string;
  readonly largerOfferingId: string;
  readonly templateId: string;
  readonly isoId: string;
  /** Of the ISO. */
  readonly version: string;
  /** The next minor version, where the cloud has its ISO. */
  readonly next: { readonly isoId: string; readonly version: string } | null;
}

/** The methods whose request in the cloud can be made to fail. */
export type FaultyMethod = 'ensureNetwork' | 'ensureMachine' | 'startMachine' | 'listZones';

/** Each holds for the next matching request only. */
export interface ContractFaults {
  refuse(method: FaultyMethod, code: number): Promise<void>;
  /** In the job, after the request was accepted. */
  failJob(method: FaultyMethod, code: number): Promise<void>;
  /** The work is done, and nobody hears of it. */
  loseAnswer(method: FaultyMethod): Promise<void>;
  /** Accepted, never answered. */
  hang(method: FaultyMethod): Promise<void>;
  clear(): Promise<void>;
}

export type OpenSubject = () => Promise<ContractSubject>;

const never = new AbortController().signal;

export function call(changes: Partial<CallContext> = {}): CallContext {
  return { signal: never, operation: 'contract/1/case', authorize: async () => undefined, ...changes };
}

/** Looks until it sees something. Throws after the bound. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  wait: { pollMs: number; boundMs: number; what: string },
): Promise<T> {
  const endsAt = performance.now() + wait.boundMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > endsAt) throw new Error(`Not within ${wait.boundMs} ms: ${wait.what}.`);
    await new Promise((resolve) => setTimeout(resolve, wait.pollMs));
  }
}

/** Names of their own for each run, so that a run against a real cloud disturbs nobody. */
export function freshName(what: string): string {
  return `hfct-${what}-${crypto.randomUUID().slice(-8)}`;
}
