import { z } from 'zod';
import { CloudError, type CloudErrorKind } from '@/infrastructure/cloud';

/** What an error answer and the result of a failed job have in common. */
export const errorAnswer = z.object({
  errorcode: z.number(),
  cserrorcode: z.number().optional(),
  errortext: z.string().default(''),
});
export type ErrorAnswer = z.infer<typeof errorAnswer>;

const kinds: Readonly<Record<number, CloudErrorKind>> = {
  400: 'refused',
  401: 'denied',
  429: 'transient',
  430: 'refused',
  431: 'refused',
  432: 'refused',
  503: 'transient',
  530: 'transient',
  531: 'refused',
  532: 'quota',
  533: 'capacity',
  534: 'transient',
  535: 'quota',
  536: 'refused',
  537: 'refused',
};

const firstServerCode = 500;
/** Raised by the API layer itself; with the one text that clients match, it means an id that never existed (A.3). */
const apiLayerCode = 9999;
const unknownId = /entity does not exist/;

/** An answer in CloudStack's own words. Codes decide, never texts; the one exception is stated in A.3. */
export function refusal(command: string, answer: ErrorAnswer): CloudError {
  const words = answer.errortext === '' ? `error ${answer.errorcode}` : answer.errortext;
  return new CloudError(kindOf(answer), words, { command, code: answer.errorcode });
}

function kindOf({ errorcode, cserrorcode, errortext }: ErrorAnswer): CloudErrorKind {
  if (errorcode === 431 && cserrorcode === apiLayerCode && unknownId.test(errortext)) return 'not-found';
  return kinds[errorcode] ?? (errorcode >= firstServerCode ? 'transient' : 'refused');
}

/** An answer that is not CloudStack's, from a proxy say. A change may have been carried out all the same. */
export function foreignAnswer(command: string, status: number, isChange: boolean): CloudError {
  const turnedAway = status === 429 || status === 503;
  if (isChange && !turnedAway) return unknownOutcome(command, `the answer could not be read (HTTP ${status})`, status);
  return new CloudError('transient', `the answer could not be read (HTTP ${status})`, { command, code: status });
}

export function unknownOutcome(command: string, why: string, code: number | null = null, cause?: unknown): CloudError {
  return new CloudError('unknown-outcome', `it is not known what became of it: ${why}`, { command, code, cause });
}

/** Nothing was sent, or what was sent changes nothing. */
export function notReached(command: string, why: string, cause?: unknown): CloudError {
  return new CloudError('transient', why, { command, cause });
}

/** The caller ended the wait; its reason is the cause. */
export function ended(command: string, signal: AbortSignal, sentChange: boolean): CloudError {
  return new CloudError(sentChange ? 'unknown-outcome' : 'transient', 'the caller ended the wait', {
    command,
    cause: signal.reason,
  });
}

export function isKind(error: unknown, ...wanted: readonly CloudErrorKind[]): error is CloudError {
  return error instanceof CloudError && wanted.includes(error.kind);
}
