import { Agent } from 'node:https';
import {
  type Configuration,
  createConfiguration,
  Observable,
  type RequestContext,
  ServerConfiguration,
} from '@kubernetes/client-node';
import type { CallContext } from '@/infrastructure/cloud';
import type { ClusterAccess } from '@/infrastructure/kubernetes';
import { asKubernetesError } from './errors';

export const readTimeoutMs = 10_000;
export const changeTimeoutMs = 30_000;

/** One cluster's connections, kept open between calls. */
export interface Connection {
  /**
   * Runs one call with a time-out of its own, after `call.authorize()`, whose refusal comes out as it is. Every other failure comes
   * out as a `KubernetesError`.
   */
  read<T>(call: CallContext, work: (configuration: Configuration) => Promise<T>): Promise<T>;
  /** As `read`, with the longer time-out of a change. */
  change<T>(call: CallContext, work: (configuration: Configuration) => Promise<T>): Promise<T>;
  close(): void;
}

export function openConnection(access: ClusterAccess): Connection {
  const { caPem, certificatePem, keyPem } = access;
  const agent = new Agent({ ca: caPem, cert: certificatePem, key: keyPem, keepAlive: true });
  const baseServer = new ServerConfiguration(access.endpoint.replace(/\/$/, ''), {});

  async function run<T>(
    call: CallContext,
    timeoutMs: number,
    work: (configuration: Configuration) => Promise<T>,
  ): Promise<T> {
    const timeUp = AbortSignal.timeout(timeoutMs);
    const configuration = createConfiguration({
      baseServer,
      middleware: [withConnection(agent, AbortSignal.any([call.signal, timeUp]))],
    });
    try {
      if (call.signal.aborted) throw call.signal.reason;
      return await work(configuration);
    } catch (error) {
      throw asKubernetesError(error, { signal: call.signal, timedOut: timeUp.aborted ? timeoutMs : null });
    }
  }

  return {
    read: async (call, work) => {
      await call.authorize();
      return run(call, readTimeoutMs, work);
    },
    change: async (call, work) => {
      await call.authorize();
      return run(call, changeTimeoutMs, work);
    },
    close: () => agent.destroy(),
  };
}

/** The client has no time-out and takes a signal only this way; what `pre` answers must be an Observable (D.1). */
function withConnection(agent: Agent, signal: AbortSignal) {
  return {
    pre: (context: RequestContext) => {
      context.setAgent(agent);
      context.setSignal(signal);
      return new Observable(Promise.resolve(context));
    },
    post: <T>(response: T) => new Observable(Promise.resolve(response)),
  };
}
