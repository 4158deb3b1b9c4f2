import { ApiException, CoreV1Api } from '@kubernetes/client-node';
import { type EvictionAnswer, type KubernetesApi, KubernetesError } from '@/infrastructure/kubernetes';
import type { Connection } from './connection';
import { readStatus } from './errors';

export function evictionMethod(connection: Connection): Pick<KubernetesApi, 'evictPod'> {
  return {
    evictPod: (call, pod) =>
      connection.change<EvictionAnswer>(call, async (configuration) => {
        const { name, namespace, uid } = pod;
        const body = {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name, namespace },
          // Only this very pod: another one of its name may have come since it was listed.
          deleteOptions: { preconditions: { uid } },
        };
        try {
          await new CoreV1Api(configuration).createNamespacedPodEviction({ name, namespace, body });
          return { kind: 'evicted' };
        } catch (error) {
          return readRefusal(error, pod);
        }
      }),
  };
}

/** The answers of D.3. What is none of them is thrown on. */
function readRefusal(error: unknown, pod: { namespace: string; name: string }): EvictionAnswer {
  if (!(error instanceof ApiException)) throw error;
  const { message, details } = readStatus(error.body);
  if (error.code === 404 || error.code === 409) return { kind: 'gone' };
  if (error.code === 429)
    return { kind: 'blocked', message: message === '' ? 'a disruption budget allows no eviction now' : message };
  // Its namespace is being deleted, and the pod goes with it.
  const leaving = details.causes.some((cause) => cause.reason === 'NamespaceTerminating');
  if (error.code === 403 && leaving) return { kind: 'blocked', message: 'its namespace is being deleted' };
  // Two budgets for one pod: waiting cannot help. The only 500 that is told by its words, for there is no code.
  if (error.code === 500 && message.includes('PodDisruptionBudget')) {
    throw new KubernetesError('refused', `${pod.namespace}/${pod.name} cannot be evicted: ${message}`, {
      code: 500,
      cause: error,
    });
  }
  throw error;
}

export function isCode(error: unknown, code: number): boolean {
  return error instanceof ApiException && error.code === code;
}
