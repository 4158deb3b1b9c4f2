/** API tokens: only their hash is stored; a token that is revoked or over is found by nobody. */
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Role } from '@/domain/actor';
import type { Queryable } from './client';
import { apiTokens } from './schema/auth';

export interface ApiTokenListItem {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly state: 'live' | 'over' | 'revoked';
}

export interface NewApiToken {
  readonly name: string;
  readonly tokenHash: string;
  readonly role: Role;
  readonly createdBy: string;
  /** Null: it never ends by itself. */
  readonly lifeDays: number | null;
}

export async function insertApiToken(queryable: Queryable, token: NewApiToken): Promise<{ id: string }> {
  const { lifeDays, ...row } = token;
  const expiresAt = lifeDays === null ? null : sql`now() + ${lifeDays} * interval '1 day'`;
  const [inserted] = await queryable
    .insert(apiTokens)
    .values({ ...row, expiresAt })
    .returning({ id: apiTokens.id });
  if (inserted === undefined) throw new Error('an inserted API token came back without a row');
  return inserted;
}

const alive = and(isNull(apiTokens.revokedAt), or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`now()`)));

/** The live token with this hash, or null. Notes its use at most once a minute, so that reads do not all write. */
export async function findLiveApiToken(
  queryable: Queryable,
  tokenHash: string,
): Promise<{ id: string; name: string; role: Role } | null> {
  const [found] = await queryable
    .select({ id: apiTokens.id, name: apiTokens.name, role: apiTokens.role })
    .from(apiTokens)
    .where(and(eq(apiTokens.tokenHash, tokenHash), alive));
  if (found === undefined) return null;
  await queryable
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(apiTokens.id, found.id),
        or(isNull(apiTokens.lastUsedAt), sql`${apiTokens.lastUsedAt} < now() - interval '1 minute'`),
      ),
    );
  return found;
}

export async function listApiTokens(queryable: Queryable): Promise<ApiTokenListItem[]> {
  const rows = await queryable
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      role: apiTokens.role,
      createdBy: apiTokens.createdBy,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      // By the database's clock, as for the requests themselves.
      state: sql<
        'live' | 'over' | 'revoked'
      >`case when ${apiTokens.revokedAt} is not null then 'revoked' when ${apiTokens.expiresAt} <= now() then 'over' else 'live' end`,
    })
    .from(apiTokens)
    .orderBy(desc(apiTokens.createdAt));
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }));
}

/** Its name when this call revoked it; null when there is no such live token. */
export async function revokeApiToken(queryable: Queryable, id: string): Promise<string | null> {
  const [row] = await queryable
    .update(apiTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt)))
    .returning({ name: apiTokens.name });
  return row?.name ?? null;
}
