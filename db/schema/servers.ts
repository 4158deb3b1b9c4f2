import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, serverState } from './enums';

/** One row a boot; a restart is another one. Times are PostgreSQL's. */
export const servers = pgTable(
  'servers',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    url: text(),
    version: text().notNull(),
    /** 2: records cluster id and token in its jobs. 1: an older server (MIX-1). */
    protocol: integer().notNull().default(2),
    pid: integer(),
    state: serverState().notNull().default('up'),
    startedAt: at('started_at').notNull().default(sql`clock_timestamp()`),
    lastBeatAt: at('last_beat_at').notNull().default(sql`clock_timestamp()`),
    leaseUntil: at('lease_until').notNull(),
    /** Since when it has renewed without a gap; a pass of a server that just came back declares nobody departed. */
    renewedSince: at('renewed_since').notNull().default(sql`clock_timestamp()`),
    departedAt: at('departed_at'),
    departure: text().$type<'crashed' | 'goodbye' | 'replaced'>(),
  },
  (table) => [
    index('servers_alive').on(table.id).where(sql`state <> 'departed'`),
    index('servers_name').on(table.name, table.startedAt),
  ],
);
