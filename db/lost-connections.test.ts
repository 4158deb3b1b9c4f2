import { sql as statement } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { recover, recovery } from '@/test/support/acts';
import { departNow, type HeldFixture, insertHeldCluster, insertServer } from '@/test/support/fixtures';
import { pausePoint } from '@/test/support/interleave';
import { clusterRow, everythingOf } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { type DatabaseHandle, openDatabase } from './client';
import { databaseIsAway } from './errors';
import { recordNetwork } from './facts';
import { whileHeld } from './holds';
import { failJobsOfDeparted } from './jobs';
import { logLine } from './steps';

/*
 * postgres.js 3.4.9 forgets that a transaction has lost its connection (porsager/postgres #1208, #1216): what its owner says next runs on
 * the reconnected one, outside any transaction, or is written into a socket that is gone, which ends the process. Vitest fails a run
 * in which something is thrown past its tests.
 */
const scratch = scratchDatabase();

const poolSizes = [1, 3];

/** A pool like a server's, with one connection or a few; the fewer, the sooner a reconnected one is used again. */
async function withPool(max: number, use: (pool: DatabaseHandle) => Promise<void>): Promise<void> {
  const pool = openDatabase(scratch.url, { max });
  try {
    await use(pool);
  } finally {
    await pool.close();
  }
}

async function held(): Promise<HeldFixture> {
  return insertHeldCluster(scratch.sql, { state: 'Upgrading', serverId: await insertServer(scratch.sql) });
}

/** What a PostgreSQL that restarts, fails over or loses patience does to a connection. Resolves when the backend is gone. */
async function cutOff(pid: number): Promise<void> {
  await scratch.sql`select pg_terminate_backend(${pid}, 5000)`;
}

const alive = async ({ sql }: DatabaseHandle) => (await sql<{ one: number }[]>`select 1 as one`)[0]?.one;
const whoAmI = statement`select pg_backend_pid() as pid`;

