import { z } from 'zod';
import type { CallContext, CloudError } from '@/infrastructure/cloud';
import { expiryTime, type Parameters, signedForm } from '@/infrastructure/signature';
import { ended, errorAnswer, foreignAnswer, notReached, refusal, unknownOutcome } from './errors';
import type { Settings } from './settings';

/** What stands under an answer's single key. */
export type Answer = Readonly<Record<string, unknown>>;

export interface Request {
  readonly command: string;
  readonly parameters: Parameters;
  readonly timeoutMs: number;
  /** Reads go by GET, all else by POST: that satisfies `enforce.post.requests.and.timestamps` (A.1). */
  readonly isChange: boolean;
}

/** The server allows fifteen minutes; the rest is for clocks that differ. */
const validityMs = 600_000;
/** Names the connection attempt's failures: then nothing has reached the server. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const record = z.record(z.string(), z.unknown());

/** One signed request, one answer. Every failure is a `CloudError`; nothing is tried again here. */
export async function send(settings: Settings, call: CallContext, request: Request): Promise<Answer> {
  const { command, isChange } = request;
  if (call.signal.aborted) throw ended(command, call.signal, false);
  const timeUp = AbortSignal.timeout(request.timeoutMs);
  try {
    const response = await fetch(...httpRequest(settings, call, request, AbortSignal.any([call.signal, timeUp])));
    return readAnswer(request, response.status, await response.text());
  } catch (error) {
    throw call.signal.aborted
      ? ended(command, call.signal, isChange)
      : transportFailure(request, timeUp.aborted, error);
  }
}

function httpRequest(
  settings: Settings,
  call: CallContext,
  request: Request,
  signal: AbortSignal,
): [string, RequestInit] {
  const form = signedForm(
    {
      ...request.parameters,
      command: request.command,
      response: 'json',
      apiKey: settings.apiKey,
      signatureversion: '3',
      expires: expiryTime(new Date(Date.now() + validityMs)),
    },
    settings.secretKey,
  );
  const headers = {
    accept: 'application/json',
    'user-agent': settings.userAgent,
    'x-holdfast-operation': call.operation,
  };
  if (!request.isChange) return [`${settings.apiUrl}?${form}`, { signal, headers }];
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return [settings.apiUrl, { method: 'POST', body: form, signal, headers: { ...headers, ...type } }];
}

/** The single key is not always the command in lower case (A.3), so the one that ends in `response` is taken. */
function readAnswer({ command, isChange }: Request, status: number, body: string): Answer {
  const answer = record.safeParse(json(body));
  const key = Object.keys(answer.data ?? {}).find((name) => name.toLowerCase().endsWith('response'));
  const inner = record.safeParse(key === undefined ? undefined : answer.data?.[key]);
  if (!inner.success) throw foreignAnswer(command, status, isChange);
  const failure = errorAnswer.safeParse(inner.data);
  if (failure.success) throw refusal(command, failure.data);
  if (status !== 200) throw foreignAnswer(command, status, isChange);
  return inner.data;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function transportFailure(request: Request, timedOut: boolean, error: unknown): unknown {
  if (isCloudError(error)) return error;
  const why = timedOut ? `no answer within ${request.timeoutMs} ms` : `the connection failed (${codeOf(error)})`;
  const sent = request.isChange && !notSentCodes.has(codeOf(error));
  return sent ? unknownOutcome(request.command, why, null, error) : notReached(request.command, why, error);
}

function isCloudError(error: unknown): error is CloudError {
  return error instanceof Error && error.name === 'CloudError';
}

const withCode = z.object({ code: z.string() });
const withCause = z.object({ cause: z.unknown() });

/** fetch hides the system's code one or two causes deep. */
function codeOf(error: unknown): string {
  const own = withCode.safeParse(error);
  if (own.success) return own.data.code;
  const outer = withCause.safeParse(error);
  if (outer.success && outer.data.cause !== undefined) return codeOf(outer.data.cause);
  return error instanceof Error ? error.message : 'unknown';
}
