/** One-time links: for an admin (setup_links), and for one account's password (better-auth's verifications). Only hashes. */
import { and, eq, gt, isNull, like, sql } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Database, Queryable } from './client';
import { recordEvent } from './events';
import { setupLinks, users, verifications } from './schema/auth';
import { deleteSessions, storePassword } from './users';

const linkLife = sql`now() + interval '24 hours'`;
const unused = and(isNull(setupLinks.usedAt), gt(setupLinks.expiresAt, sql`now()`));

export async function insertSetupLink(queryable: Queryable, tokenHash: string): Promise<void> {
  await queryable.insert(setupLinks).values({ tokenHash, expiresAt: linkLife });
}

/** Whether the link still works, for what the page shows. Only claiming decides. */
export async function isSetupLinkOpen(queryable: Queryable, tokenHash: string): Promise<boolean> {
  const rows = await queryable
    .select({ at: setupLinks.expiresAt })
    .from(setupLinks)
    .where(and(eq(setupLinks.tokenHash, tokenHash), unused));
  return rows.length > 0;
}

/**
 * Uses up the link and makes the admin, in one transaction. An account with this e-mail becomes admin again, is enabled,
 * gets the password and is signed out everywhere. Null: the link is unknown, used or over, and nothing was changed.
 */
export async function claimSetupLink(
  db: Database,
  wanted: { tokenHash: string; name: string; email: string; passwordHash: string },
): Promise<{ userId: string; made: boolean } | null> {
  return db.transaction(async (tx) => {
    // Of two visitors with one link, the second waits for this row, then finds it used and gets no row.
    const claimed = await tx
      .update(setupLinks)
      .set({ usedAt: sql`now()` })
      .where(and(eq(setupLinks.tokenHash, wanted.tokenHash), unused))
      .returning({ at: setupLinks.usedAt });
    if (claimed.length === 0) return null;
    const email = wanted.email.toLowerCase();
    const [user] = await tx
      .insert(users)
      .values({ id: crypto.randomUUID(), name: wanted.name, email, role: 'admin', emailVerified: true })
      .onConflictDoUpdate({
        target: users.email,
        set: { role: 'admin', banned: false, banReason: null, banExpires: null, updatedAt: sql`now()` },
      })
      .returning({ id: users.id, name: users.name, made: sql<boolean>`xmax = 0` });
    if (user === undefined) throw new Error('an inserted account came back without a row');
    await storePassword(tx, { userId: user.id, passwordHash: wanted.passwordHash });
    await deleteSessions(tx, user.id);
    const actor: Actor = { kind: 'user', id: user.id, name: user.name, role: 'admin' };
    const summary = user.made
      ? `${email} was made admin with a setup link.`
      : `${email} became admin again with a setup link.`;
    await recordEvent(tx, { type: 'user.changed', result: 'ok', actor, summary, detail: { userId: user.id } });
    return { userId: user.id, made: user.made };
  });
}

const invitePrefix = 'password-link|';

/** A new link ends an account's older ones. */
export async function insertPasswordLink(
  queryable: Queryable,
  link: { tokenHash: string; userId: string },
): Promise<void> {
  await queryable
    .delete(verifications)
    .where(and(eq(verifications.value, link.userId), like(verifications.identifier, `${invitePrefix}%`)));
  await queryable.insert(verifications).values({
    id: crypto.randomUUID(),
    identifier: `${invitePrefix}${link.tokenHash}`,
    value: link.userId,
    expiresAt: linkLife as unknown as Date,
  });
}

/** Whose password the link sets, or null when it is unknown, used, over, or the account is disabled. */
export async function findPasswordLink(
  queryable: Queryable,
  tokenHash: string,
): Promise<{ name: string; email: string } | null> {
  const [row] = await queryable
    .select({ name: users.name, email: users.email })
    .from(verifications)
    .innerJoin(users, eq(users.id, verifications.value))
    .where(
      and(
        eq(verifications.identifier, `${invitePrefix}${tokenHash}`),
        gt(verifications.expiresAt, sql`now()`),
        eq(users.banned, false),
      ),
    );
  return row ?? null;
}

/** Uses up the link and sets the password, in one transaction. Null: it was no longer good, and nothing was changed. */
export async function claimPasswordLink(
  db: Database,
  wanted: { tokenHash: string; passwordHash: string },
): Promise<{ email: string } | null> {
  return db.transaction(async (tx) => {
    const [claimed] = await tx
      .delete(verifications)
      .where(
        and(
          eq(verifications.identifier, `${invitePrefix}${wanted.tokenHash}`),
          gt(verifications.expiresAt, sql`now()`),
        ),
      )
      .returning({ userId: verifications.value });
    if (claimed === undefined) return null;
    const [user] = await tx
      .select({ id: users.id, name: users.name, email: users.email, role: users.role, disabled: users.banned })
      .from(users)
      .where(eq(users.id, claimed.userId))
      .for('update');
    if (user === undefined || user.disabled) return null;
    await storePassword(tx, { userId: user.id, passwordHash: wanted.passwordHash });
    await deleteSessions(tx, user.id);
    const actor: Actor = { kind: 'user', id: user.id, name: user.name, role: user.role };
    const summary = `${user.email} set a password with a one-time link.`;
    await recordEvent(tx, { type: 'user.changed', result: 'ok', actor, summary, detail: { userId: user.id } });
    return { email: user.email };
  });
}
