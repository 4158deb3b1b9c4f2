import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from './client';
import { installation } from './schema/records';

/**
 * Sees that this server's secret key is the one that the database's secrets were sealed with; the first server to start leaves the proof.
 * Throws when it is another key: nothing could be opened, and new secrets would be unreadable for the others.
 */
export async function proveKey(db: Database, key: Buffer): Promise<void> {
  const proof = createHmac('sha256', key).update('holdfast key check').digest('hex');
  await db
    .update(installation)
    .set({ keyCheck: proof })
    .where(and(eq(installation.only, true), isNull(installation.keyCheck)));
  const [row] = await db.select({ keyCheck: installation.keyCheck }).from(installation);
  if (row?.keyCheck === undefined || row.keyCheck === null)
    throw new Error('The database has no installation row: run the migrations first.');
  if (!timingSafeEqual(Buffer.from(row.keyCheck), Buffer.from(proof))) {
    throw new Error('Holdfast does not start: HOLDFAST_SECRET_KEY is not the key that this database was made with.');
  }
}
