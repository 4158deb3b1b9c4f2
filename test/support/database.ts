/**
 * A database of its own for a test file: a copy of the migrated template, so races can use several committed
 * connections, and LISTEN and advisory locks of other files are not heard.
 */
import postgres from 'postgres';
import { afterEach, inject } from 'vitest';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** For `afterAll`: drops it, or keeps it until the next run and says its name when a test of the file failed. */
  close(): Promise<void>;
  /** Drops it at once; cuts off whoever is still connected. */
  drop(): Promise<void>;
}

let made = 0;
let failed = false;

// Registered for the whole file that imports this one.
afterEach(({ task }) => {
  if (task.result?.state === 'fail') failed = true;
});

/** Copies the template; some 40 ms. */
export async function testDatabase(): Promise<TestDatabase> {
  made += 1;
  const name = `test_${process.pid}_${process.env['VITEST_POOL_ID'] ?? '0'}_${made}`;
  await onServer((sql) =>
    sql.unsafe(`create database ${name} template ${inject('templateDatabase')} strategy file_copy`),
  );
  const url = new URL(inject('testServerUrl'));
  url.pathname = name;
  const drop = () => onServer((sql) => sql.unsafe(`drop database if exists ${name} with (force)`));
  const keep = async () => console.error(`A test failed: database ${name} is kept until the next run.`);
  return { name, url: url.href, drop, close: () => (failed ? keep() : drop()) };
}

async function onServer(run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(inject('testServerUrl'), { max: 1, onnotice: () => undefined });
  try {
    await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