describe('a worker whose transaction has lost its connection', () => {
  test.each(poolSizes)('HOLD-5 writes nothing after its cluster was recovered, with %d connections', async (max) => {
    await withPool(max, async (pool) => {
      const cluster = await held();
      const inside = pausePoint('inside the write');
      const pids: number[] = [];
      const write = whileHeld(pool.db, cluster.hold, async (tx) => {
        const [backend] = await tx.execute<{ pid: number }>(whoAmI);
        pids.push(backend?.pid ?? 0);
        await inside.pause();
        await recordNetwork(tx, cluster.id, { publicIp: '10.9.9.9' });
        await logLine(tx, cluster.hold.jobId, { step: null, level: 'info', text: 'written by a zombie' });
      }).catch((error: unknown) => error);
      await inside.reached;
      await cutOff(pids[0] ?? 0);
      await departNow(scratch.sql, cluster.hold.serverId);
      await scratch.db.transaction((tx) => failJobsOfDeparted(tx, 1));
      expect(await recover(scratch.db, recovery(cluster, await insertServer(scratch.sql)))).toEqual({
        kind: 'recovered',
      });
      const recovered = await everythingOf(scratch.sql, cluster.id);
      // The pool has reconnected before the worker goes on.
      for (let query = 0; query < max * 2; query += 1) expect(await alive(pool)).toBe(1);
      inside.goOn();
      expect(databaseIsAway(await write)).toBe(true);
      expect(await alive(pool)).toBe(1);
      expect(await everythingOf(scratch.sql, cluster.id)).toBe(recovered);
    });
  });

  test.each(poolSizes)('HOLD-5 writes nothing into the transaction of another, with %d connections', async (max) => {
    await withPool(max, async (pool) => {
      const [cluster, other] = [await held(), await held()];
      const inside = pausePoint('inside the write');
      const pids: number[] = [];
      const write = whileHeld(pool.db, cluster.hold, async (tx) => {
        const [backend] = await tx.execute<{ pid: number }>(whoAmI);
        pids.push(backend?.pid ?? 0);
        await inside.pause();
        await recordNetwork(tx, cluster.id, { publicIp: '10.9.9.9' });
      }).catch((error: unknown) => error);
      await inside.reached;
      await cutOff(pids[0] ?? 0);
      const rolledBack = whileHeld(pool.db, other.hold, async (tx) => {
        await recordNetwork(tx, other.id, { publicIp: '10.1.1.1' });
        inside.goOn();
        await write;
        throw new Error('roll back');
      });
      await expect(rolledBack).rejects.toThrow('roll back');
      expect(await clusterRow(scratch.sql, other.id)).toMatchObject({ public_ip: null });
      expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ public_ip: null });
    });
  });

  test.each(poolSizes)('hears of it while a statement runs, and the pool of %d goes on', async (max) => {
    await withPool(max, async (pool) => {
      const pids: number[] = [];
      const write = pool.db
        .transaction(async (tx) => {
          const [backend] = await tx.execute<{ pid: number }>(whoAmI);
          pids.push(backend?.pid ?? 0);
          await tx.execute(statement`select pg_sleep(60)`);
        })
        .catch((error: unknown) => error);
      await untilRunning('select pg_sleep(60)');
      await cutOff(pids[0] ?? 0);
      expect(databaseIsAway(await write)).toBe(true);
      // The driver repeats the news once, to whoever asks next on that connection: an error that says the database is away.
      const round = () => Promise.allSettled(Array.from({ length: max }, () => alive(pool)));
      const missed = (await round()).flatMap((each) =>
        each.status === 'rejected' ? [databaseIsAway(each.reason)] : [],
      );
      expect(missed.every((away) => away)).toBe(true);
      expect(missed.length).toBeLessThanOrEqual(1);
      expect((await round()).map((each) => each.status)).toEqual(Array.from({ length: max }, () => 'fulfilled'));
    });
  });

  test('is told at once, and what it says next is refused, whatever it does with the error', async () => {
    await withPool(1, async (pool) => {
      const cluster = await held();
      const attempts: unknown[] = [];
      const lost = pausePoint('the connection is lost');
      const write = pool.db
        .transaction(async (tx) => {
          const [backend] = await tx.execute<{ pid: number }>(whoAmI);
          await cutOff(backend?.pid ?? 0);
          await lost.pause();
          for (let attempt = 0; attempt < 3; attempt += 1) {
            attempts.push(
              await recordNetwork(tx, cluster.id, { publicIp: '10.9.9.9' }).then(
                () => 'written',
                () => 'refused',
              ),
            );
          }
        })
        .catch((error: unknown) => error);
      await lost.reached;
      expect(databaseIsAway(await write)).toBe(true);
      expect(await alive(pool)).toBe(1);
      lost.goOn();
      await expect.poll(() => attempts).toEqual(['refused', 'refused', 'refused']);
      expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ public_ip: null });
    });
  });

  test.each(poolSizes)(
    'the same with PostgreSQL that loses patience with an idle transaction, and %d connections',
    async (max) => {
      await withPool(max, async (pool) => {
        const cluster = await held();
        const inside = pausePoint('inside the write');
        const write = whileHeld(pool.db, cluster.hold, async (tx) => {
          await tx.execute(statement`set local idle_in_transaction_session_timeout = '50ms'`);
          await inside.pause();
          await recordNetwork(tx, cluster.id, { publicIp: '10.9.9.9' });
        }).catch((error: unknown) => error);
        await inside.reached;
        expect(databaseIsAway(await write)).toBe(true);
        expect(await alive(pool)).toBe(1);
        inside.goOn();
        for (let query = 0; query < max * 2; query += 1) expect(await alive(pool)).toBe(1);
        expect(await clusterRow(scratch.sql, cluster.id)).toMatchObject({ public_ip: null });
      });
    },
  );
});

async function untilRunning(query: string): Promise<void> {
  await expect
    .poll(async () => {
      const rows =
        await scratch.sql`select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query = ${query}`;
      return rows.length;
    })
    .toBe(1);
}
