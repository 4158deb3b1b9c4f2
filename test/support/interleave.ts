import type postgres from 'postgres';
import type { DatabaseHandle } from '@/db/client';

/** How long a forced interleaving may take to come about before the test fails; never waited for when all is well. */
const patienceMs = 10_000;

/** A named point at which one side of a race stops until the test lets it go on. */
export interface PausePoint {
  /** Called by the side that pauses. */
  pause(): Promise<void>;
  /** Resolves when it has got there. */
  readonly reached: Promise<void>;
  goOn(): void;
}

export function pausePoint(name: string): PausePoint {
  const arrived = signal();
  const released = signal();
  return {
    reached: within(arrived.promise, `pause point "${name}" was not reached`),
    pause: () => {
      arrived.fire();
      return within(released.promise, `pause point "${name}" was never released`);
    },
    goOn: () => released.fire(),
  };
}

/** A transaction on a connection of its own that stays open until it is told. */
export interface OpenTransaction {
  readonly sql: postgres.ReservedSql;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export async function openTransaction(handle: DatabaseHandle): Promise<OpenTransaction> {
  const sql = await handle.sql.reserve();
  await sql`begin`;
  // It idles on purpose, for as long as the machine needs to bring the others to their places.
  await sql`set local idle_in_transaction_session_timeout = 0`;
  const finish = async (how: 'commit' | 'rollback'): Promise<void> => {
    try {
      await sql.unsafe(how);
    } finally {
      sql.release();
    }
  };
  return { sql, commit: () => finish('commit'), rollback: () => finish('rollback') };
}

/** Resolves when exactly `count` backends of this database wait for a lock; asks PostgreSQL again and again, without sleeping. */
export async function untilWaiting(handle: DatabaseHandle, count: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const [row] = await handle.sql<{ waiting: number }[]>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row?.waiting === count) return;
    if (performance.now() > deadline)
      throw new Error(`${row?.waiting} backends wait for a lock; ${count} were expected`);
  }
}

/**
 * Makes contenders meet a locked row in the order given: locks it, starts each contender and sees it wait, then lets go.
 * PostgreSQL serves waiters in their order, so the first named is the first served. `meanwhile` runs in the locking transaction.
 */
export async function queueUp<const T extends readonly (() => Promise<unknown>)[]>(
  handle: DatabaseHandle,
  row: {
    table: 'clusters' | 'jobs' | 'servers';
    id: string;
    meanwhile?: (sql: postgres.ReservedSql) => Promise<unknown>;
  },
  contenders: T,
): Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
  const blocker = await openTransaction(handle);
  const running: Promise<unknown>[] = [];
  try {
    await blocker.sql`select from ${blocker.sql(row.table)} where id = ${row.id} for no key update`;
    for (const contender of contenders) {
      const promise = contender();
      promise.catch(() => undefined); // heard of below; not yet awaited while the others queue
      running.push(promise);
      await untilWaiting(handle, running.length);
    }
    await row.meanwhile?.(blocker.sql);
    await blocker.commit();
  } catch (error) {
    await blocker.rollback().catch(() => undefined);
    throw error;
  }
  // Promise.all cannot see that the answers have the shape of the contenders.
  return (await Promise.all(running)) as { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> };
}

function signal(): { readonly promise: Promise<void>; fire(): void } {
  let fire: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

function within<T>(promise: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), patienceMs);
  });
  const settled = Promise.race([promise, late]).finally(() => clearTimeout(timer));
  settled.catch(() => undefined);
  return settled;
}
