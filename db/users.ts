/** Users as the pages see them, and how accounts come to be. What changes an account is in user-changes.ts. */
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Actor, Role } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { Database, Queryable, Transaction } from './client';
import { recordEvent } from './events';
import { accounts, sessions, users } from './schema/auth';

export interface UserListItem {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly disabled: boolean;
  /** False: it was made with a one-time link that nobody has used yet. */
  readonly hasPassword: boolean;
  readonly activeSessions: number;
  /** Of the sessions that are still alive. */
  readonly lastSignInAt: string | null;
  readonly createdAt: string;
}

export async function hasAnyUser(queryable: Queryable): Promise<boolean> {
  const rows = await queryable.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

export async function listUsers(queryable: Queryable): Promise<UserListItem[]> {
  const rows = await queryable
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      disabled: users.banned,
      createdAt: users.createdAt,
      hasPassword: sql<boolean>`exists (select from ${accounts} where ${accounts.userId} = ${users.id} and ${accounts.password} is not null)`,
      activeSessions: sql<number>`count(${sessions.id})::int`,
      lastSignInAt: sql<string | null>`to_json(max(${sessions.createdAt}))#>>'{}'`,
    })
    .from(users)
    .leftJoin(sessions, and(eq(sessions.userId, users.id), gt(sessions.expiresAt, sql`now()`)))
    .groupBy(users.id)
    .orderBy(asc(users.name), asc(users.email));
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt === null ? null : new Date(row.lastSignInAt).toISOString(),
  }));
}

export async function findUserByEmail(
  queryable: Queryable,
  email: string,
): Promise<{ id: string; name: string; role: Role } | null> {
  const [row] = await queryable
    .select({ id: users.id, name: users.name, role: users.role })
    .from(users)
    .where(eq(users.email, email.toLowerCase()));
  return row ?? null;
}

export interface NewUser {
  readonly actor: Actor;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Null: no password yet; a one-time link sets it. */
  readonly passwordHash: string | null;
}

/** Makes an account, with its event. Refuses as invalid when the e-mail is taken. */
export async function createUser(db: Database, wanted: NewUser): Promise<Result<{ id: string }, Refusal>> {
  return db.transaction(async (tx) => {
    const email = wanted.email.toLowerCase();
    // The unique index decides between two admins who add the same person; no row back means the other one was first.
    const [made] = await tx
      .insert(users)
      .values({ id: crypto.randomUUID(), name: wanted.name, email, role: wanted.role, emailVerified: true })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (made === undefined) {
      const message = 'An account with this e-mail exists already.';
      return refused({ code: 'invalid', message, issues: [{ field: 'email', message }] });
    }
    if (wanted.passwordHash !== null) await storePassword(tx, { userId: made.id, passwordHash: wanted.passwordHash });
    const summary = `${wanted.actor.name} added ${email} as ${wanted.role}.`;
    await recordEvent(tx, {
      type: 'user.changed',
      result: 'ok',
      actor: wanted.actor,
      summary,
      detail: { userId: made.id },
    });
    return accepted(made);
  });
}

/** Sets the password in the form in which better-auth looks for it. */
export async function storePassword(tx: Transaction, of: { userId: string; passwordHash: string }): Promise<void> {
  const changed = await tx
    .update(accounts)
    .set({ password: of.passwordHash, updatedAt: sql`now()` })
    .where(and(eq(accounts.userId, of.userId), eq(accounts.providerId, 'credential')))
    .returning({ id: accounts.id });
  if (changed.length > 0) return;
  await tx.insert(accounts).values({
    id: crypto.randomUUID(),
    accountId: of.userId,
    providerId: 'credential',
    userId: of.userId,
    password: of.passwordHash,
  });
}

export async function deleteSessions(tx: Queryable, userId: string): Promise<number> {
  const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id });
  return ended.length;
}
