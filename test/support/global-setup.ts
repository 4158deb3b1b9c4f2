/** Once a run: a PostgreSQL for tests, and in it one migrated database that test files copy. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '@/db/migrate';
import { isAlive } from '../../scripts/lib-process.mjs';
import { startPostgres } from '../../scripts/postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server; its path names a database that always exists. */
    testServerUrl: string;
    templateDatabase: string;
  }
}

const root = join(import.meta.dirname, '..', '..');
const templatePrefix = 'holdfast_template_';
/** Any number: under this lock one run at a time makes or removes templates. */
const templateLock = 71_460_915;

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env['TEST_DATABASE_URL'];
  const server =
    external === undefined ? await startServer() : { url: external, alone: false, stop: async () => false };
  project.provide('testServerUrl', server.url);
  project.provide('templateDatabase', await prepare(server.url, server.alone));
  return async () => void (await server.stop());
}

async function startServer() {
  const dataDir = join(root, '.holdfast', 'test-pg');
  const { url, adopted, stop } = await startPostgres({ dataDir, testSettings: true });
  // Another run may be using a server that ran already; a new one has nobody on it yet.
  return { url, alone: !adopted, stop };
}

async function prepare(url: string, alone: boolean): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${templateLock})`;
    const template = `${templatePrefix}${migrationsHash()}`;
    await dropLeftovers(sql, { keep: template, alone });
    await ensureTemplate(sql, url, template);
    return template;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** It is marked as a template last: one without the mark was interrupted and is made again. */
async function ensureTemplate(sql: postgres.Sql, url: string, template: string): Promise<void> {
  const [existing] = await sql`select datistemplate from pg_database where datname = ${template}`;
  if (existing?.['datistemplate'] === true) return;
  await sql.unsafe(`drop database if exists ${template} with (force)`);
  await sql.unsafe(`create database ${template}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = template;
  await migrateDatabase(templateUrl.href);
  await sql.unsafe(`alter database ${template} is_template true`);
}

/** Databases of runs that have ended, failed ones too, and templates of other migrations while nobody can need them. */
async function dropLeftovers(sql: postgres.Sql, options: { keep: string; alone: boolean }): Promise<void> {
  const databases = await sql<{ datname: string }[]>`
    select datname from pg_database where datname ~ '^test_[0-9]+_' or datname ~ ${`^${templatePrefix}`}`;
  for (const { datname } of databases) {
    const pid = /^test_(\d+)_/.exec(datname)?.[1];
    const unused = pid === undefined ? options.alone && datname !== options.keep : !isAlive(Number(pid));
    if (!unused) continue;
    if (pid === undefined) await sql.unsafe(`alter database ${datname} is_template false`);
    await sql.unsafe(`drop database if exists ${datname} with (force)`);
  }
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const folder of [join(root, 'drizzle'), join(root, 'drizzle', 'meta')]) {
    for (const name of readdirSync(folder).toSorted()) {
      if (/\.(sql|json)$/.test(name)) hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  // What migrateDatabase itself does counts too.
  hash.update(readFileSync(join(root, 'db', 'migrate.ts')));
  return hash.digest('hex').slice(0, 16);
}
