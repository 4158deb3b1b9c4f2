/** Faults and gates: what a test asks to go wrong, and where it asks the cloud to stand still. */
import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';
import type { FaultAction, FaultRecord, Match } from './fault-model';
import type { Records } from './records';

/** One thing that happens, as faults and gates see it. */
export interface Happening {
  command?: string;
  vm?: string | undefined;
  step?: string | undefined;
  cluster?: string | undefined;
  verb?: string;
  path?: string;
  event?: string;
}

export type GatePoint = 'before' | 'after' | 'job-before' | 'job-after';

export interface Gate {
  id: string;
  match: Match;
  when: GatePoint;
  waiting: number;
  passed: number;
  released: boolean;
}

const compared = ['command', 'vm', 'step', 'cluster', 'verb', 'path', 'event'] as const;

function fitsText(pattern: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (!pattern.includes('*')) return pattern.toLowerCase() === value.toLowerCase();
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 'i').test(value);
}

/** True when every field that the match names fits. A match for an inside event fits no call, and the other way round. */
export function fits(match: Match, happening: Happening): boolean {
  if ((match.event !== undefined) !== (happening.event !== undefined)) return false;
  return compared.every((field) => {
    const pattern = match[field];
    return pattern === undefined || fitsText(pattern, happening[field]);
  });
}

export class Faults {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  add(fault: { match: Match; action: FaultAction; times?: number | null; until?: number | null }): FaultRecord {
    const times = fault.times === undefined ? 1 : fault.times;
    const record: FaultRecord = {
      id: randomUUID(),
      match: fault.match,
      action: fault.action,
      times,
      until: fault.until ?? null,
      seen: 0,
      fired: 0,
    };
    this.#records.save('fault', record);
    return record;
  }

  /** The action to apply now, if a fault fits; counts it. `kinds` limits which actions make sense at this point. */
  take(happening: Happening, kinds: readonly FaultAction['kind'][]): FaultAction | undefined {
    for (const fault of this.#records.all('fault')) {
      if (!kinds.includes(fault.action.kind)) continue;
      if (fault.times !== null && fault.fired >= fault.times) continue;
      if (fault.until !== null && this.#clock.now() > fault.until) continue;
      if (!fits(fault.match, happening)) continue;
      fault.seen += 1;
      const due = fault.match.nth === undefined || fault.seen >= fault.match.nth;
      if (due) fault.fired += 1;
      this.#records.save('fault', fault);
      if (due) return fault.action;
    }
    return undefined;
  }
}

export class Gates {
  readonly #gates = new Map<string, { gate: Gate; opened: Set<() => void>; watchers: Set<() => void> }>();

  add(match: Match, when: GatePoint): Gate {
    const gate: Gate = { id: randomUUID(), match, when, waiting: 0, passed: 0, released: false };
    this.#gates.set(gate.id, { gate, opened: new Set(), watchers: new Set() });
    return gate;
  }

  list(): Gate[] {
    return [...this.#gates.values()].map((entry) => ({ ...entry.gate }));
  }

  /** Returns at once when no gate fits, otherwise when the gate is released or removed. */
  async pass(when: GatePoint, happening: Happening): Promise<void> {
    for (const entry of [...this.#gates.values()]) {
      if (entry.gate.released || entry.gate.when !== when || !fits(entry.gate.match, happening)) continue;
      entry.gate.waiting += 1;
      for (const watcher of entry.watchers) watcher();
      await new Promise<void>((resolve) => entry.opened.add(resolve));
      entry.gate.waiting -= 1;
      entry.gate.passed += 1;
    }
  }

  /** Resolves true once something stands at the gate, false after `ms` of wall clock (the caller's own patience). */
  waitFor(id: string, ms: number): Promise<boolean> {
    const entry = this.#gates.get(id);
    if (entry === undefined) return Promise.resolve(false);
    if (entry.gate.waiting > 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (stands: boolean) => {
        clearTimeout(timer);
        entry.watchers.delete(watcher);
        resolve(stands);
      };
      const watcher = () => finish(true);
      const timer = setTimeout(() => finish(false), ms);
      entry.watchers.add(watcher);
    });
  }

  /** Lets everything that waits go on. `once` keeps the gate shut for what comes later. */
  release(id: string, once: boolean): boolean {
    const entry = this.#gates.get(id);
    if (entry === undefined) return false;
    if (!once) entry.gate.released = true;
    for (const open of [...entry.opened]) open();
    entry.opened.clear();
    return true;
  }

  remove(id: string): boolean {
    const known = this.release(id, false);
    this.#gates.delete(id);
    return known;
  }

  clear(): void {
    for (const id of [...this.#gates.keys()]) this.remove(id);
  }
}
