/*
 * memory/ — both contracts without a network, for tests of races and faults. It keeps the promises of the contract and refuses
 * what CloudStack refuses, where the contract speaks of it. Nothing runs by itself: every call first lets happen what is due.
 */
import type { CallContext } from '@/infrastructure/cloud';
import type { Clock } from './clock';
import { type Fault, Faults } from './faults';
import { Gates } from './gates';

/** One change in the cloud or in a cluster, in the order in which they took effect. */
export interface Effect {
  readonly sequence: number;
  /** As in `startMachine`. */
  readonly method: string;
  /** The name of the machine, network, node or object. */
  readonly subject: string;
  /** What the caller sent: `<job id>/<token>/<step>`; `outside` for acts behind Holdfast's back. */
  readonly operation: string;
}

export interface Call {
  readonly sequence: number;
  readonly method: string;
  readonly subject: string;
  readonly operation: string;
}

/** How a failure looks on the side that the method belongs to. */
export interface FailureWords {
  refused(fault: Fault, method: string): Error;
  lost(method: string): Error;
  ended(method: string, signal: AbortSignal, sentChange: boolean): Error;
}

export interface Act<T> {
  readonly method: string;
  readonly subject: string;
  /** What an earlier attempt made: then nothing is asked and nothing is sent. Throws what the cloud would refuse a look with. */
  readonly look: () => T | undefined;
  readonly change: () => T | Promise<T>;
}

/** The stages of every call: faults, look, authority, gates, effect, answer. */
export class Acts {
  readonly faults = new Faults();
  readonly gates = new Gates();
  readonly effects: Effect[] = [];
  readonly calls: Call[] = [];
  private sequence = 0;
  private readonly clock: Clock;
  private readonly latencyMs: number;
  private readonly settle: () => void;

  constructor(options: { clock: Clock; latencyMs: number; settle: () => void }) {
    this.clock = options.clock;
    this.latencyMs = options.latencyMs;
    this.settle = options.settle;
  }

  async read<T>(
    call: CallContext,
    words: FailureWords,
    act: { method: string; subject: string; look: () => T },
  ): Promise<T> {
    const fault = await this.arrive(call, words, act);
    this.settle();
    const answer = act.look();
    await this.pass(call, words, act, 'answer', false);
    if (fault?.action === 'lose-answer') throw words.lost(act.method);
    return answer;
  }

  async change<T>(call: CallContext, words: FailureWords, act: Act<T>): Promise<T> {
    const fault = await this.arrive(call, words, act);
    this.settle();
    const found = act.look();
    if (found !== undefined) return found;
    await call.authorize();
    await this.pass(call, words, act, 'work', false);
    this.settle();
    const answer = await act.change();
    this.record(act.method, act.subject, call.operation);
    this.settle();
    await this.pass(call, words, act, 'answer', true);
    if (fault?.action === 'lose-answer') throw words.lost(act.method);
    return answer;
  }

  record(method: string, subject: string, operation: string): void {
    this.sequence += 1;
    this.effects.push({ sequence: this.sequence, method, subject, operation });
  }

  private async arrive(
    call: CallContext,
    words: FailureWords,
    act: { method: string; subject: string },
  ): Promise<Fault | undefined> {
    const { method, subject } = act;
    if (call.signal.aborted) throw words.ended(method, call.signal, false);
    this.sequence += 1;
    this.calls.push({ sequence: this.sequence, method, subject, operation: call.operation });
    await this.pass(call, words, act, 'arrival', false);
    await this.clock.sleep(this.latencyMs, call.signal).catch(() => undefined);
    if (call.signal.aborted) throw words.ended(method, call.signal, false);
    const fault = this.faults.take({ method, subject, operation: call.operation });
    if (fault === undefined || fault.action === 'lose-answer') return fault;
    if (fault.action !== 'hang') throw words.refused(fault, method);
    await aborted(call.signal);
    throw words.ended(method, call.signal, true);
  }

  private async pass(
    call: CallContext,
    words: FailureWords,
    act: { method: string; subject: string },
    place: 'arrival' | 'work' | 'answer',
    sentChange: boolean,
  ): Promise<void> {
    const gate = this.gates.at({ ...act, operation: call.operation, place });
    if (gate !== undefined) await Promise.race([gate.enter(), aborted(call.signal)]);
    if (call.signal.aborted) throw words.ended(act.method, call.signal, sentChange);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
