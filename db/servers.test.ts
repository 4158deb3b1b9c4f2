import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { backdateBeat, beatMs, departNow, insertServer, leaseMs, uniqueName } from '@/test/support/fixtures';
import { queueUp } from '@/test/support/interleave';
import { scratchDatabase } from '@/test/support/scratch';
import {
  departServer,
  markDeparted,
  prepareBeat,
  registerServer,
  serverAvailability,
  serverLiveness,
  setDraining,
} from './servers';

const scratch = scratchDatabase();

interface ServerRow {
  readonly state: string;
  readonly departure: string | null;
  readonly departed_at: string | null;
  readonly lease_ms: number;
  readonly renewed_ms: number;
  readonly silent_ms: number;
}

async function serverRow(id: string): Promise<ServerRow> {
  const [row] = await scratch.sql<ServerRow[]>`select state, departure, departed_at,
    (extract(epoch from lease_until - clock_timestamp()) * 1000)::float8 as lease_ms,
    (extract(epoch from clock_timestamp() - renewed_since) * 1000)::float8 as renewed_ms,
    (extract(epoch from clock_timestamp() - last_beat_at) * 1000)::float8 as silent_ms from servers where id = ${id}`;
  if (row === undefined) throw new Error(`no server ${id}`);
  return row;
}

async function register(name = uniqueName('server')): Promise<string> {
  const id = randomUUID();
  await registerServer(scratch.db, { id, name, url: 'http://127.0.0.1:1', version: '0.1.0', pid: 1, leaseMs });
  return id;
}

const beat = (id: string) => prepareBeat(scratch.db, leaseMs)(id);
const mark = (judge: string) => scratch.db.transaction((tx) => markDeparted(tx, { serverId: judge, leaseMs, beatMs }));
const names = (departed: readonly { id: string }[]) => departed.map(({ id }) => id);

/** As if PostgreSQL had been away for this long: nobody has beaten, and every clock has gone on. */
async function outage(ms: number): Promise<void> {
  const past = scratch.sql`${ms} * interval '1 millisecond'`;
  await scratch.sql`update servers set last_beat_at = last_beat_at - ${past}, lease_until = lease_until - ${past},
    renewed_since = renewed_since - ${past}, started_at = started_at - ${past} where state <> 'departed'`;
}

/** Each test looks at all servers that are not departed, so it begins with none. */
async function alone(): Promise<void> {
  await scratch.sql`update servers set state = 'departed', departed_at = clock_timestamp(), departure = 'goodbye' where state <> 'departed'`;
}

describe('a lease', () => {
  test('begins with the registration and is renewed by each beat, on the clock of PostgreSQL', async () => {
    const id = await register();
    expect((await serverRow(id)).lease_ms).toBeGreaterThan(leaseMs - 1000);
    await backdateBeat(scratch.sql, id, beatMs);
    expect(await beat(id)).toBe('up');
    const row = await serverRow(id);
    expect(row.lease_ms).toBeGreaterThan(leaseMs - 1000);
    expect(row.lease_ms).toBeLessThanOrEqual(leaseMs);
  });

  test('renewed in time keeps counting; renewed after a gap counts anew', async () => {
    const id = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, id, beatMs);
    await beat(id);
    expect((await serverRow(id)).renewed_ms).toBeGreaterThan(50_000);
    await backdateBeat(scratch.sql, id, leaseMs + 1);
    await beat(id);
    expect((await serverRow(id)).renewed_ms).toBeLessThan(1000);
  });

  test('a beat says that its server is draining, and leaves it so', async () => {
    const id = await register();
    expect(await setDraining(scratch.db, id, true)).toBe(true);
    expect(await beat(id)).toBe('draining');
    expect(await setDraining(scratch.db, id, true)).toBe(false);
    expect(await setDraining(scratch.db, id, false)).toBe(true);
    expect(await beat(id)).toBe('up');
    expect(await setDraining(scratch.db, id, false)).toBe(false);
  });
});

