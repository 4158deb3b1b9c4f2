/** Changes of accounts by admins. Each is one transaction with its event; none can take away the last admin. */
import { and, eq, sql } from 'drizzle-orm';
import type { Actor, Role } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { Database, Transaction } from './client';
import { recordEvent } from './events';
import { users } from './schema/auth';
import { deleteSessions } from './users';

type Change = Promise<Result<{ email: string }, Refusal>>;
type Account = { id: string; email: string; role: Role; disabled: boolean };

/** Refuses: not-found, nothing-to-do, and invalid for the last admin. It counts from the user's next request on. */
export async function changeRole(
  db: Database,
  { actor, userId, role }: { actor: Actor; userId: string; role: Role },
): Change {
  return changeAccount(db, { actor, userId }, async (tx, account, adminCount) => {
    if (account.role === role) return nothingToDo(`${account.email} is ${role} already.`);
    if (account.role === 'admin' && !account.disabled && adminCount <= 1) return lastAdmin('role');
    await tx.update(users).set({ role, updatedAt: sql`now()` }).where(eq(users.id, userId));
    return accepted(`${actor.name} changed the role of ${account.email} from ${account.role} to ${role}.`);
  });
}

/** Disabling ends all sessions in the same transaction. Refuses: not-found, nothing-to-do, invalid for oneself and the last admin. */
export async function setDisabled(
  db: Database,
  { actor, userId, disabled }: { actor: Actor; userId: string; disabled: boolean },
): Change {
  return changeAccount(db, { actor, userId }, async (tx, account, adminCount) => {
    if (account.disabled === disabled)
      return nothingToDo(`${account.email} is ${disabled ? 'disabled' : 'enabled'} already.`);
    if (disabled && account.id === actor.id) return invalid('disabled', 'You cannot disable your own account.');
    if (disabled && account.role === 'admin' && adminCount <= 1) return lastAdmin('disabled');
    await tx
      .update(users)
      .set({ banned: disabled, banReason: null, banExpires: null, updatedAt: sql`now()` })
      .where(eq(users.id, userId));
    if (disabled) await deleteSessions(tx, userId);
    return accepted(`${actor.name} ${disabled ? 'disabled' : 'enabled'} ${account.email}.`);
  });
}

/** Signs a user out everywhere. Refuses: not-found, nothing-to-do. */
export async function revokeSessions(db: Database, { actor, userId }: { actor: Actor; userId: string }): Change {
  return changeAccount(db, { actor, userId }, async (tx, account) => {
    const ended = await deleteSessions(tx, userId);
    if (ended === 0) return nothingToDo(`${account.email} is signed in nowhere.`);
    return accepted(`${actor.name} ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${account.email}.`);
  });
}

/**
 * Locks the account and all admins in one order, so that two admins who demote each other come one after the other,
 * and the second sees what the first did. `change` answers the sentence of the event.
 */
export async function changeAccount(
  db: Database,
  { actor, userId }: { actor: Actor; userId: string },
  change: (tx: Transaction, account: Account, adminCount: number) => Promise<Result<string, Refusal>>,
): Change {
  return db.transaction(async (tx) => {
    const admins = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'admin'), eq(users.banned, false)))
      .orderBy(users.id)
      .for('update');
    const [account] = await tx
      .select({ id: users.id, email: users.email, role: users.role, disabled: users.banned })
      .from(users)
      .where(eq(users.id, userId))
      .for('update');
    if (account === undefined) return refused({ code: 'not-found', message: 'There is no such account.' });
    const changed = await change(tx, account, admins.length);
    if (!changed.ok) return changed;
    await recordEvent(tx, { type: 'user.changed', result: 'ok', actor, summary: changed.value, detail: { userId } });
    return accepted({ email: account.email });
  });
}

function nothingToDo(message: string): Result<never, Refusal> {
  return refused({ code: 'refused', reason: 'nothing-to-do', message, also: [], holder: null });
}

function invalid(field: string, message: string): Result<never, Refusal> {
  return refused({ code: 'invalid', message, issues: [{ field, message }] });
}

function lastAdmin(field: string): Result<never, Refusal> {
  return invalid(field, 'This is the last admin. Make somebody else admin first.');
}
