import type { CloudErrorKind } from '@/infrastructure/cloud';
import type { KubernetesErrorKind } from '@/infrastructure/kubernetes';

/** `hang`: until the caller aborts. `lose-answer`: the work is done, and the caller is told that the outcome is unknown. */
export type FaultAction =
  | { readonly refuse: CloudErrorKind | KubernetesErrorKind; readonly code?: number }
  | 'hang'
  | 'lose-answer';

export interface Match {
  /** A method of either contract, as in `ensureMachine`. */
  readonly method: string;
  /** Name or id of what it is about: a text that it contains. */
  readonly subject?: string;
  /** The last part of the operation. */
  readonly step?: string;
}

export interface Fault extends Match {
  readonly action: FaultAction;
  /** Which of the matching calls fails first, from 1. */
  readonly nth?: number;
  /** How many fail from there on; absent means one. */
  readonly times?: number;
}

export interface Occasion {
  readonly method: string;
  readonly subject: string;
  readonly operation: string;
}

export class Faults {
  private readonly open: { fault: Fault; seen: number }[] = [];

  /** Answers a function that takes the fault away again. */
  add(fault: Fault): () => void {
    const entry = { fault, seen: 0 };
    this.open.push(entry);
    return () => {
      const at = this.open.indexOf(entry);
      if (at !== -1) this.open.splice(at, 1);
    };
  }

  clear(): void {
    this.open.length = 0;
  }

  /** Counts the call for every fault that it matches; the first that is due is taken. */
  take(occasion: Occasion): Fault | undefined {
    let due: Fault | undefined;
    for (const entry of this.open) {
      if (!matches(entry.fault, occasion)) continue;
      entry.seen += 1;
      const first = entry.fault.nth ?? 1;
      const isDue = entry.seen >= first && entry.seen < first + (entry.fault.times ?? 1);
      if (isDue) due ??= entry.fault;
    }
    return due;
  }
}

export function matches(match: Match, { method, subject, operation }: Occasion): boolean {
  return (
    match.method === method &&
    (match.subject === undefined || subject.includes(match.subject)) &&
    (match.step === undefined || operation.endsWith(`/${match.step}`))
  );
}
