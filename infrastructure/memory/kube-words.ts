import { KubernetesError, type KubernetesErrorKind } from '@/infrastructure/kubernetes';
import type { FailureWords } from './acts';

const kinds: readonly string[] = ['unreachable', 'not-ready', 'denied', 'conflict', 'not-found', 'blocked', 'refused'];

function isKubernetesKind(kind: string): kind is KubernetesErrorKind {
  return kinds.includes(kind);
}

/** Failures of a cluster's side. */
export const kubeWords: FailureWords = {
  refused: (fault) => {
    const asked = typeof fault.action === 'object' ? fault.action : { refuse: 'unreachable' };
    const kind = isKubernetesKind(asked.refuse) ? asked.refuse : 'unreachable';
    return new KubernetesError(kind, `refused by a fault (${kind})`, {
      code: 'code' in asked ? (asked.code ?? null) : null,
    });
  },
  lost: () => new KubernetesError('unreachable', 'the answer was lost'),
  ended: (_method, signal) => new KubernetesError('unreachable', 'the caller ended the wait', { cause: signal.reason }),
};
