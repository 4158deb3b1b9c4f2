/** Reads of our own API, for queries: one way to ask, one error, and the server's clock learned on the way. */
import type { Refusal } from '@/domain/refusals';
import { timeHeader } from './time-header';
import { syncClock } from './ui/clock';

/** The API refused, failed, or could not be reached (status 0, no refusal). */
export class RequestFailed extends Error {
  readonly status: number;
  readonly refusal: Refusal | null;
  readonly reference: string | undefined;

  constructor(status: number, message: string, refusal: Refusal | null, reference?: string) {
    super(message);
    this.name = 'RequestFailed';
    this.status = status;
    this.refusal = refusal;
    this.reference = reference;
  }

  /** Asking again gives the same answer. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

/** GETs JSON. Throws `RequestFailed` for every answer but a good one. A session that is over leads to the sign-in page and back. */
export async function readJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      headers: { accept: 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new RequestFailed(0, 'The server did not answer.', null);
  }
  const time = response.headers.get(timeHeader);
  if (time !== null) syncClock(time);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  if (response.status === 401) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  throw failureOf(response.status, body);
}

function failureOf(status: number, body: unknown): RequestFailed {
  const { refusal, reference } = (body ?? {}) as { refusal?: Refusal; reference?: string };
  const fallback = status >= 500 ? 'The server could not answer.' : 'The request was not accepted.';
  return new RequestFailed(status, refusal?.message ?? fallback, refusal ?? null, reference);
}
