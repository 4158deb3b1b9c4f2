/** An error as CloudStack answers it: `code` is the HTTP status or job code, `cs` the four digits of the Java exception. */
export class ApiError extends Error {
  readonly code: number;
  readonly cs: number | null;

  constructor(code: number, cs: number | null, text: string) {
    super(text);
    this.name = 'ApiError';
    this.code = code;
    this.cs = cs;
  }
}

/** A rule broken inside a service: not found, wrong state, duplicate name. */
export function invalid(text: string): ApiError {
  return new ApiError(431, 4350, text);
}

/** Raised by the parameter layer: bad or unknown id, missing parameter. */
export function badParameter(text: string): ApiError {
  return new ApiError(431, 9999, text);
}

/** The one text that clients match. */
export function unknownId(name: string, value: string): ApiError {
  return badParameter(
    `Unable to execute API command due to invalid value. Invalid parameter ${name} value=${value} due to incorrect long value format, or entity does not exist or due to incorrect parameter annotation for the field in api cmd class.`,
  );
}

export function quotaExceeded(type: string, account: string): ApiError {
  return new ApiError(
    535,
    4370,
    `Maximum amount of resources of Type = '${type}' for Account Name = '${account}' has been exceeded.`,
  );
}

const csByCode: Record<number, number> = {
  431: 4350,
  530: 4250,
  531: 4365,
  533: 4335,
  534: 4380,
  535: 4370,
  537: 4360,
};

const textByCode: Record<number, string> = {
  401: 'unable to verify user credentials and/or request signature',
  429: 'The given user has reached his/her account api limit, please retry later',
  503: 'Maintenance or shutdown of the management server is in progress',
  530: 'Internal error executing command, please contact your system administrator',
  533: 'Insufficient capacity when adding the resource',
  534: 'Resource is not available at the moment',
  535: "Maximum amount of resources of Type = 'user_vm' for Account has been exceeded.",
  537: 'The range specified conflicts with another rule',
};

/** The error a fault asks for, with the text that the real thing would have. */
export function errorOfCode(code: number, text?: string): ApiError {
  return new ApiError(code, csByCode[code] ?? null, text ?? textByCode[code] ?? 'The command failed');
}
