/** What was asked of the cloud and what came of it, in order. Append-only; secrets are hashed before they get here. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { JsonObject } from './json';

export interface LedgerEntry {
  sequence: number;
  time: string;
  kind: 'call' | 'effect' | 'control';
  /** CloudStack command, `<verb> <path>` of the Kubernetes API, or the name of an effect. */
  what: string;
  /** `<job id>/<token>/<step>` as the caller sent it. */
  operation: string | null;
  account: string | null;
  jobId: string | null;
  details: JsonObject;
  outcome: string | null;
  answerLost: boolean;
}

/** Who caused something: carried from the request to its effects, also into jobs. */
export interface Origin {
  operation: string | null;
  account: string | null;
  jobId: string | null;
}

export const noOrigin: Origin = { operation: null, account: null, jobId: null };

const keptEntries = 200_000;
const secretNames = /^(userdata|signature|apikey|password|secretkey|privatekey|sessionkey|token)$/i;

/** Parameters as they may be written down: secret ones as a hash, so that equal values can still be told. */
export function withoutSecrets(parameters: Readonly<Record<string, string>>): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (name.toLowerCase() === 'signature') continue;
    shown[name] = secretNames.test(name)
      ? `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`
      : value;
  }
  return shown;
}

export class Ledger {
  readonly #entries: LedgerEntry[] = [];
  readonly #path: string | null;
  readonly #now: () => number;
  #sequence = 0;
  #unwritten: string[] = [];
  /** Calls that have a number and no outcome yet. */
  readonly #open = new Set<number>();

  constructor(path: string | null, now: () => number) {
    this.#path = path;
    this.#now = now;
    if (path !== null && existsSync(path)) this.#load(path);
  }

  /** Takes the number of a call at its arrival; the call itself is recorded when its outcome is known. */
  open(): number {
    const sequence = this.#next();
    this.#open.add(sequence);
    return sequence;
  }

  /** Ends a call whose outcome nobody recorded. */
  close(sequence: number): void {
    this.#open.delete(sequence);
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  call(
    sequence: number,
    what: string,
    origin: Origin,
    more: { details: JsonObject; outcome: string; answerLost?: boolean },
  ): void {
    this.#open.delete(sequence);
    this.#add({ sequence, kind: 'call', what, ...origin, ...more, answerLost: more.answerLost ?? false });
  }

  effect(what: string, origin: Origin, details: JsonObject): void {
    this.#add({ sequence: this.#next(), kind: 'effect', what, ...origin, details, outcome: null, answerLost: false });
  }

  control(what: string, details: JsonObject): void {
    this.#add({
      sequence: this.#next(),
      kind: 'control',
      what,
      ...noOrigin,
      details,
      outcome: null,
      answerLost: false,
    });
  }

  since(sequence: number): LedgerEntry[] {
    return this.#entries.filter((entry) => entry.sequence > sequence).sort((a, b) => a.sequence - b.sequence);
  }

  /** Up to here nothing can be added any more: a call under way will still be recorded, under its own number. */
  get lastSequence(): number {
    return Math.min(this.#sequence, ...[...this.#open].map((sequence) => sequence - 1));
  }

  flush(): void {
    if (this.#path === null || this.#unwritten.length === 0) return;
    appendFileSync(this.#path, `${this.#unwritten.join('\n')}\n`);
    this.#unwritten = [];
  }

  #add(entry: Omit<LedgerEntry, 'time'>): void {
    const timed: LedgerEntry = { time: new Date(this.#now()).toISOString(), ...entry };
    this.#entries.push(timed);
    if (this.#entries.length > keptEntries) this.#entries.splice(0, keptEntries / 10);
    if (this.#path !== null) this.#unwritten.push(JSON.stringify(timed));
  }

  #load(path: string): void {
    for (const line of readFileSync(path, 'utf8').split('\n').slice(-keptEntries)) {
      if (line === '') continue;
      try {
        const entry = JSON.parse(line) as LedgerEntry;
        this.#entries.push(entry);
        this.#sequence = Math.max(this.#sequence, entry.sequence);
      } catch {
        // Cut short by a crash.
      }
    }
  }
}
