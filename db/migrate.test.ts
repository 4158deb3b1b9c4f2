import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrateDatabase } from './migrate';
import { knownMigrationCount, refuseNewerSchema } from './schema-version';

let sql: postgres.Sql;
let url: string;
let name: string;

const onServer = async (statement: string): Promise<void> => {
  const server = postgres(inject('testServerUrl'), { max: 1, onnotice: () => undefined });
  await server.unsafe(statement);
  await server.end();
};

/** An empty database each: the template that other tests copy is migrated already. */
beforeEach(async () => {
  name = `test_${process.pid}_empty_${randomUUID().slice(0, 8)}`;
  await onServer(`create database ${name}`);
  const of = new URL(inject('testServerUrl'));
  of.pathname = name;
  url = of.href;
  sql = postgres(url, { max: 2, onnotice: () => undefined });
});
afterEach(async () => {
  await sql.end();
  await onServer(`drop database ${name} with (force)`);
});

const applied = async (): Promise<number | undefined> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations`;
  return row?.count;
};

describe('migrating', () => {
  test('eight servers that start at once on an empty database bring it there once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(url)));
    expect(await applied()).toBe(knownMigrationCount());
    expect(await sql`select count(*)::int as count from installation`).toEqual([{ count: 1 }]);
    expect(await sql`select count(*)::int as count from clusters`).toEqual([{ count: 0 }]);
  });

  test('again changes nothing, and keeps the identity of the installation', async () => {
    await migrateDatabase(url);
    const before = await sql`select id from installation`;
    await migrateDatabase(url);
    expect(await sql`select id from installation`).toEqual(before);
    expect(await applied()).toBe(knownMigrationCount());
  });

  test('a schema that is newer than this version knows is refused, and nothing is changed', async () => {
    await migrateDatabase(url);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer version', 9999999999999)`;
    await expect(migrateDatabase(url)).rejects.toThrow(/newer version/);
    await expect(refuseNewerSchema(sql)).rejects.toThrow(/newer version/);
    expect(await applied()).toBe(knownMigrationCount() + 1);
  });

  test('an empty database is not newer', async () => {
    await expect(refuseNewerSchema(sql)).resolves.toBeUndefined();
  });

  test('the lock is let go when the work is done, and when it fails', async () => {
    await migrateDatabase(url);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer version', 9999999999999)`;
    await expect(migrateDatabase(url)).rejects.toThrow();
    expect(
      await sql`select count(*)::int as count from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = ${name})`,
    ).toEqual([{ count: 0 }]);
  });

  test('the schema that drizzle knows and the one in the database have the same columns', async () => {
    await migrateDatabase(url);
    const columns = await sql<{ table_name: string; column_name: string }[]>`select table_name, column_name
      from information_schema.columns where table_schema = 'public' order by 1, 2`;
    const { schema } = await import('./schema');
    const { getTableColumns, getTableName, is, Table } = await import('drizzle-orm');
    const known = Object.values(schema)
      .filter((each) => is(each, Table))
      .flatMap((table) =>
        Object.values(getTableColumns(table)).map((column) => `${getTableName(table)}.${column.name}`),
      );
    expect(columns.map((row) => `${row.table_name}.${row.column_name}`).sort()).toEqual(known.sort());
  });
});
