/*
 * db/queries — what pages and the API read: named columns, plain values (times as ISO texts), for an actor. No row leaves it.
 */
import { sql } from 'drizzle-orm';
import { servers } from '@/db/schema/servers';
import type { Actor } from '@/domain/actor';

/** Who reads, and where: some answers depend on the server that would run the work and on how late a beat may be. */
export interface Reader {
  readonly actor: Actor;
  readonly serverId: string;
  readonly beatMs: number;
  /** How long after its last beat a server counts as gone, and how often a pass is asked for. */
  readonly leaseMs: number;
  readonly cronPeriodMs: number;
}

/** `silent`: two beats are missing. `dead`: departed, or its lease is over. Null: there is no server. */
export type ServerHealth = 'live' | 'silent' | 'dead';

/** Needs `servers` in the statement, joined to the job. Judged by PostgreSQL's clock. */
export function serverHealth(beatMs: number) {
  return sql<ServerHealth | null>`case when ${servers.id} is null then null
    when ${servers.state} = 'departed' or ${servers.leaseUntil} < clock_timestamp() then 'dead'
    when ${servers.lastBeatAt} < clock_timestamp() - ${beatMs * 2}::float8 * interval '1 millisecond' then 'silent'
    else 'live' end`;
}

export const iso = (date: Date): string => date.toISOString();
export const isoOrNull = (date: Date | null): string | null => (date === null ? null : date.toISOString());
