import 'server-only';
import type { ExtractTablesWithRelations } from 'drizzle-orm';
import { drizzle, type PostgresJsDatabase, type PostgresJsTransaction } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { endTransactionsWithTheirConnection } from './lost-connections';
import { schema } from './schema';

type Schema = typeof schema;
export type Database = PostgresJsDatabase<Schema>;
export type Transaction = PostgresJsTransaction<Schema, ExtractTablesWithRelations<Schema>>;
/** Where a statement may run: outside or inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseHandle {
  readonly db: Database;
  /** For LISTEN, and for the few statements that drizzle cannot say. Pass times to it as ISO text. */
  readonly sql: postgres.Sql;
  close(): Promise<void>;
}

/** Ten connections a server: more buys nothing on two cores, and PostgreSQL's limit is shared. */
const poolSize = 10;

/**
 * No transaction of ours waits for anything but PostgreSQL. One that idles belongs to a process that is paused or dead, and its locks
 * must be gone by the time a pass takes it for departed.
 */
const idleInTransactionMs = 5_000;

/** Opens a pool; connects with the first query. Reconnects by itself a quarter of a second after the database is back. */
export function openDatabase(url: string, options: { max?: number; name?: string } = {}): DatabaseHandle {
  const sql = postgres(url, {
    max: options.max ?? poolSize,
    idle_timeout: 30,
    connect_timeout: 5,
    backoff: () => 0.25,
    onnotice: () => undefined,
    connection: {
      application_name: options.name ?? 'holdfast',
      idle_in_transaction_session_timeout: idleInTransactionMs,
    },
  });
  endTransactionsWithTheirConnection(sql);
  return { db: drizzle(sql, { schema, casing: 'snake_case' }), sql, close: () => sql.end({ timeout: 5 }) };
}
