import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Database, type DatabaseHandle, openDatabase } from '@/db/client';
import { type TestDatabase, testDatabase } from './database';
import { violations } from './invariants';

export interface Scratch {
  readonly db: Database;
  readonly sql: DatabaseHandle['sql'];
  readonly url: string;
  /** Another pool on the same database: another server's connections. Closed with the scratch database. */
  another(): DatabaseHandle;
}

/**
 * A database of this test file's own, with the schema in it, and the invariants checked after each test. Call it once, at the top
 * of the file; read its members inside tests only.
 */
export function scratchDatabase(options: { checkInvariants?: boolean } = {}): Scratch {
  let database: TestDatabase | undefined;
  const handles: DatabaseHandle[] = [];

  const url = (): string => {
    if (database === undefined) throw new Error('the scratch database is not ready: read it inside a test');
    return database.url;
  };
  const open = (): DatabaseHandle => {
    const handle = openDatabase(url(), { max: 20, name: `holdfast-test-${handles.length}` });
    handles.push(handle);
    return handle;
  };
  const first = (): DatabaseHandle => handles[0] ?? open();

  beforeAll(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    if (options.checkInvariants !== false) expect(await violations(first().sql)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(handles.map((handle) => handle.close()));
    await database?.close();
  });

  return {
    get db() {
      return first().db;
    },
    get sql() {
      return first().sql;
    },
    get url() {
      return url();
    },
    another: () => {
      first();
      return open();
    },
  };
}
