/** What a test asks to go wrong. */

export interface FaultRecord {
  id: string;
  match: Match;
  action: FaultAction;
  /** How often it still fires; null is for ever. */
  times: number | null;
  /** Simulated time at which it ends, in ms since 1970; null is never. */
  until: number | null;
  seen: number;
  fired: number;
}

/** All given fields must fit. Texts are exact; `*` stands for any run of characters. */
export interface Match {
  command?: string;
  vm?: string;
  step?: string;
  cluster?: string;
  verb?: string;
  path?: string;
  /** A point inside: `join`, `ready`, `component`, `volume`, `upgrade`. */
  event?: string;
  /** Fires from the nth call that fits the rest. */
  nth?: number;
}

export type FaultAction =
  | { kind: 'refuse'; code: number; text?: string }
  | { kind: 'fail-job'; code: number; text?: string }
  | { kind: 'hang' }
  | { kind: 'close' }
  | { kind: 'slow'; ms: number }
  | { kind: 'lose-answer'; code?: number }
  | { kind: 'finish-as'; code: number; text?: string }
  | { kind: 'job-hangs' }
  | { kind: 'job-vanishes' }
  | { kind: 'never' }
  | { kind: 'not-ready' }
  | { kind: 'late'; ms: number }
  | { kind: 'lose-pod' };
