/** Brings a database to this version's schema. As a program: `tsx db/migrate.ts`, with DATABASE_URL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

const migrationsFolder = join(import.meta.dirname, '..', 'drizzle');
/** Any number, the same in every version: it names the lock under which one server at a time migrates. */
const migrationLock = 71_460_914;

/** How many migrations this version knows; a database that has more was made by a newer one. */
export function knownMigrationCount(): number {
  const journal: unknown = JSON.parse(readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'));
  if (typeof journal !== 'object' || journal === null || !('entries' in journal) || !Array.isArray(journal.entries)) {
    throw new Error('drizzle/meta/_journal.json is not a journal');
  }
  return journal.entries.length;
}

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

/** Throws when the database was migrated by a newer version; nothing is changed. */
export async function refuseNewerSchema(sql: postgres.Sql): Promise<void> {
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (table?.present !== true) return;
  const [applied] = await sql<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations`;
  const known = knownMigrationCount();
  if ((applied?.count ?? 0) > known) {
    throw new Error(
      `The database has ${applied?.count} migrations and this version of Holdfast knows ${known}: it was made by a newer version. Start that one.`,
    );
  }
}

/** For a server's start: throws when the schema is newer than this version knows, or not migrated to it yet. */
export async function refuseOtherSchema(sql: postgres.Sql): Promise<void> {
  await refuseNewerSchema(sql);
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  const [applied] =
    table?.present === true ? await sql<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations` : [];
  if ((applied?.count ?? 0) < knownMigrationCount()) {
    throw new Error('Holdfast does not start: the database is not migrated to this version. Run `npx tsx db/migrate.ts` first.');
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const url = process.env['DATABASE_URL'];
  if (url === undefined) throw new Error('DATABASE_URL is not set');
  await migrateDatabase(url);
}
