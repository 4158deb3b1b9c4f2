/** Errors of the Kubernetes API: always a Status object. */
import type { Json, JsonObject } from '@/simulator/core/json';

const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: JsonObject;
  readonly retryAfter: number | null;

  constructor(
    code: number,
    message: string,
    more: { reason?: string; details?: JsonObject; retryAfter?: number } = {},
  ) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = more.reason ?? reasons[code] ?? 'Unknown';
    this.details = more.details ?? {};
    this.retryAfter = more.retryAfter ?? null;
  }
}

export function failure(error: StatusError): JsonObject {
  const details: Record<string, Json> = {};
  for (const [key, value] of Object.entries(error.details)) if (value !== undefined) details[key] = value;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: error.message,
    reason: error.reason,
    details,
    code: error.code,
  };
}

export function success(details: JsonObject = {}): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

export function notFound(resource: { group: string; plural: string }, name: string): StatusError {
  const full = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  return new StatusError(404, `${full} "${name}" not found`, {
    details: { name, group: resource.group, kind: resource.plural },
  });
}

export function invalidObject(kind: string, name: string, field: string, message: string): StatusError {
  return new StatusError(422, `${kind} "${name}" is invalid: ${field}: ${message}`, {
    details: { name, kind, causes: [{ reason: 'FieldValueInvalid', message, field }] },
  });
}
