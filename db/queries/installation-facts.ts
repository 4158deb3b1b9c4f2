/** What the settings page says of the database and of the servers that are up. */
import { count, eq, ne, sql } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { installationId } from '@/db/clusters';
import { servers } from '@/db/schema/servers';
import { knownMigrationCount } from '@/db/schema-version';
import type { Reader } from './reader';

export interface InstallationFacts {
  readonly installationId: string;
  readonly postgresVersion: string;
  readonly schema: { readonly applied: number; readonly known: number };
  /** PostgreSQL's time when it answered, in milliseconds since 1970. */
  readonly databaseNowMs: number;
  readonly thisServer: { readonly id: string; readonly name: string } | null;
  /** Of the servers that have not departed: protocol and version, and how many have them. */
  readonly fleet: readonly { readonly protocol: number; readonly version: string; readonly count: number }[];
}

export async function installationFacts(queryable: Queryable, reader: Reader): Promise<InstallationFacts> {
  const [id, facts, fleet, own] = await Promise.all([
    installationId(queryable),
    queryable.execute<{ version: string; applied: number; now: number }>(sql`
      select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
        (select count(*)::int from drizzle.__drizzle_migrations) as applied`),
    queryable
      .select({ protocol: servers.protocol, version: servers.version, count: count() })
      .from(servers)
      .where(ne(servers.state, 'departed'))
      .groupBy(servers.protocol, servers.version)
      .orderBy(servers.protocol, servers.version),
    queryable.select({ id: servers.id, name: servers.name }).from(servers).where(eq(servers.id, reader.serverId)),
  ]);
  const row = facts[0];
  if (row === undefined) throw new Error('PostgreSQL answered without a row');
  return {
    installationId: id,
    postgresVersion: row.version.split(' ')[0] ?? row.version,
    schema: { applied: row.applied, known: knownMigrationCount() },
    databaseNowMs: row.now,
    thisServer: own[0] ?? null,
    fleet,
  };
}
