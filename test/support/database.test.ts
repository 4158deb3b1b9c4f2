import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './database';

const databases: TestDatabase[] = [];

beforeAll(async () => {
  databases.push(await testDatabase(), await testDatabase());
});
afterAll(() => Promise.all(databases.map((database) => database.close())));

test('a test file gets migrated databases of its own', async () => {
  const [first, second] = databases.map(({ url }) => postgres(url, { max: 1, onnotice: () => undefined }));
  await first?.unsafe('create table only_here (n int)');
  const seen = await second?.unsafe(`select to_regclass('clusters') as migrated, to_regclass('only_here') as foreign`);
  expect(seen).toEqual([{ migrated: 'clusters', foreign: null }]);
  await Promise.all([first?.end(), second?.end()]);
});
