import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitUntilGone } from './lib-process.mjs';
import { startPostgres, stopPostgres } from './postgres.mjs';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'));
const dataDir = join(folder, 'pg');
const start = (where = dataDir) => startPostgres({ dataDir: where, testSettings: true });

async function ask<T>(url: string, question: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** A starter of its own: says "started" or "adopted" and then stays. */
function starter(where: string): { child: ChildProcess; said: Promise<string> } {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'postgres.mjs'))});
    const server = await startPostgres({ dataDir: ${JSON.stringify(where)}, testSettings: true });
    console.log(server.adopted ? 'adopted' : 'started');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = once(child.stdout, 'data').then(([text]) => String(text).trim());
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

beforeAll(async () => {
  const { url } = await start();
  await ask(url, (sql) => sql`create table kept (n int)`);
  await ask(url, (sql) => sql`insert into kept values (7)`);
}, 30_000);

afterAll(async () => {
  await stopPostgres(dataDir);
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

/** Whatever happened to the server, what was written is there. */
afterEach(async () => {
  const { url } = await start();
  expect(await ask(url, (sql) => sql`select n from kept`)).toEqual([{ n: 7 }]);
}, 20_000);

describe('the starter of the embedded PostgreSQL', () => {
  test('asks for the password, which only the owner can read, and opens no socket file', async () => {
    const { url } = await start();
    const wrong = url.replace(/:[0-9a-f]{48}@/, ':wrong@');
    expect(wrong).not.toBe(url);
    await expect(ask(wrong, (sql) => sql`select 1`)).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    const [setting] = await ask(url, (sql) => sql`show unix_socket_directories`);
    expect(setting).toEqual({ unix_socket_directories: '' });
  });

  test('finds the server that runs already', async () => {
    expect(await start()).toMatchObject({ adopted: true, port: (await start()).port });
  });

  test('takes up the server of a starter that was killed', async () => {
    await stopPostgres(dataDir);
    const { child, said } = starter(dataDir);
    expect(await said).toBe('started');
    await kill(child);
    expect((await start()).adopted).toBe(true);
  });

  test('leaves the server to another process that still uses it', async () => {
    const mine = await start();
    const { child, said } = starter(dataDir);
    expect(await said).toBe('adopted');
    expect(await mine.stop()).toBe(false);
    expect(await ask(mine.url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await kill(child);
    expect(await mine.stop()).toBe(true);
  });

  test('starts again after PostgreSQL itself was killed', async () => {
    const { pid } = await start();
    process.kill(pid, 'SIGKILL');
    await waitUntilGone(pid, 5000);
    expect((await start()).adopted).toBe(false);
  });

  test('is not misled by a pid file whose number belongs to another process now', async () => {
    const { pid } = await start();
    const pidFile = readFileSync(join(dataDir, 'data', 'postmaster.pid'), 'utf8');
    process.kill(pid, 'SIGKILL');
    await waitUntilGone(pid, 5000);
    writeFileSync(join(dataDir, 'data', 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
    expect((await start()).adopted).toBe(false);
  });

  test('keeps its port, and takes another one when that is taken', async () => {
    const { port } = await start();
    await stopPostgres(dataDir);
    expect((await start()).port).toBe(port);
    await stopPostgres(dataDir);
    const squatter = createServer();
    squatter.listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    expect((await start()).port).not.toBe(port);
    squatter.close();
  });

  test('lets one of three starters make the database of an empty folder', async () => {
    const fresh = join(folder, 'three');
    const three = [starter(fresh), starter(fresh), starter(fresh)];
    const said = await Promise.all(three.map((one) => one.said));
    expect(said.toSorted()).toEqual(['adopted', 'adopted', 'started']);
    await Promise.all(three.map((one) => kill(one.child)));
    expect(await stopPostgres(fresh)).toBe(true);
  }, 30_000);
});
