import { ApiException } from '@kubernetes/client-node';
import { z } from 'zod';
import { KubernetesError, type KubernetesErrorKind } from '@/infrastructure/kubernetes';

/** A Kind that the API server does not know, so there can be no object of it. */
export class UnknownKind extends Error {
  constructor(reference: { apiVersion: string; kind: string }) {
    super(`the cluster knows no ${reference.kind} in ${reference.apiVersion}`);
    this.name = 'UnknownKind';
  }
}

/** What an API server says when it says no. */
export const statusBody = z.object({
  message: z.string().default(''),
  reason: z.string().default(''),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().default('') })).default([]) })
    .default({ causes: [] }),
});
export type StatusBody = z.infer<typeof statusBody>;

const firstServerCode = 500;
const kinds: Readonly<Record<number, KubernetesErrorKind>> = {
  401: 'denied',
  403: 'denied',
  404: 'not-found',
  409: 'conflict',
  429: 'blocked',
};

export function kindOfCode(code: number): KubernetesErrorKind {
  return kinds[code] ?? (code >= firstServerCode ? 'not-ready' : 'refused');
}

/** The client gives the body of an error as text, or parsed where it could. */
export function readStatus(body: unknown): StatusBody {
  const value = typeof body === 'string' ? parsed(body) : body;
  return statusBody.safeParse(value).data ?? { message: '', reason: '', details: { causes: [] } };
}

/** Nothing else leaves the driver. An abort by the caller has the caller's reason as cause. */
export function asKubernetesError(
  error: unknown,
  wait: { signal: AbortSignal; timedOut: number | null },
): KubernetesError {
  if (wait.signal.aborted)
    return new KubernetesError('unreachable', 'the caller ended the wait', { cause: wait.signal.reason });
  if (error instanceof KubernetesError) return error;
  if (error instanceof ApiException) {
    const { message } = readStatus(error.body);
    return new KubernetesError(kindOfCode(error.code), message === '' ? wordsOf(error.code) : message, {
      code: error.code,
      cause: error,
    });
  }
  if (error instanceof UnknownKind) return new KubernetesError('not-found', error.message, { code: 404 });
  if (wait.timedOut !== null)
    return new KubernetesError('unreachable', `no answer within ${wait.timedOut} ms`, { cause: error });
  return new KubernetesError('unreachable', error instanceof Error ? error.message : String(error), { cause: error });
}

/** The client drops the body of some answers, that of 401 among them. */
function wordsOf(code: number): string {
  return code === 401 ? 'the API server does not accept our certificate (HTTP 401)' : `HTTP ${code}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
