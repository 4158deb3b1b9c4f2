/** Brings a database to this version's schema. As a program: `tsx db/migrate.ts`, with DATABASE_URL. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { refuseNewerSchema } from './schema-version';

const migrationsFolder = join(import.meta.dirname, '..', 'drizzle');
/** Any number, the same in every version: it names the lock under which one server at a time migrates. */
const migrationLock = 71_460_914;

/**
 * Applies what is missing. Safe when several processes start at once: one works, the others wait and find nothing to do.
 * Throws when the schema is newer than this version knows.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await refuseNewerSchema(sql);
    await migrate(drizzle(sql), { migrationsFolder });
    await sql`insert into installation default values on conflict do nothing`;
    await sql.unsafe('analyze');
  } finally {
    await sql.end({ timeout: 5 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const url = process.env['DATABASE_URL'];
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  await migrateDatabase(url);
}