describe('a departure', () => {
  test('REC-3 is for those whose lease has run out, and for nobody else', async () => {
    await alone();
    const judge = await insertServer(scratch.sql);
    const [late, silent, crashed] = [
      await insertServer(scratch.sql),
      await insertServer(scratch.sql),
      await insertServer(scratch.sql),
    ];
    await backdateBeat(scratch.sql, late, beatMs + 1);
    await backdateBeat(scratch.sql, silent, leaseMs - 500);
    await backdateBeat(scratch.sql, crashed, leaseMs + 1);
    expect(await mark(judge)).toEqual([expect.objectContaining({ id: crashed, departure: 'crashed' })]);
    expect(await serverRow(crashed)).toMatchObject({ state: 'departed', departure: 'crashed' });
    expect(await mark(judge)).toEqual([]);
  });

  test('REC-3 a draining server whose lease has run out departs too', async () => {
    await alone();
    const judge = await insertServer(scratch.sql);
    const draining = await insertServer(scratch.sql, { state: 'draining' });
    await backdateBeat(scratch.sql, draining, leaseMs + 1);
    expect(names(await mark(judge))).toEqual([draining]);
  });

  test('is final: the boot beats no more, drains no more, and says goodbye no more', async () => {
    const id = await register();
    await backdateBeat(scratch.sql, id, beatMs);
    await departNow(scratch.sql, id);
    const before = await serverRow(id);
    expect(await beat(id)).toBe('gone');
    expect(await setDraining(scratch.db, id, true)).toBe(false);
    await departServer(scratch.db, id, 'goodbye');
    expect(await serverRow(id)).toMatchObject({
      state: 'departed',
      departure: 'crashed',
      departed_at: before.departed_at,
    });
    expect((await serverRow(id)).lease_ms).toBeLessThan(before.lease_ms);
  });

  test('an unknown boot is gone', async () => {
    expect(await beat(randomUUID())).toBe('gone');
  });

  test('and a beat at once: the beat first keeps the server, whose lease had run out', async () => {
    await alone();
    const judge = await insertServer(scratch.sql);
    const id = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, id, leaseMs + 1);
    const [answer, departed] = await queueUp(scratch.another(), { table: 'servers', id }, [
      () => beat(id),
      () => mark(judge),
    ]);
    expect([answer, departed]).toEqual(['up', []]);
    expect(await serverRow(id)).toMatchObject({ state: 'up' });
  });

  test('and a beat at once: the departure first makes the beat come too late', async () => {
    await alone();
    const judge = await insertServer(scratch.sql);
    const id = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, id, leaseMs + 1);
    const [departed, answer] = await queueUp(scratch.another(), { table: 'servers', id }, [
      () => mark(judge),
      () => beat(id),
    ]);
    expect([names(departed), answer]).toEqual([[id], 'gone']);
  });

  test('a goodbye ends the lease at once, and is no crash; twice is once', async () => {
    const id = await register();
    await departServer(scratch.db, id, 'goodbye');
    const row = await serverRow(id);
    expect(row).toMatchObject({ state: 'departed', departure: 'goodbye' });
    expect(row.lease_ms).toBeLessThanOrEqual(0);
    await departServer(scratch.db, id, 'goodbye');
    expect(await serverRow(id)).toMatchObject({ departed_at: row.departed_at });
  });
});

