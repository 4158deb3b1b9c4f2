import postgres from 'postgres';

/** The driver's error, out of what drizzle wraps around it. */
function postgresError(error: unknown): postgres.PostgresError | undefined {
  if (error instanceof postgres.PostgresError) return error;
  if (error instanceof Error && error.cause !== undefined) return postgresError(error.cause);
  return undefined;
}

/** Whether a unique index of this name refused the write. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  const found = postgresError(error);
  return found?.code === '23505' && found.constraint_name === constraint;
}

/** Whether a row that others refer to was to go, or one that is not there was referred to. */
export function violatesForeignKey(error: unknown): boolean {
  const code = postgresError(error)?.code;
  // restrict_violation is what `on delete restrict` raises.
  return code === '23503' || code === '23001';
}

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);
/** admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections, idle_in_transaction_session_timeout. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '53300', '25P03', '08006', '08003', '08000']);

/** Whether the database was away rather than unwilling: the same statement may succeed later. */
export function databaseIsAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined && (connectionCodes.has(code) || serverCodes.has(code))) return true;
  return 'cause' in error && error.cause !== undefined && databaseIsAway(error.cause);
}

/** Deadlock or serialization failure: nothing was written, and the transaction may be run again. */
export function mayRunAgain(error: unknown): boolean {
  const code = postgresError(error)?.code;
  return code === '40P01' || code === '40001';
}
