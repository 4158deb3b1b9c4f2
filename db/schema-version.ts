/** Whether a database's schema is the one that this version knows. Read by every server at its start. */
import type postgres from 'postgres';
import journal from '@/drizzle/meta/_journal.json' with { type: 'json' };

/** How many migrations this version knows; a database that has more was made by a newer one. */
export function knownMigrationCount(): number {
  return journal.entries.length;
}

/** Throws when the database was migrated by a newer version; nothing is changed. */
export async function refuseNewerSchema(sql: postgres.Sql): Promise<void> {
  const [table] = await sql<
    { present: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
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
  const [table] = await sql<
    { present: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  const [applied] =
    table?.present === true
      ? await sql<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations`
      : [];
  if ((applied?.count ?? 0) < knownMigrationCount()) {
    throw new Error(
      'Holdfast does not start: the database is not migrated to this version. Run `npx tsx db/migrate.ts` first.',
    );
  }
}