describe('who may judge', () => {
  test('REC-3 a server that has renewed for less than one lease judges nobody', async () => {
    await alone();
    const young = await register();
    const crashed = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, crashed, leaseMs * 10);
    expect(await mark(young)).toEqual([]);
    await scratch.sql`update servers set renewed_since = clock_timestamp() - ${leaseMs + 1} * interval '1 millisecond' where id = ${young}`;
    expect(names(await mark(young))).toEqual([crashed]);
  });

  test('REC-3 a server that has departed, or whose own lease has run out, judges nobody', async () => {
    await alone();
    const crashed = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, crashed, leaseMs * 10);
    expect(await mark(await insertServer(scratch.sql, { state: 'departed' }))).toEqual([]);
    const late = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, late, leaseMs + 1);
    expect(await mark(late)).toEqual([]);
    expect(await mark(randomUUID())).toEqual([]);
  });

  // Outages of every length around one lease; the judge beats before, between or not at all.
  test.each([3000, 5000, 6500, 7500, 7900, 8500, 20_000, 600_000])(
    'REC-3 an outage of the database of %d ms makes nobody an orphan',
    async (ms) => {
      await alone();
      const [judge, other] = [await insertServer(scratch.sql), await insertServer(scratch.sql)];
      // The other's last beat before the outage was one beat ago, the judge's just now.
      await backdateBeat(scratch.sql, other, beatMs - 1);
      await outage(ms);
      expect(await mark(judge)).toEqual([]);
      expect(await beat(judge)).toBe('up');
      expect(await mark(judge)).toEqual([]);
      expect(await beat(other)).toBe('up');
      expect(await mark(judge)).toEqual([]);
    },
  );

  test('REC-3 one lease after an outage who has not come back has departed', async () => {
    await alone();
    const [judge, crashed] = [await insertServer(scratch.sql), await insertServer(scratch.sql)];
    await outage(60_000);
    await beat(judge);
    for (let passed = 0; passed < leaseMs; passed += beatMs) {
      expect(await mark(judge)).toEqual([]);
      await outage(beatMs);
      await beat(judge);
    }
    expect(names(await mark(judge))).toEqual([crashed]);
  });

  test('a late beat or two, as under load, does not take the judgement away', async () => {
    await alone();
    const [judge, crashed] = [await insertServer(scratch.sql), await insertServer(scratch.sql)];
    await backdateBeat(scratch.sql, crashed, leaseMs * 2);
    await backdateBeat(scratch.sql, judge, beatMs + 500);
    expect(names(await mark(judge))).toEqual([crashed]);
    await beat(judge);
    expect((await serverRow(judge)).renewed_ms).toBeGreaterThan(50_000);
  });
});

describe('a name that comes back', () => {
  test('REC-3 replaces its earlier boot after two beats, not before, without waiting for the lease', async () => {
    await alone();
    const name = uniqueName('server');
    const earlier = await insertServer(scratch.sql, { name });
    const later = await register(name);
    await backdateBeat(scratch.sql, earlier, beatMs * 2 - 500);
    expect(await mark(later)).toEqual([]);
    await backdateBeat(scratch.sql, earlier, beatMs * 2 + 1);
    expect((await serverRow(earlier)).lease_ms).toBeGreaterThan(0);
    expect(await mark(later)).toEqual([expect.objectContaining({ id: earlier, departure: 'replaced' })]);
    expect(await beat(earlier)).toBe('gone');
    expect(await beat(later)).toBe('up');
  });

  test('never the later boot, and nobody of another name', async () => {
    await alone();
    const name = uniqueName('server');
    const earlier = await insertServer(scratch.sql, { name });
    const later = await register(name);
    const other = await insertServer(scratch.sql);
    for (const id of [later, other]) await backdateBeat(scratch.sql, id, beatMs * 2 + 1);
    expect(await mark(earlier)).toEqual([]);
  });
});

describe('what pages and the policy ask', () => {
  test('a server is silent after two beats and departed only when marked', async () => {
    const [up, silent, gone] = [
      await insertServer(scratch.sql),
      await insertServer(scratch.sql),
      await insertServer(scratch.sql, { state: 'departed' }),
    ];
    await backdateBeat(scratch.sql, silent, beatMs * 2 + 1);
    const found = await serverLiveness(scratch.db, [up, silent, gone, randomUUID()], beatMs);
    expect(found.get(up)).toMatchObject({ departed: false, silent: false });
    expect(found.get(silent)).toMatchObject({ departed: false, silent: true });
    expect(found.get(gone)).toMatchObject({ departed: true });
    expect(found.size).toBe(3);
    expect((await serverLiveness(scratch.db, [], beatMs)).size).toBe(0);
  });

  test('work can be taken while one server is up with a lease', async () => {
    await alone();
    const id = randomUUID();
    expect(await serverAvailability(scratch.db, id)).toEqual({ available: false, draining: false });
    const draining = await insertServer(scratch.sql, { state: 'draining' });
    expect(await serverAvailability(scratch.db, draining)).toEqual({ available: false, draining: true });
    const late = await insertServer(scratch.sql);
    await backdateBeat(scratch.sql, late, leaseMs + 1);
    expect(await serverAvailability(scratch.db, id)).toEqual({ available: false, draining: false });
    await insertServer(scratch.sql);
    expect(await serverAvailability(scratch.db, draining)).toEqual({ available: true, draining: true });
  });
});
