/** The memory cloud with one fault in one step, whatever the step calls: so cases can be made from plans, not from lists of methods. */
import { type CallContext, CloudError, type CloudErrorKind } from '@/infrastructure/cloud';
import {
  type ConnectKubernetes,
  type KubernetesApi,
  KubernetesError,
  type KubernetesErrorKind,
} from '@/infrastructure/kubernetes';
import type { MemoryCloud } from '@/infrastructure/memory/create-memory-cloud';

export interface StepCall {
  readonly step: string;
  readonly method: string;
  readonly side: 'cloud' | 'kubernetes';
  /** It changes something; the others only look. */
  readonly changes: boolean;
}

/**
 * `refuse`: this call and every later one of the step. `hang`: until the caller gives up. `lose-answer`: once, after the work is done.
 * `stand`: once, after the work is done, and for ever: its server is dead.
 */
export type FaultKind = 'refuse' | 'hang' | 'lose-answer' | 'stand';

export interface StepFault {
  readonly step: string;
  readonly kind: FaultKind;
  readonly error?: CloudErrorKind;
  /** Absent: any call of the step. */
  readonly method?: string;
  /** Each time it strikes, from 1. */
  readonly struck?: (times: number) => void;
}

export interface FaultyCloud {
  readonly memory: MemoryCloud;
  /** One at a time; undefined heals. */
  fault: StepFault | undefined;
  /** Every call that a step of a job made, in order. */
  readonly calls: StepCall[];
  /** Stops the next call of this method that a step makes, and that one only, until it is released. */
  hold(method: string, when: 'before' | 'after'): HeldCall;
}

export interface HeldCall {
  readonly reached: Promise<void>;
  release(): void;
}

const changing = /^(ensure|create|start|stop|destroy|delete|release|set|restore|change|annotate|evict|apply)/;

export function faultyCloud(inner: MemoryCloud): FaultyCloud {
  const calls: StepCall[] = [];
  const holds = new Map<string, (work: () => unknown) => Promise<unknown>>();
  const state = { fault: undefined as StepFault | undefined, struck: 0 };

  async function through(
    side: StepCall['side'],
    method: string,
    call: CallContext,
    work: () => unknown,
  ): Promise<unknown> {
    const step = call.operation.split('/').slice(2).join('/');
    if (call.operation.startsWith('-/')) return work();
    const changes = changing.test(method);
    calls.push({ step, method, side, changes });
    const held = holds.get(method);
    if (held !== undefined) {
      holds.delete(method);
      return held(work);
    }
    const { fault } = state;
    const hits = fault !== undefined && fault.step === step && (fault.method === undefined || fault.method === method);
    if (!hits) return work();
    if (fault.kind === 'refuse') {
      strike(fault);
      if (method === 'isReady') return false;
      throw refusal(side, method, fault.error ?? 'refused');
    }
    if (fault.kind === 'hang') {
      strike(fault);
      await aborted(call.signal);
      throw refusal(side, method, 'transient');
    }
    const before = inner.control.effects().length;
    const answer = await work();
    const did =
      !changes ||
      inner.control
        .effects()
        .slice(before)
        .some((effect) => effect.operation === call.operation);
    if ((!did && fault.kind === 'lose-answer') || state.struck > 0) return answer;
    strike(fault);
    if (fault.kind === 'stand') return new Promise(() => undefined);
    if (method === 'isReady') return false;
    throw refusal(side, method, 'unknown-outcome');
  }

  function strike(fault: StepFault): void {
    state.struck += 1;
    fault.struck?.(state.struck);
  }

  const cloud = watched(inner.cloud, (method, call, work) => through('cloud', method, call, work));
  const connectKubernetes: ConnectKubernetes = (access) => {
    const api = inner.connectKubernetes(access);
    const { close, ...rest } = watched<KubernetesApi>(api, (method, call, work) =>
      through('kubernetes', method, call, work),
    );
    return { ...rest, close: () => api.close() };
  };
  return {
    memory: { cloud, connectKubernetes, control: inner.control },
    calls,
    hold: (method, when) => {
      const reached = signal();
      const opened = signal();
      holds.set(method, async (work) => {
        const answer = when === 'after' ? await work() : undefined;
        reached.give();
        await opened.given;
        return when === 'after' ? answer : work();
      });
      return { reached: reached.given, release: opened.give };
    },
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
      state.struck = 0;
    },
  };
}

/** A moment that one side waits for and the other announces. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

type Watch = (method: string, call: CallContext, work: () => unknown) => Promise<unknown>;

/** Every method by way of `watch`. */
function watched<T extends object>(inner: T, watch: Watch): T {
  const wrapped = Object.entries(inner).map(([method, act]: [string, (...args: unknown[]) => unknown]) => [
    method,
    // The first argument of every method is its call; `close` has none and is put back by whoever wraps it.
    (...args: unknown[]) => watch(method, args[0] as CallContext, () => act(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}

const kubernetesKinds: Readonly<Record<CloudErrorKind, KubernetesErrorKind>> = {
  transient: 'not-ready',
  refused: 'refused',
  quota: 'conflict',
  capacity: 'blocked',
  denied: 'denied',
  'not-found': 'not-found',
  'unknown-outcome': 'unreachable',
};

function refusal(side: StepCall['side'], method: string, kind: CloudErrorKind): Error {
  const words = `no (${kind})`;
  return side === 'cloud'
    ? new CloudError(kind, words, { command: method })
    : new KubernetesError(kubernetesKinds[kind], words);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
