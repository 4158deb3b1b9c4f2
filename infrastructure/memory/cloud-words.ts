import { CloudError, type CloudErrorKind } from '@/infrastructure/cloud';
import type { FailureWords } from './acts';

/** Failures of the cloud's side. */
export const cloudWords: FailureWords = {
  refused: (fault, method) => {
    const asked = typeof fault.action === 'object' ? fault.action : { refuse: 'transient' };
    const kind = isCloudKind(asked.refuse) ? asked.refuse : 'transient';
    return new CloudError(kind, `refused by a fault (${kind})`, {
      command: method,
      code: 'code' in asked ? (asked.code ?? null) : null,
    });
  },
  lost: (method) => new CloudError('unknown-outcome', 'the answer was lost', { command: method }),
  ended: (method, signal, sentChange) =>
    new CloudError(sentChange ? 'unknown-outcome' : 'transient', 'the caller ended the wait', {
      command: method,
      cause: signal.reason,
    }),
};

const kinds: readonly string[] = [
  'transient',
  'refused',
  'quota',
  'capacity',
  'denied',
  'not-found',
  'unknown-outcome',
];

function isCloudKind(kind: string): kind is CloudErrorKind {
  return kinds.includes(kind);
}

export function notFound(method: string, what: string): CloudError {
  return new CloudError('not-found', `there is no ${what}`, { command: method, code: 431 });
}

export function refused(method: string, why: string, code = 431): CloudError {
  return new CloudError('refused', why, { command: method, code });
}

export function overQuota(method: string, what: string): CloudError {
  return new CloudError('quota', `Maximum amount of resources of Type = '${what}' for the account is exceeded`, {
    command: method,
    code: 535,
  });
}
