/** Answers in CloudStack's envelope (cloud.md A.3): one key, the command in lower case and `response`. */

/** HTTP status and `errorcode` are one number. */
export type ErrorCode = 401 | 431 | 503 | 530;

/** CloudStack's own second code; only what clients look at. */
const parameterError = 9999;

const headers = { 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'no-store' } as const;

export function answer(command: string, body: Readonly<Record<string, unknown>>): Response {
  return Response.json({ [`${command.toLowerCase()}response`]: body }, { headers });
}

/** `command` null: it was missing or is none of ours, and the key is `errorresponse`. */
export function failure(command: string | null, code: ErrorCode, text: string): Response {
  const key = command === null ? 'errorresponse' : `${command.toLowerCase()}response`;
  const inner = code === 431 ? { cserrorcode: parameterError } : {};
  return Response.json(
    { [key]: { uuidList: [], errorcode: code, ...inner, errortext: text } },
    // A header holds Latin letters only; the body has the whole text.
    { status: code, headers: { ...headers, 'x-description': text.replace(/[^\x20-\x7e]/g, '?') } },
  );
}

/** One text for a wrong key, a wrong signature, an expiry that has passed and a command that is not served. */
export function unverified(command: string | null): Response {
  return failure(command, 401, 'unable to verify user credentials and/or request signature');
}

/** What CloudStack says of an id that is not there; clients look for these words. */
export function unknownId(command: string, { field, value }: { field: string; value: string }): Response {
  const shown = value.slice(0, 100);
  return failure(
    command,
    431,
    `Invalid parameter ${field} value=${shown} due to incorrect long value format, or entity does not exist`,
  );
}
