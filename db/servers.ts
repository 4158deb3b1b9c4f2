/** Servers: one row a boot, a heartbeat, a lease on PostgreSQL's clock (design sections 2 and 5). */
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from './client';
import { servers } from './schema/servers';

export interface NewServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly version: string;
  readonly pid: number;
  readonly leaseMs: number;
}

function leaseEnd(leaseMs: number) {
  return sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
}

export async function registerServer(queryable: Queryable, server: NewServer): Promise<void> {
  const { leaseMs, ...row } = server;
  await queryable.insert(servers).values({ ...row, leaseUntil: leaseEnd(leaseMs) });
}

/**
 * Whether a server has let half a lease go by without a beat. An outage that is shorter than the judge's own lease can still
 * outlast the leases of others that had beaten earlier; with beats every quarter of a lease, one of up to half a lease cannot.
 */
function paused(alias: SQL, leaseMs: number) {
  return sql`${alias}.last_beat_at < clock_timestamp() - ${leaseMs / 2} * interval '1 millisecond'`;
}

/**
 * Renews a lease. `gone`: this boot is departed, for good (it must abort its work and register as a new boot or exit).
 * After a gap (half a lease without a beat) the renewal starts counting anew: such a server judges nobody for one full lease.
 */
export function prepareBeat(db: Database, leaseMs: number) {
  const query = db
    .update(servers)
    .set({
      lastBeatAt: sql`clock_timestamp()`,
      renewedSince: sql`case when ${paused(sql`servers`, leaseMs)} then clock_timestamp() else ${servers.renewedSince} end`,
      leaseUntil: leaseEnd(leaseMs),
    })
    .where(and(eq(servers.id, sql.placeholder('id')), sql`${servers.state} <> 'departed'`))
    .returning({ state: servers.state })
    .prepare('server_beat');
  return async (serverId: string): Promise<'up' | 'draining' | 'gone'> => {
    const [row] = await query.execute({ id: serverId });
    if (row === undefined || row.state === 'departed') return 'gone';
    return row.state;
  };
}

/** Says goodbye: its lease is over now and its departure is clean. May be called twice. */
export async function departServer(queryable: Queryable, serverId: string, departure: 'goodbye'): Promise<void> {
  await queryable
    .update(servers)
    .set({ state: 'departed', departure, departedAt: sql`clock_timestamp()`, leaseUntil: sql`clock_timestamp()` })
    .where(and(eq(servers.id, serverId), ne(servers.state, 'departed')));
}

/** Up ↔ draining: a draining server takes no new work. False when it is neither as expected nor alive. */
export async function setDraining(queryable: Queryable, serverId: string, draining: boolean): Promise<boolean> {
  const rows = await queryable
    .update(servers)
    .set({ state: draining ? 'draining' : 'up' })
    .where(and(eq(servers.id, serverId), eq(servers.state, draining ? 'up' : 'draining')))
    .returning({ id: servers.id });
  return rows.length === 1;
}

export interface Departed {
  readonly id: string;
  readonly name: string;
  readonly departure: 'crashed' | 'replaced';
}

/**
 * Marks departed whoever's lease has run out, or whose name came back under a later boot while its last beat is older than two
 * beats. Judged by PostgreSQL's clock and only if the judging server itself renewed without a gap for one full lease, so that an
 * outage of the database makes nobody an orphan.
 */
export async function markDeparted(
  tx: Transaction,
  judge: { serverId: string; leaseMs: number; beatMs: number },
): Promise<readonly Departed[]> {
  const trusted = sql`exists (select 1 from servers judge where judge.id = ${judge.serverId} and judge.state <> 'departed'
    and judge.lease_until > clock_timestamp() and not ${paused(sql`judge`, judge.leaseMs)}
    and judge.renewed_since <= clock_timestamp() - ${judge.leaseMs} * interval '1 millisecond')`;
  const replaced = sql`(${servers.lastBeatAt} < clock_timestamp() - ${judge.beatMs * 2} * interval '1 millisecond'
    and exists (select 1 from servers later where later.name = servers.name and later.started_at > servers.started_at))`;
  const rows = await tx
    .update(servers)
    .set({
      state: 'departed',
      departedAt: sql`clock_timestamp()`,
      departure: sql`case when ${replaced} then 'replaced' else 'crashed' end`,
    })
    .where(
      and(
        ne(servers.state, 'departed'),
        sql`((${servers.leaseUntil} < clock_timestamp() and ${trusted}) or ${replaced})`,
      ),
    )
    .returning({ id: servers.id, name: servers.name, departure: servers.departure });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    departure: row.departure === 'replaced' ? 'replaced' : 'crashed',
  }));
}

export interface ServerLiveness {
  readonly id: string;
  readonly name: string;
  readonly departed: boolean;
  /** Missed two beats, lease not over. */
  readonly silent: boolean;
}

export async function serverLiveness(
  queryable: Queryable,
  ids: readonly string[],
  beatMs: number,
): Promise<ReadonlyMap<string, ServerLiveness>> {
  if (ids.length === 0) return new Map();
  const rows = await queryable
    .select({
      id: servers.id,
      name: servers.name,
      departed: sql<boolean>`${servers.state} = 'departed'`,
      silent: sql<boolean>`${servers.lastBeatAt} < clock_timestamp() - ${beatMs * 2} * interval '1 millisecond'`,
    })
    .from(servers)
    .where(inArray(servers.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether any server is up to run work, and whether this one is draining: facts for the policy. */
export async function serverAvailability(
  queryable: Queryable,
  serverId: string,
): Promise<{ available: boolean; draining: boolean }> {
  const [row] = await queryable
    .select({
      available: sql<boolean>`coalesce(bool_or(${servers.state} = 'up' and ${servers.leaseUntil} > clock_timestamp()), false)`,
      draining: sql<boolean>`coalesce(bool_or(${servers.id} = ${serverId} and ${servers.state} = 'draining'), false)`,
    })
    .from(servers)
    .where(ne(servers.state, 'departed'));
  return { available: row?.available ?? false, draining: row?.draining ?? false };
}
